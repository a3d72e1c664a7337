"""The decoder: wrong answers with an activation where there is none, by name."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base

DECODER = "05.Decoder"


@base("plain")
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


altered(
    DECODER, "relu_before_the_output", "plain", {"self.output(hidden)": "self.output(F.relu(hidden))"}, stage="values",
    diagnosis="h goes through a ReLU before the output layer: what is negative in it is lost.",
    next_step="Give the output layer h as the LSTM returns it.",
)

altered(
    DECODER, "relu_behind_the_table", "plain", {"self.embedding(decoder_input)": "F.relu(self.embedding(decoder_input))"},
    stage="values",
    diagnosis="The vectors of the words go through a ReLU: what is negative in them is lost.",
    next_step="Give the LSTM the vectors as the table holds them.",
)

altered(
    DECODER, "tanh_behind_the_table", "plain",
    {"self.embedding(decoder_input)": "torch.tanh(self.embedding(decoder_input))"}, stage="values",
    diagnosis="The vectors of the words go through tanh before the LSTM.",
    next_step="Give the LSTM the vectors as the table holds them.",
)

altered(
    DECODER, "sigmoid_behind_the_output", "plain", {"self.output(hidden)": "torch.sigmoid(self.output(hidden))"},
    stage="values",
    diagnosis="The scores go through a sigmoid; plain scores were asked for.",
    next_step="Return what the output layer gives: the loss and argmax take the scores as they are.",
)
