# exercise 05.Encoder
"""The encoder: wrong answers about its layers, axes and results, by name."""

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


# mistake time_first (values, shape)
# The LSTM takes the first axis for the time, and is given the batch there: words of different sentences are read as one.
# Next: Construct it with `batch_first=True`, or transpose before and after.
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)

    def forward(self, src, lengths):
        outputs, state = self.lstm(self.embedding(src))
        real = torch.arange(src.shape[1]) < lengths[:, None]
        return outputs * real.unsqueeze(-1), state


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


# mistake outputs_time_first (shape, values), from plain
# outputs come back as (S, B, H), but the exercise asks for (B, S, H).
# Next: Pass `batch_first=True` when you unpack, too.
#   batch_first=True, total_length=src.shape[1] => total_length=src.shape[1]

# mistake packing_alone_time_first (raises), from plain
# `pack_padded_sequence` is called without `batch_first=True`: it takes the first axis, the sentences, for the time.
# Next: Pass `batch_first=True` when you pack, too.
#   batch_first=True, enforce_sorted=False => enforce_sorted=False

# mistake no_super (raises), from plain
# `super().__init__()` is missing: without it a module cannot hold other modules.
# Next: Call `super().__init__()` on the first line of `__init__`.
#   -        super().__init__()


# mistake other_names (raises)
# There is no nn.Embedding under the name `embedding`.
# Next: Call the attributes `embedding` and `lstm`: others look for them there.
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.rnn = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.emb(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.rnn(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


# mistake lstm_under_another_name (raises), from plain
# There is no nn.LSTM under the name `lstm`.
# Next: Call the attribute `lstm`: others look for it there.
#   lstm = => rnn =
#   self.lstm(packed) => self.rnn(packed)

# mistake lstm_without_bias (raises), from plain
# The LSTM has no biases, or not under the names of nn.LSTM.
# Next: Leave `bias=False` out: the weights and biases of an nn.LSTM are set by their names.
#   hidden_dim, batch_first=True => hidden_dim, batch_first=True, bias=False

# mistake sizes_swapped (raises), from plain
# The sizes of the LSTM are swapped: it takes vectors of embedding_dim and keeps hidden_dim numbers.
# Next: `nn.LSTM(embedding_dim, hidden_dim, ...)`.
#   embedding_dim, padding_idx=pad => hidden_dim, padding_idx=pad
#   embedding_dim, hidden_dim, batch_first=True => hidden_dim, embedding_dim, batch_first=True

# mistake both_directions (shape), from plain
# The LSTM reads in both directions: outputs are twice as wide, and there are two states.
# Next: Leave `bidirectional=True` out.
#   hidden_dim, batch_first=True => hidden_dim, batch_first=True, bidirectional=True

# mistake no_pad_parameter (raises), from plain
# The constructor takes no `pad`.
# Next: Give it the signature of the stub: `pad=0` is the fourth parameter.
#   hidden_dim, pad=0 => hidden_dim
#   embedding_dim, padding_idx=pad => embedding_dim

# mistake state_without_first_axis (shape), from plain
# h and c come back as (B, H), but the exercise asks for (1, B, H), as nn.LSTM returns and takes them.
# Next: Hand the LSTM's state on as it is.
#   -        outputs, state = self.lstm(packed)
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
#   +        outputs, (h, c) = self.lstm(packed)
#   +        outputs = pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0]
#   +        return outputs, (h[0], c[0])

# mistake only_the_state (type), from plain
# Only the state comes back; outputs are asked for as well.
# Next: Return `outputs, (h, c)`.
#   -        outputs, state = self.lstm(packed)
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
#   +        return self.lstm(packed)[1]

# mistake only_h (type), from plain
# The state that comes back is h alone; an LSTM's state is the pair (h, c).
# Next: Return `outputs, (h, c)`.
#   outputs, state => outputs, (h, _)
#   ], state => ], h

# mistake unpacking_result_returned_whole (type), from plain
# `pad_packed_sequence` returns outputs and lengths; both were handed on in place of outputs.
# Next: Take the first of the two.
#   [0] =>

# mistake still_packed (type), from plain
# outputs are still packed.
# Next: Unpack them with `pad_packed_sequence`.
#   -        outputs, state = self.lstm(packed)
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
#   +        return self.lstm(packed)

# mistake state_swapped (values), from plain
# The state comes back as (c, h), but the exercise asks for (h, c).
# Next: Hand the LSTM's state on as it is.
#   outputs, state => outputs, (h, c)
#   ], state => ], (c, h)

# mistake state_detached (property), from plain
# h and c are detached: the decoder's loss does not reach the encoder by the state.
# Next: Leave `.detach()` out.
#   -        outputs, state = self.lstm(packed)
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
#   +        outputs, (h, c) = self.lstm(packed)
#   +        outputs = pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0]
#   +        return outputs, (h.detach(), c.detach())

# mistake outputs_without_graph (property), from plain
# outputs are filled in without recording: no gradient comes back through them.
# Next: Do not use `.data` or `torch.no_grad()` on the way to outputs.
#   -        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
#   +        outputs = pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0]
#   +        return outputs.data, state

# mistake table_frozen (property), from plain
# The table does not learn: it was made without a gradient.
# Next: Use `nn.Embedding(...)` as it is, not frozen.
#   (vocab_size, embedding_dim => .from_pretrained(torch.randn(vocab_size, embedding_dim)

# mistake view_of_src (raises), from plain
# `view` fails when src has gaps in memory.
# Next: Use `reshape`, or look src up as it is: an embedding takes ids of any shape.
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   +        vectors = self.embedding(src.view(-1)).view(*src.shape, -1)
#   +        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)

# mistake read_backwards (values), from plain
# The sentences are read from the end, an old method in translation; here they are read from the start.
# Next: Read the words in the order in which they stand.
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   +        place = torch.arange(src.shape[1]).expand_as(src)
#   +        turned = src.gather(1, torch.where(place < lengths[:, None], lengths[:, None] - 1 - place, place))
#   +        packed = pack_padded_sequence(self.embedding(turned), lengths, batch_first=True, enforce_sorted=False)


# mistake state_kept_from_call_to_call (values)
# The module keeps its last state, and the next sentences start from it instead of from zeros.
# Next: Call the LSTM without a state, and keep none.
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.state = None

    def forward(self, src, lengths):
        start = self.state if self.state is not None and self.state[0].shape[1] == len(src) else None
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, (h, c) = self.lstm(packed, start)
        self.state = (h.detach(), c.detach())
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], (h, c)


# mistake dropout (values), from plain
# In training mode a dropout layer changes the vectors; there should be none.
# Next: Hand the vectors to the LSTM as they are.
#            self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
#   +        self.dropout = nn.Dropout(0.3)
#   -        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
#   +        vectors = self.dropout(self.embedding(src))
#   +        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)

# mistake vectors_shortened (values), from plain
# Long vectors of the table are shortened at each lookup: `max_norm` is set.
# Next: Leave `max_norm` out.
#   padding_idx=pad => padding_idx=pad, max_norm=10.0


# mistake time_first_padding_read (values)
# Without `batch_first=True` the LSTM takes the first axis, the sentences, for the time; and padding is read as words.
# Next: Say `batch_first=True`, then let each sentence end at its length (`pack_padded_sequence`).
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)

    def forward(self, src, lengths):
        return self.lstm(self.embedding(src))


# mistake packed_time_first (raises), from plain
# Packing takes the first axis, the sentences, for the time: there are not as many lengths as sentences then.
# Next: Say `batch_first=True` to the LSTM, to `pack_padded_sequence` and to `pad_packed_sequence`.
#   hidden_dim, batch_first=True => hidden_dim
#   batch_first=True, enforce_sorted=False => enforce_sorted=False
#   batch_first=True, total_length=src.shape[1] => total_length=src.shape[1]
