# exercise 05.Encoder
"""The encoder: wrong answers about lengths, order and padding, by name."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


# base plain
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


# mistake lengths_ignored (values), from plain
# The LSTM reads the padding too, and both the state and outputs show it.
# Next: Setting ids or vectors at padding to 0 does not help, the LSTM reads those too: pack the vectors with their lengths
# before the LSTM sees them.
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   outputs, state = self.lstm(packed) => return self.lstm(self.embedding(src))
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state

# mistake state_after_the_padding (values), from plain
# outputs are zeroed at padding, but the state is the one after the last column, padding included.
# Next: The state of row b is the one after word lengths[b] - 1: pack the batch, and the LSTM returns that.
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   self.lstm(packed) => self.lstm(self.embedding(src))
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
#   +        real = torch.arange(src.shape[1]) < lengths[:, None]
#   +        return outputs * real.unsqueeze(-1), state

# mistake only_h_at_the_end (values), from plain
# h is taken after the last real word, but c after the padding.
# Next: c needs the same care as h, and outputs do not hold it: pack the batch.
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   outputs, state = self.lstm(packed) => outputs, (_, c) = self.lstm(self.embedding(src))
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
#   +        h = outputs[torch.arange(len(src)), lengths - 1].unsqueeze(0)
#   +        real = torch.arange(src.shape[1]) < lengths[:, None]
#   +        return outputs * real.unsqueeze(-1), (h, c)

# mistake outputs_at_padding_not_zero (values), from plain
# The state is right; outputs at padding are not zero.
# Next: Multiply outputs with the mask of real words, or pack and unpack.
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   outputs, state = self.lstm(packed) => vectors = self.embedding(src)
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
#   +        outputs, _ = self.lstm(vectors)
#   +        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
#   +        return outputs, self.lstm(packed)[1]

# mistake sorted_lengths_only (raises), from plain
# Packing fails unless the longest sentence stands first; lengths may stand in any order.
# Next: Pass `enforce_sorted=False`.
#   batch_first=True, enforce_sorted=False => batch_first=True

# mistake columns_cut_off (shape), from plain
# outputs end at the longest sentence; they should have as many columns as src.
# Next: Pass `total_length=src.shape[1]` when you unpack.
#   batch_first=True, total_length=src.shape[1] => batch_first=True

# mistake left_sorted (values), from plain
# The rows were sorted by length and never put back: they come out in another order than they went in.
# Next: Undo the sorting in outputs, h and c, or let `enforce_sorted=False` do both.
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   +        lengths, order = lengths.sort(descending=True, stable=True)
#   +        packed = pack_padded_sequence(self.embedding(src[order]), lengths, batch_first=True)

# mistake state_left_sorted (values), from plain
# outputs are put back into the order of src, but h and c are still sorted by length.
# Next: Undo the sorting in h and c as well, on their second axis.
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   +        lengths, order = lengths.sort(descending=True, stable=True)
#   +        packed = pack_padded_sequence(self.embedding(src[order]), lengths, batch_first=True)
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
#   +        outputs = pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0]
#   +        return outputs[order.argsort()], state

# mistake sorted_twice (values), from plain
# The rows are put back with the order that sorted them; that sorts them once more instead of undoing it.
# Next: Undo a permutation with its inverse: `order.argsort()`.
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   +        lengths, order = lengths.sort(descending=True, stable=True)
#   +        packed = pack_padded_sequence(self.embedding(src[order]), lengths, batch_first=True)
#   outputs, state => outputs, (h, c)
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
#   +        outputs = pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0]
#   +        return outputs[order], (h[:, order], c[:, order])

# mistake lengths_from_the_pad_id (values), from plain
# The real words are counted by comparing with the pad id; lengths say what is real, whatever the ids are.
# Next: Use lengths, and nothing else, to tell words from padding.
#            super().__init__()
#   +        self.pad = pad
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   +        counted = (src != self.pad).sum(dim=1).clamp(min=1)
#   +        packed = pack_padded_sequence(self.embedding(src), counted, batch_first=True, enforce_sorted=False)

# mistake pad_words_blanked (values), from plain
# Every pad id is turned into a zero vector, inside sentences too; within its length it is a word.
# Next: Look all ids up alike, and let lengths alone decide what counts.
#            super().__init__()
#   +        self.pad = pad
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   +        vectors = self.embedding(src) * (src != self.pad).unsqueeze(-1)
#   +        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)

# mistake outputs_blanked_at_pad_words (values), from plain
# outputs are zeroed wherever the id is pad, inside sentences too.
# Next: Zero the columns from lengths[b] on, and no others.
#            super().__init__()
#   +        self.pad = pad
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
#   +        outputs = pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0]
#   +        return outputs.masked_fill((src == self.pad).unsqueeze(-1), 0.0), state

# mistake padding_row_is_always_0 (values), from plain
# `padding_idx=0` keeps row 0 from learning also when pad is another id and 0 is a word.
# Next: Pass `padding_idx=pad`.
#   padding_idx=pad => padding_idx=0

# mistake one_word_too_few (values, raises), from plain
# The last real word is not read: lengths count words, they are no last index.
# Next: Pass lengths to the packing as they are.
#        def forward(self, src, lengths):
#   +        lengths = (lengths - 1).clamp(min=1)

# mistake longest_length_for_all (values), from plain
# Every row is read up to the longest length; each row ends at its own.
# Next: Use lengths[b] for row b.
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   +        longest = int(lengths.max())
#   self.lstm(packed) => self.lstm(self.embedding(src[:, :longest]))
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
#   +        return F.pad(outputs, (0, 0, 0, src.shape[1] - longest)), state

# mistake src_filled_up (property), from plain
# What stands behind the sentences is overwritten in src, which belongs to the caller.
# Next: Change a clone, or nothing: packed sentences end at their lengths anyway.
#            super().__init__()
#   +        self.pad = pad
#        def forward(self, src, lengths):
#   +        src[torch.arange(src.shape[1]) >= lengths[:, None]] = self.pad


# mistake padded_vectors_zeroed (values)
# The vectors of padding are set to 0, and the LSTM reads them all the same: the state is the one after them.
# Next: The state of row b is the one after word lengths[b] - 1: pack the batch, and the LSTM returns that.
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        real = (torch.arange(src.shape[1]) < lengths[:, None]).unsqueeze(-1)
        outputs, state = self.lstm(self.embedding(src) * real)
        return outputs * real, state
