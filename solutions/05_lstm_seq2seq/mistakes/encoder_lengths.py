# exercise 05.Encoder
"""The encoder: wrong answers that find the lengths out by themselves, by name."""

import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


# mistake lengths_from_zeros (values)
# The lengths are counted anew, by comparing the ids with 0; the lengths that are given say what is real, and pad may be another
# id.
# Next: Use `lengths` as it is given, and nothing else, to tell words from padding.
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.pad = pad
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        lengths = (src != 0).sum(dim=1)
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


# mistake lengths_counted_without_floor (values), from lengths_from_zeros
# The lengths are counted anew, by comparing with the pad id; the lengths that are given say what is real, whatever the ids are.
# Next: Use `lengths` as it is given, and nothing else, to tell words from padding.
#   src != 0 => src != self.pad
