"""Wrong answers about the encoder by name, and unusual right ones."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence

from grader.catalogue import mistake, right_form, survivor

ENCODER = "05.Encoder"


@mistake(
    ENCODER, "lengths_ignored", stage="values",
    diagnosis="lengths is not used: the LSTM reads the padding too, and both the state and outputs show it.",
    next_step="Pack the vectors with their lengths before the LSTM sees them.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        return self.lstm(self.embedding(src))


@mistake(
    ENCODER, "state_after_the_padding", stage="values",
    diagnosis="outputs are zeroed at padding, but the state is the one after the last column, padding included.",
    next_step="The state of row b is the one after word lengths[b] - 1: pack the batch, and the LSTM returns that.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        outputs, state = self.lstm(self.embedding(src))
        real = torch.arange(src.shape[1]) < lengths[:, None]
        return outputs * real.unsqueeze(-1), state


@mistake(
    ENCODER, "only_h_at_the_end", stage="values",
    diagnosis="h is taken after the last real word, but c after the padding.",
    next_step="c needs the same care as h, and outputs do not hold it: pack the batch.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        outputs, (_, c) = self.lstm(self.embedding(src))
        h = outputs[torch.arange(len(src)), lengths - 1].unsqueeze(0)
        real = torch.arange(src.shape[1]) < lengths[:, None]
        return outputs * real.unsqueeze(-1), (h, c)


@mistake(
    ENCODER, "outputs_at_padding_not_zero", stage="values",
    diagnosis="The state is right; outputs at padding are not zero.",
    next_step="Multiply outputs with the mask of real words, or pack and unpack.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        vectors = self.embedding(src)
        outputs, _ = self.lstm(vectors)
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        return outputs, self.lstm(packed)[1]


@mistake(
    ENCODER, "sorted_lengths_only", stage="raises",
    diagnosis="Packing fails unless the longest sentence stands first; lengths may stand in any order.",
    next_step="Pass `enforce_sorted=False`.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "columns_cut_off", stage="shape",
    diagnosis="outputs end at the longest sentence; they should have as many columns as src.",
    next_step="Pass `total_length=src.shape[1]` when you unpack.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True)[0], state


@mistake(
    ENCODER, "left_sorted", stage="values",
    diagnosis="The rows were sorted by length and never put back: they come out in another order than they went in.",
    next_step="Undo the sorting in outputs, h and c, or let `enforce_sorted=False` do both.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        lengths, order = lengths.sort(descending=True, stable=True)
        packed = pack_padded_sequence(self.embedding(src[order]), lengths, batch_first=True)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "state_left_sorted", stage="values",
    diagnosis="outputs are put back into the order of src, but h and c are still sorted by length.",
    next_step="Undo the sorting in h and c as well, on their second axis.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        lengths, order = lengths.sort(descending=True, stable=True)
        packed = pack_padded_sequence(self.embedding(src[order]), lengths, batch_first=True)
        outputs, state = self.lstm(packed)
        outputs = pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0]
        return outputs[order.argsort()], state


@mistake(
    ENCODER, "sorted_twice", stage="values",
    diagnosis="The rows are put back with the order that sorted them; that sorts them once more instead of undoing it.",
    next_step="Undo a permutation with its inverse: `order.argsort()`.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        lengths, order = lengths.sort(descending=True, stable=True)
        packed = pack_padded_sequence(self.embedding(src[order]), lengths, batch_first=True)
        outputs, (h, c) = self.lstm(packed)
        outputs = pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0]
        return outputs[order], (h[:, order], c[:, order])


@mistake(
    ENCODER, "lengths_from_the_pad_id", stage="values",
    diagnosis="The real words are counted by comparing with the pad id; lengths say what is real, whatever the ids are.",
    next_step="Use lengths, and nothing else, to tell words from padding.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.pad = pad
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        counted = (src != self.pad).sum(dim=1).clamp(min=1)
        packed = pack_padded_sequence(self.embedding(src), counted, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "pad_words_blanked", stage="values",
    diagnosis="Every pad id is turned into a zero vector, inside sentences too; within its length it is a word.",
    next_step="Look all ids up alike, and let lengths alone decide what counts.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.pad = pad
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        vectors = self.embedding(src) * (src != self.pad).unsqueeze(-1)
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "outputs_blanked_at_pad_words", stage="values",
    diagnosis="outputs are zeroed wherever the id is pad, inside sentences too.",
    next_step="Zero the columns from lengths[b] on, and no others.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.pad = pad
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        outputs = pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0]
        return outputs.masked_fill((src == self.pad).unsqueeze(-1), 0.0), state


@mistake(
    ENCODER, "time_first", stage=("values", "shape"),
    diagnosis="The LSTM takes the first axis for the time, and is given the batch there: words of different sentences "
    "are read as one.",
    next_step="Construct it with `batch_first=True`, or transpose before and after.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)

    def forward(self, src, lengths):
        outputs, state = self.lstm(self.embedding(src))
        real = torch.arange(src.shape[1]) < lengths[:, None]
        return outputs * real.unsqueeze(-1), state


@mistake(
    ENCODER, "outputs_time_first", stage=("shape", "values"),
    diagnosis="outputs come back as (S, B, H); asked for is (B, S, H).",
    next_step="Pass `batch_first=True` when you unpack, too.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "no_super", stage="raises",
    diagnosis="`super().__init__()` is missing: without it a module cannot hold other modules.",
    next_step="Call `super().__init__()` on the first line of `__init__`.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "other_names", stage="raises",
    diagnosis="There is no nn.Embedding under the name `embedding`.",
    next_step="Call the attributes `embedding` and `lstm`: others look for them there.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.rnn = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.emb(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.rnn(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "lstm_under_another_name", stage="raises",
    diagnosis="There is no nn.LSTM under the name `lstm`.",
    next_step="Call the attribute `lstm`: others look for it there.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.rnn = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.rnn(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "lstm_without_bias", stage="raises",
    diagnosis="The LSTM has no biases, or not under the names of nn.LSTM.",
    next_step="Leave `bias=False` out: the weights and biases of an nn.LSTM are set by their names.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True, bias=False)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "sizes_swapped", stage="raises",
    diagnosis="The sizes of the LSTM are swapped: it takes vectors of embedding_dim and keeps hidden_dim numbers.",
    next_step="`nn.LSTM(embedding_dim, hidden_dim, ...)`.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, hidden_dim, padding_idx=pad)
        self.lstm = nn.LSTM(hidden_dim, embedding_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "both_directions", stage="shape",
    diagnosis="The LSTM reads in both directions: outputs are twice as wide, and there are two states.",
    next_step="Leave `bidirectional=True` out.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True, bidirectional=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "no_pad_parameter", stage="raises",
    diagnosis="The constructor takes no `pad`.",
    next_step="Give it the signature of the stub: `pad=0` is the fourth parameter.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "padding_row_is_always_0", stage="values",
    diagnosis="`padding_idx=0` keeps row 0 from learning also when pad is another id and 0 is a word.",
    next_step="Pass `padding_idx=pad`.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=0)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "one_word_too_few", stage=("values", "raises"),
    diagnosis="The last real word is not read: lengths count words, they are no last index.",
    next_step="Pass lengths to the packing as they are.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        lengths = (lengths - 1).clamp(min=1)
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "longest_length_for_all", stage="values",
    diagnosis="Every row is read up to the longest length; each row ends at its own.",
    next_step="Use lengths[b] for row b.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        longest = int(lengths.max())
        outputs, state = self.lstm(self.embedding(src[:, :longest]))
        return F.pad(outputs, (0, 0, 0, src.shape[1] - longest)), state


@mistake(
    ENCODER, "state_without_first_axis", stage="shape",
    diagnosis="h and c come back as (B, H); asked for is (1, B, H), as nn.LSTM returns and takes them.",
    next_step="Hand the LSTM's state on as it is.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, (h, c) = self.lstm(packed)
        outputs = pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0]
        return outputs, (h[0], c[0])


@mistake(
    ENCODER, "only_the_state", stage="type",
    diagnosis="Only the state comes back; outputs are asked for as well.",
    next_step="Return `outputs, (h, c)`.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        return self.lstm(packed)[1]


@mistake(
    ENCODER, "only_h", stage="type",
    diagnosis="The state that comes back is h alone; an LSTM's state is the pair (h, c).",
    next_step="Return `outputs, (h, c)`.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, (h, _) = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], h


@mistake(
    ENCODER, "unpacking_result_returned_whole", stage="type",
    diagnosis="`pad_packed_sequence` returns outputs and lengths; both were handed on in place of outputs.",
    next_step="Take the first of the two.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1]), state


@mistake(
    ENCODER, "still_packed", stage="type",
    diagnosis="outputs are still packed.",
    next_step="Unpack them with `pad_packed_sequence`.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        return self.lstm(packed)


@mistake(
    ENCODER, "state_swapped", stage="values",
    diagnosis="The state comes back as (c, h); asked for is (h, c).",
    next_step="Hand the LSTM's state on as it is.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, (h, c) = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], (c, h)


@mistake(
    ENCODER, "src_filled_up", stage="property",
    diagnosis="What stands behind the sentences is overwritten in src, which belongs to the caller.",
    next_step="Change a clone, or nothing: packed sentences end at their lengths anyway.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.pad = pad
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        src[torch.arange(src.shape[1]) >= lengths[:, None]] = self.pad
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "state_detached", stage="property",
    diagnosis="h and c are detached: the decoder's loss does not reach the encoder by the state.",
    next_step="Leave `.detach()` out.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, (h, c) = self.lstm(packed)
        outputs = pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0]
        return outputs, (h.detach(), c.detach())


@mistake(
    ENCODER, "outputs_without_graph", stage="property",
    diagnosis="outputs are filled in without recording: no gradient comes back through them.",
    next_step="Do not use `.data` or `torch.no_grad()` on the way to outputs.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        outputs = pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0]
        return outputs.data, state


@mistake(
    ENCODER, "table_frozen", stage="property",
    diagnosis="The table does not learn: it was made without a gradient.",
    next_step="Use `nn.Embedding(...)` as it is, not frozen.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(torch.randn(vocab_size, embedding_dim), padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "view_of_src", stage="raises",
    diagnosis="`view` fails when src has gaps in memory.",
    next_step="Use `reshape`, or look src up as it is: an embedding takes ids of any shape.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        vectors = self.embedding(src.view(-1)).view(*src.shape, -1)
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "read_backwards", stage="values",
    diagnosis="The sentences are read from the end, an old trick for translation that nobody asked for here.",
    next_step="Read the words in the order in which they stand.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        place = torch.arange(src.shape[1]).expand_as(src)
        turned = src.gather(1, torch.where(place < lengths[:, None], lengths[:, None] - 1 - place, place))
        packed = pack_padded_sequence(self.embedding(turned), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@mistake(
    ENCODER, "state_kept_from_call_to_call", stage="values",
    diagnosis="The module keeps its last state, and the next sentences start from it instead of from zeros.",
    next_step="Call the LSTM without a state, and keep none.",
)  # fmt: skip
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


@mistake(
    ENCODER, "dropout", stage="values",
    diagnosis="In training mode a dropout layer changes the vectors; nobody asked for one.",
    next_step="Hand the vectors to the LSTM as they are.",
)  # fmt: skip
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.dropout = nn.Dropout(0.3)

    def forward(self, src, lengths):
        vectors = self.dropout(self.embedding(src))
        packed = pack_padded_sequence(vectors, lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


@right_form(ENCODER, "time_first")
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)

    def forward(self, src, lengths):
        vectors = self.embedding(src).transpose(0, 1)
        packed = pack_padded_sequence(vectors, lengths.tolist(), enforce_sorted=False)
        outputs, (h, c) = self.lstm(packed)
        outputs, _ = pad_packed_sequence(outputs, total_length=src.size(1))
        return outputs.transpose(0, 1), [h, c]


@right_form(ENCODER, "sorted_and_put_back")
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0, dropout=0.0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, pad)
        self.dropout = nn.Dropout(dropout)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, num_layers=1, batch_first=True)

    def forward(self, src, lengths, verbose=True):
        order = lengths.argsort(descending=True)
        back = torch.empty_like(order)
        back[order] = torch.arange(len(order))
        packed = pack_padded_sequence(self.dropout(self.embedding(src[order])), lengths[order].cpu(), batch_first=True)
        outputs, (h, c) = self.lstm(packed)
        outputs, lens = pad_packed_sequence(outputs, batch_first=True)
        missing = torch.zeros(len(src), src.shape[1] - outputs.shape[1], outputs.shape[2])
        print("lengths", lens)
        return torch.cat([outputs, missing], dim=1)[back], (h[:, back], c.index_select(1, back))


@right_form(ENCODER, "sentence_by_sentence")
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        rows, hs, cs = [], [], []
        for sentence, length in zip(src, lengths):
            out, (h, c) = self.lstm(self.embedding(sentence[: int(length)]))
            rows.append(F.pad(out, (0, 0, 0, src.shape[1] - int(length))))
            hs.append(h)
            cs.append(c)
        return torch.stack(rows), (torch.stack(hs, dim=1), torch.stack(cs, dim=1))


@right_form(ENCODER, "own_cell_and_a_mask")
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)
        self.hidden_dim = hidden_dim

    def forward(self, src, lengths):
        params = {name.removesuffix("_l0"): value for name, value in self.lstm.named_parameters()}
        h = c = torch.zeros(len(src), self.hidden_dim)
        outputs = []
        for column in range(src.shape[1]):
            new_h, new_c = lstm_cell(self.embedding(src[:, column]), (h, c), params)
            real = (column < lengths).unsqueeze(1)
            h, c = torch.where(real, new_h, h), torch.where(real, new_c, c)
            outputs.append(torch.where(real, new_h, torch.zeros_like(new_h)))
        return torch.stack(outputs, dim=1), (h[None], c[None])


@right_form(ENCODER, "list_of_packed_sentences")
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.pad = pad

    def forward(self, src, lengths):
        sentences = [self.embedding(row[:n]) for row, n in zip(src, lengths.tolist())]
        outputs, state = self.lstm(pack_sequence(sentences, enforce_sorted=False))
        padded, _ = pad_packed_sequence(outputs, batch_first=True, padding_value=0.0, total_length=src.shape[-1])
        return padded, state


@right_form(ENCODER, "word_by_word_in_the_module")
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        B, S = src.shape
        h = torch.zeros(1, B, self.lstm.hidden_size)
        c = torch.zeros_like(h)
        outputs = torch.zeros(B, S, self.lstm.hidden_size)
        for t in range(S):
            going = (lengths > t).nonzero().flatten()
            if len(going) == 0:
                break
            out, (new_h, new_c) = self.lstm(self.embedding(src[going, t : t + 1]), (h[:, going], c[:, going]))
            h, c = h.clone(), c.clone()
            h[:, going], c[:, going] = new_h, new_c
            outputs[going, t] = out[:, 0]
        return outputs, (h, c)


@right_form(ENCODER, "float64_inside_and_state_gathered")
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        hidden = self.lstm.hidden_size
        W, U = self.lstm.weight_ih_l0.double(), self.lstm.weight_hh_l0.double()
        b, d = self.lstm.bias_ih_l0.double(), self.lstm.bias_hh_l0.double()
        x = F.one_hot(src, self.embedding.num_embeddings).double() @ self.embedding.weight.double()
        h = c = torch.zeros(len(src), hidden, dtype=torch.float64)
        hs, cs = [], []
        for t in range(src.shape[1]):
            i, f, g, o = (x[:, t] @ W.T + h @ U.T + b + d).split(hidden, dim=1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            hs.append(h)
            cs.append(c)
        hs, cs = torch.stack(hs, 1).float(), torch.stack(cs, 1).float()
        last = (torch.arange(len(src)), lengths - 1)
        outputs = hs.masked_fill(torch.arange(src.shape[1])[None, :, None] >= lengths[:, None, None], 0)
        return outputs, (hs[last][None], cs[last][None])


survivor(ENCODER, "True → False", "A packed batch has a layout of its own: batch_first of the LSTM plays no part in it.")


@right_form(ENCODER, "sparse_table")
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad, sparse=True)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state
