# exercise 05.Decoder
"""The decoder: wrong answers with an activation where there is none, by name."""

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
        vectors = self.embedding(decoder_input)
        hidden, state = self.lstm(vectors, state)
        return self.output(hidden), state


# mistake relu_before_the_output (values), from plain
# h goes through a ReLU before the output layer: what is negative in it is lost.
# Next: Give the output layer h as the LSTM returns it.
#   self.output(hidden) => self.output(F.relu(hidden))

# mistake relu_behind_the_table (values), from plain
# The vectors of the words go through a ReLU: what is negative in them is lost.
# Next: Give the LSTM the vectors as the table holds them.
#   self.embedding(decoder_input) => F.relu(self.embedding(decoder_input))

# mistake tanh_behind_the_table (values), from plain
# The vectors of the words go through tanh before the LSTM.
# Next: Give the LSTM the vectors as the table holds them.
#   self.embedding(decoder_input) => torch.tanh(self.embedding(decoder_input))

# mistake sigmoid_behind_the_output (values), from plain
# The scores go through a sigmoid; plain scores were asked for.
# Next: Return what the output layer gives: the loss and argmax take the scores as they are.
#   self.output(hidden) => torch.sigmoid(self.output(hidden))
