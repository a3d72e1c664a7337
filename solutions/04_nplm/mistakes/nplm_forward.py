# exercise 04.NPLM
"""Wrong answers to the neural language model by name (forward)."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


# base plain
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None

    def forward(self, x):
        c = self.embedding(x).reshape(x.shape[0], -1)
        logits = self.output(torch.tanh(self.hidden(c)))
        if self.direct is not None:
            logits = logits + self.direct(c)
        return logits


# mistake no_tanh (values), from plain
# There is no tanh: two linear layers in a row are one linear layer.
# Next: Put `torch.tanh` around the hidden layer's result.
#   torch.tanh(self.hidden(c)) => self.hidden(c)

# mistake relu (values), from plain
# The hidden layer goes through ReLU, but the exercise asks for tanh.
# Next: Use `torch.tanh`.
#   torch.tanh => torch.relu

# mistake sigmoid (values), from plain
# The hidden layer goes through a sigmoid, but the exercise asks for tanh.
# Next: Use `torch.tanh`.
#   torch.tanh => torch.sigmoid

# mistake tanh_around_the_logits (values), from plain
# tanh stands around the logits: they cannot leave the range from -1 to 1.
# Next: tanh belongs between the two linear layers.
#   self.output(torch.tanh(self.hidden(c))) => torch.tanh(self.output(self.hidden(c)))

# mistake tanh_before_the_hidden_layer (values), from plain
# tanh stands before the hidden layer; it belongs behind it.
# Next: The order is embedding, concatenation, linear, tanh, linear.
#   torch.tanh(self.hidden(c)) => self.hidden(torch.tanh(c))

# mistake probabilities (values), from plain
# These are probabilities, but the exercise asks for logits. The cross-entropy would take a softmax of a softmax.
# Next: Return what the output layer gives.
#   return logits => return torch.softmax(logits, dim=1)

# mistake log_probabilities (values), from plain
# These are log-probabilities, but the exercise asks for logits.
# Next: Return what the output layer gives.
#   return logits => return F.log_softmax(logits, dim=1)

# mistake words_interleaved (values), from plain
# The concatenation is interleaved: first number of each word, then the second, and so on.
# Next: Flatten (B, C, d) as it is; a transpose before it changes the order of the numbers.
#   self.embedding(x).reshape => self.embedding(x).transpose(1, 2).reshape

# mistake rows_mixed (values), from plain
# The words of different rows are mixed: the batch axis was moved before the reshape.
# Next: Keep the batch axis first: `embedding(x)` is (B, C, d), and only its last two axes are merged.
#   self.embedding(x) => self.embedding(x.T)

# mistake newest_word_first (values), from plain
# The words are concatenated backwards, the newest one first.
# Next: Keep them in the order of x's columns.
#   self.embedding(x) => self.embedding(x.flip(1))

# mistake one_row_loses_its_axis (shape), from plain
# `squeeze` removes the batch axis of a single row: (V,) instead of (1, V).
# Next: Leave `squeeze` out.
#   return logits => return logits.squeeze()

# mistake the_whole_batch_as_one_row (raises), from plain
# The whole batch is flattened into one row.
# Next: Keep the batch axis: `reshape(x.shape[0], -1)` or `flatten(start_dim=1)`.
#   self.embedding(x).reshape(x.shape[0], -1) => self.embedding(x).flatten()

# mistake dropout (values), from plain
# Half of the hidden numbers are dropped in training; no dropout was asked for.
# Next: Leave the dropout out, or give it a parameter whose default is 0.
#            self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
#   +        self.dropout = nn.Dropout(0.5)
#   torch.tanh(self.hidden(c)) => self.dropout(torch.tanh(self.hidden(c)))

# mistake clipped_table (values), from plain
# Vectors longer than 1 are clipped at each lookup: `max_norm` is set.
# Next: Leave `max_norm` out.
#   vocab_size, embedding_dim => vocab_size, embedding_dim, max_norm=1.0

# mistake unit_vectors (values), from plain
# Each word's vector is brought to length 1 before the hidden layer.
# Next: Use the rows of the table as they are.
#   self.embedding(x) => F.normalize(self.embedding(x), dim=-1)

# mistake scaled_by_the_width (values), from plain
# The vectors are multiplied by the root of their width, as Transformers do; here they are used as they are.
# Next: Leave the factor out.
#            self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
#   +        self.scale = math.sqrt(embedding_dim)
#   self.embedding(x).reshape(x.shape[0], -1) => self.embedding(x).reshape(x.shape[0], -1) * self.scale

# mistake tanh_by_hand (not finite), from plain
# tanh is computed from exp, which overflows: inf / inf is nan.
# Next: Use `torch.tanh`, which is finite everywhere.
#   -        logits = self.output(torch.tanh(self.hidden(c)))
#   +        h = self.hidden(c)
#   +        h = (h.exp() - (-h).exp()) / (h.exp() + (-h).exp())
#   +        logits = self.output(h)

# mistake view_of_x (raises), from plain
# `x.view(-1)` fails when x has gaps in memory.
# Next: Pass x to the embedding as it is: ids of any shape are welcome.
#   self.embedding(x).reshape => self.embedding(x.view(-1)).view

# mistake batch_size_kept (raises, shape), from plain
# The size of the first batch is kept and used for the next one.
# Next: Take the number of rows from x in each call.
#            self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
#   +        self.rows = None
#   -        c = self.embedding(x).reshape(x.shape[0], -1)
#   +        self.rows = self.rows or x.shape[0]
#   +        c = self.embedding(x).reshape(self.rows, -1)

# mistake id_0_masked (values), from plain
# Word 0 is treated as padding: its vector is set to zero. No id is special here.
# Next: Leave the mask out.
#   self.embedding(x).reshape => (self.embedding(x) * (x != 0)[..., None]).reshape

# mistake not_flattened (raises), from plain
# The vectors of a row are not joined: the hidden layer gets single vectors of width d, not C of them side by side.
# Next: Join the last two axes of `embedding(x)`, which is (B, C, d): `flatten(1)` makes (B, C * d).
#   self.embedding(x).reshape(x.shape[0], -1) => self.embedding(x)

# mistake batch_in_one_row (raises), from plain
# The vectors of all rows stand in one single row: `view(1, -1)` joins the batch axis too.
# Next: Keep the batch axis: `flatten(1)` makes (B, C * d).
#   self.embedding(x).reshape(x.shape[0], -1) => self.embedding(x).reshape(1, -1)

# mistake mean_of_the_words (raises), from plain
# The hidden layer gets vectors of width d: the words are averaged, or stand below one another. It takes the C vectors of a row
# side by side.
# Next: Join them: `self.embedding(x).flatten(1)` is (B, C * d).
#   self.embedding(x).reshape(x.shape[0], -1) => self.embedding(x).mean(dim=1)

# mistake direct_called_when_none (raises), from plain
# `self.direct` is None when direct=False, and forward calls it all the same.
# Next: Add `self.direct(e)` only `if self.direct is not None`.
#   -        if self.direct is not None:
#   -            logits = logits + self.direct(c)
#   +        logits = logits + self.direct(c)
