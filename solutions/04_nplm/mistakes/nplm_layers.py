# exercise 04.NPLM
"""Wrong answers to the neural language model by name (layers)."""

import torch
import torch.nn as nn


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


# mistake averages_the_words (shape), from plain
# The hidden layer takes one vector: the words of a row are averaged or summed, so their order is lost.
# Next: Concatenate: the input of the hidden layer is context * embedding_dim wide.
#   context * embedding_dim, hidden_dim => embedding_dim, hidden_dim
#   context * embedding_dim, vocab_size => embedding_dim, vocab_size
#   self.embedding(x).reshape(x.shape[0], -1) => self.embedding(x).mean(dim=1)


# mistake narrow_and_not_joined (shape), from plain
# The hidden layer is too narrow: its input is embedding_dim wide, which is one vector. It takes all C vectors side by side.
# Next: Make its input context * embedding_dim wide, and join the vectors in forward: `flatten(1)`.
#   context * embedding_dim, hidden_dim => embedding_dim, hidden_dim
#   context * embedding_dim, vocab_size => embedding_dim, vocab_size
#   self.embedding(x).reshape(x.shape[0], -1) => self.embedding(x)

# mistake narrow_hidden_layer (shape), from plain
# The hidden layer is too narrow: its input is embedding_dim wide, which is one vector. It takes all C vectors side by side.
# Next: Make its input context * embedding_dim wide.
#   context * embedding_dim, hidden_dim => embedding_dim, hidden_dim

# mistake table_sizes_exchanged (shape), from plain
# The two sizes of the table are exchanged: it has a row for each dimension, not for each word.
# Next: Write `nn.Embedding(vocab_size, embedding_dim)`.
#   nn.Embedding(vocab_size, embedding_dim) => nn.Embedding(embedding_dim, vocab_size)

# mistake other_names (shape)
# The layers have names of their own; the attributes are called embedding, hidden, output and direct.
# Next: Rename the attributes: others read and set them.
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, embedding_dim)
        self.fc1 = nn.Linear(context * embedding_dim, hidden_dim)
        self.fc2 = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None

    def forward(self, x):
        c = self.emb(x).reshape(x.shape[0], -1)
        logits = self.fc2(torch.tanh(self.fc1(c)))
        return logits if self.direct is None else logits + self.direct(c)


# mistake super_missing (raises), from plain
# `super().__init__()` is missing: a module cannot hold layers before it has been set up.
# Next: Call `super().__init__()` first.
#   -        super().__init__()

# mistake no_output_bias (shape), from plain
# The output layer has no bias: 38 parameters instead of 45 for sizes 7, 2, 2, 2.
# Next: Only `direct` goes without a bias.
#   hidden_dim, vocab_size => hidden_dim, vocab_size, bias=False

# mistake no_hidden_bias (shape), from plain
# The hidden layer has no bias: 43 parameters instead of 45 for sizes 7, 2, 2, 2.
# Next: Only `direct` goes without a bias.
#   context * embedding_dim, hidden_dim => context * embedding_dim, hidden_dim, bias=False

# mistake always_direct (shape), from plain
# The direct layer is always there, whatever `direct` says.
# Next: Make the layer only `if direct`, and set the attribute to None otherwise.
#   ) if direct else None => )

# mistake direct_by_default (shape), from plain
# `direct` is on by default; its default should be False.
# Next: Write `direct=False` in the signature.
#   direct=False => direct=True

# mistake direct_missing_when_off (shape), from plain
# Without the direct layer the attribute `direct` does not exist; it should be None or False then.
# Next: Set `self.direct = None` in the other branch.
#   -        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
#   +        if direct:
#   +            self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False)
#   self.direct is not None => hasattr(self, "direct")

# mistake direct_is_a_bias_when_off (shape), from plain
# Without the direct layer the attribute `direct` is another module; it should be None or False then.
# Next: Set it to None, and ask `if self.direct is not None` in forward.
#   else None => else nn.Identity()
#   self.direct is not None => isinstance(self.direct, nn.Linear)

# mistake context_and_width_swapped (shape), from plain
# The second parameter is taken for the width of the embedding; it is the context.
# Next: The order is vocab_size, context, embedding_dim, hidden_dim.
#   context, embedding_dim => embedding_dim, context

# mistake widths_swapped (shape), from plain
# The width of the embedding and that of the hidden layer are exchanged.
# Next: The order is vocab_size, context, embedding_dim, hidden_dim.
#   context, embedding_dim, hidden_dim => context, hidden_dim, embedding_dim

# mistake two_hidden_layers (values), from plain
# There are more parameters than 45 for sizes 7, 2, 2, 2: a second hidden layer learns too.
# Next: One hidden layer only: embedding, linear, tanh, linear.
#            self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
#   +        self.hidden2 = nn.Linear(hidden_dim, hidden_dim)
#   self.hidden(c) => self.hidden2(torch.tanh(self.hidden(c)))

# mistake normalised_hidden (values), from plain
# There are more parameters than 45 for sizes 7, 2, 2, 2: a normalisation layer learns too.
# Next: The hidden layer's result goes through tanh, and nothing else.
#            self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
#   +        self.norm = nn.LayerNorm(hidden_dim)
#   self.hidden(c) => self.norm(self.hidden(c))

# mistake a_table_for_each_place (values), from plain
# Every position of the context has a table of its own: a word learned at one position is unknown at the next.
# Next: One table for all places: `self.embedding(x)` takes ids of shape (B, C).
#   -        self.embedding = nn.Embedding(vocab_size, embedding_dim)
#   +        self.tables = nn.ModuleList([nn.Embedding(vocab_size, embedding_dim) for _ in range(context)])
#   +        self.embedding = self.tables[0]
#   self.embedding(x).reshape(x.shape[0], -1) => torch.cat([table(x[:, i]) for i, table in enumerate(self.tables)], dim=1)


# mistake parameters_renamed (raises)
# The constructor's parameters have other names, so `NPLM(vocab_size=7, ...)` fails.
# Next: Keep the names of the stub: vocab_size, context, embedding_dim, hidden_dim, direct.
class NPLM(nn.Module):
    def __init__(self, V, C, d, H, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(V, d)
        self.hidden = nn.Linear(C * d, H)
        self.output = nn.Linear(H, V)
        self.direct = nn.Linear(C * d, V, bias=False) if direct else None

    def forward(self, x):
        c = self.embedding(x).flatten(1)
        logits = self.output(torch.tanh(self.hidden(c)))
        return logits if self.direct is None else logits + self.direct(c)
