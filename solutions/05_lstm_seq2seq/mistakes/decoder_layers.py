# exercise 05.Decoder
"""The decoder: wrong answers about its layers, axes and results, by name."""

import torch
import torch.nn as nn
import torch.nn.functional as F


# base plain
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), state


# mistake time_first (raises), from plain
# The LSTM takes the first axis for the time, and is given the batch there.
# Next: Construct it with `batch_first=True`, or transpose before and after.
#   hidden_dim, batch_first=True => hidden_dim

# mistake logits_time_first (shape), from plain
# The logits come back as (T, B, V), but the exercise asks for (B, T, V).
# Next: Transpose back after the LSTM.
#   hidden_dim, batch_first=True => hidden_dim
#   self.embedding(decoder_input) => self.embedding(decoder_input.T)

# mistake classes_in_the_middle (shape), from plain
# The logits come back as (B, V, T), but the exercise asks for (B, T, V).
# Next: Leave the axes as the linear layer returns them.
#   self.output(hidden) => self.output(hidden).transpose(1, 2)

# mistake last_word_only (shape), from plain
# Only the last word's logits come back; every word has logits of its own.
# Next: Put all of h through the output layer.
#   self.output(hidden) => self.output(hidden[:, -1])

# mistake one_word_squeezed (shape), from plain
# With one word or one sentence an axis disappears: `squeeze()` drops every axis of size 1.
# Next: Leave `squeeze()` out; logits are (B, T, V) also when B or T is 1.
#   self.output(hidden) => self.output(hidden).squeeze()

# mistake probabilities (values), from plain
# These are probabilities; plain scores were asked for.
# Next: Leave the softmax out: the loss and argmax take the scores as they are.
#   self.output(hidden) => self.output(hidden).softmax(dim=-1)

# mistake log_probabilities (values), from plain
# These are log-probabilities; plain scores were asked for.
# Next: Leave the log-softmax out.
#   self.output(hidden) => self.output(hidden).log_softmax(dim=-1)

# mistake tanh_before_the_output (values), from plain
# h goes through another tanh before the output layer.
# Next: Put h into the output layer as it is.
#   self.output(hidden) => self.output(torch.tanh(hidden))

# mistake relu_after_the_output (values), from plain
# Scores below 0 are cut off.
# Next: Leave the ReLU out: scores may be negative.
#   self.output(hidden) => F.relu(self.output(hidden))

# mistake no_graph (property), from plain
# Nothing is recorded, so nothing can learn.
# Next: No `torch.no_grad()`, `.detach()` or `.data`, and no tensor made of Python numbers (`.item()`, `.tolist()`).
#   -    def forward(self, decoder_input, state):
#   +    @torch.no_grad()
#   +    def forward(self, decoder_input, state):

# mistake padding_row_is_always_0 (values), from plain
# `padding_idx=0` keeps row 0 from learning also when pad is another id and 0 is a word.
# Next: Pass `padding_idx=pad`.
#   padding_idx=pad => padding_idx=0

# mistake no_super (raises), from plain
# `super().__init__()` is missing: without it a module cannot hold other modules.
# Next: Call `super().__init__()` on the first line of `__init__`.
#   -        super().__init__()

# mistake output_under_another_name (raises), from plain
# There is no nn.Linear under the name `output`.
# Next: Call the attribute `output`: others look for it there.
#   self.output = nn.Linear(hidden_dim, vocab_size) => self.fc = nn.Linear(hidden_dim, vocab_size)
#   self.output(hidden) => self.fc(hidden)

# mistake output_without_bias (raises), from plain
# The output layer has no bias.
# Next: Leave `bias=False` out: the weight and the bias of `output` are set by their names.
#   hidden_dim, vocab_size => hidden_dim, vocab_size, bias=False

# mistake lstm_under_another_name (raises), from plain
# There is no nn.LSTM under the name `lstm`.
# Next: Call the attribute `lstm`: others look for it there.
#   lstm = => rnn =
#   self.lstm(self.embedding(decoder_input), state) => self.rnn(self.embedding(decoder_input), state)

# mistake lstm_without_bias (raises), from plain
# The LSTM has no biases, or not under the names of nn.LSTM.
# Next: Leave `bias=False` out: the weights and biases of an nn.LSTM are set by their names.
#   batch_first=True => batch_first=True, bias=False

# mistake table_under_another_name (raises), from plain
# There is no nn.Embedding under the name `embedding`.
# Next: Call the attributes `embedding`, `lstm` and `output`: others look for them there.
#   embedding = => emb =
#   self.embedding(decoder_input) => self.emb(decoder_input)

# mistake output_from_the_embedding (raises), from plain
# The output layer takes vectors as wide as the embedding; it takes h, which has hidden_dim numbers.
# Next: `nn.Linear(hidden_dim, vocab_size)`.
#   hidden_dim, vocab_size => embedding_dim, vocab_size

# mistake no_pad_parameter (raises), from plain
# The constructor takes no `pad`.
# Next: Give it the signature of the stub: `pad=0` is the fourth parameter.
#   hidden_dim, pad=0 => hidden_dim
#   embedding_dim, padding_idx=pad => embedding_dim

# mistake only_logits (type), from plain
# Only the logits come back; the next call needs the state as well.
# Next: Return `logits, state`.
#   hidden, state => hidden, _
#   self.output(hidden), state => self.output(hidden)

# mistake three_results (type), from plain
# logits, h and c come back as three results, but the exercise asks for the pair of logits and state.
# Next: Return `logits, (h, c)`.
#   hidden, state => hidden, (h, c)
#   self.output(hidden), state => self.output(hidden), h, c

# mistake float32_only (raises), from plain
# The vectors are cast to float32; a float64 decoder cannot take them.
# Next: Leave `.float()` out.
#   self.embedding(decoder_input) => self.embedding(decoder_input).float()

# mistake always_float32 (dtype), from plain
# A float64 state gives float32 logits.
# Next: Keep the dtype of the state: no `.float()`, and no tensor made of Python numbers (`.item()`, `.tolist()`).
#   self.output(hidden) => self.output(hidden).float()

# mistake view_of_the_words (raises), from plain
# `view` fails when decoder_input has gaps in memory.
# Next: Use `reshape`, or look decoder_input up as it is.
#   -        hidden, state = self.lstm(self.embedding(decoder_input), state)
#   +        vectors = self.embedding(decoder_input.view(-1)).view(*decoder_input.shape, -1)
#   +        hidden, state = self.lstm(vectors, state)

# mistake bias_left_out (values), from plain
# The output layer's bias is left out: its weight was multiplied by hand.
# Next: Call `self.output(hidden)`.
#   self.output(hidden) => hidden @ self.output.weight.T

# mistake dropout (values), from plain
# In training mode a dropout layer changes the numbers; there should be none.
# Next: Put h into the output layer as it is.
#            self.output = nn.Linear(hidden_dim, vocab_size)
#   +        self.dropout = nn.Dropout(0.3)
#   self.output(hidden) => self.output(self.dropout(hidden))
