"""The encoder: wrong answers about its layers, axes and results, by name."""

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from grader.course_source.catalogue import altered, base, mistake

ENCODER = "05.Encoder"


@mistake(
    ENCODER, "time_first", stage=("values", "shape"),
    diagnosis="The LSTM takes the first axis for the time, and is given the batch there: words of different sentences "
    "are read as one.",
    next_step="Construct it with `batch_first=True`, or transpose before and after.",
)
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)

    def forward(self, src, lengths):
        outputs, state = self.lstm(self.embedding(src))
        real = torch.arange(src.shape[1]) < lengths[:, None]
        return outputs * real.unsqueeze(-1), state


@base("plain")
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


altered(
    ENCODER, "outputs_time_first", "plain",
    {"batch_first=True, total_length": "total_length"},
    stage=("shape", "values"),
    diagnosis="outputs come back as (S, B, H); asked for is (B, S, H).",
    next_step="Pass `batch_first=True` when you unpack, too.",
)

altered(
    ENCODER, "packing_alone_time_first", "plain",
    {"lengths, batch_first=True, enforce_sorted=False": "lengths, enforce_sorted=False"},
    stage="raises",
    diagnosis="`pack_padded_sequence` is called without `batch_first=True`: it takes the first axis, the sentences, for the "
    "time.",
    next_step="Pass `batch_first=True` when you pack, too.",
)

altered(
    ENCODER, "no_super", "plain", {"\n        super().__init__()\n": "\n"}, stage="raises",
    diagnosis="`super().__init__()` is missing: without it a module cannot hold other modules.",
    next_step="Call `super().__init__()` on the first line of `__init__`.",
)


@mistake(
    ENCODER, "other_names", stage="raises",
    diagnosis="There is no nn.Embedding under the name `embedding`.",
    next_step="Call the attributes `embedding` and `lstm`: others look for them there.",
)
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.rnn = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.emb(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.rnn(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


altered(
    ENCODER, "lstm_under_another_name", "plain",
    {".lstm ": ".rnn ", "self.lstm(packed)": "self.rnn(packed)"},
    stage="raises",
    diagnosis="There is no nn.LSTM under the name `lstm`.",
    next_step="Call the attribute `lstm`: others look for it there.",
)

altered(
    ENCODER, "lstm_without_bias", "plain",
    {"(embedding_dim, hidden_dim, batch_first=True)": "(embedding_dim, hidden_dim, batch_first=True, bias=False)"},
    stage="raises",
    diagnosis="The LSTM has no biases, or not under the names of nn.LSTM.",
    next_step="Leave `bias=False` out: the weights and biases of an nn.LSTM are set by their names.",
)


@mistake(
    ENCODER, "sizes_swapped", stage="raises",
    diagnosis="The sizes of the LSTM are swapped: it takes vectors of embedding_dim and keeps hidden_dim numbers.",
    next_step="`nn.LSTM(embedding_dim, hidden_dim, ...)`.",
)
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, hidden_dim, padding_idx=pad)
        self.lstm = nn.LSTM(hidden_dim, embedding_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


altered(
    ENCODER, "both_directions", "plain",
    {
        "(embedding_dim, hidden_dim, batch_first=True)":
            "(embedding_dim, hidden_dim, batch_first=True, bidirectional=True)",
    },
    stage="shape",
    diagnosis="The LSTM reads in both directions: outputs are twice as wide, and there are two states.",
    next_step="Leave `bidirectional=True` out.",
)

altered(
    ENCODER, "no_pad_parameter", "plain", {", pad=0": "", ", padding_idx=pad": ""}, stage="raises",
    diagnosis="The constructor takes no `pad`.",
    next_step="Give it the signature of the stub: `pad=0` is the fourth parameter.",
)


@mistake(
    ENCODER, "state_without_first_axis", stage="shape",
    diagnosis="h and c come back as (B, H); asked for is (1, B, H), as nn.LSTM returns and takes them.",
    next_step="Hand the LSTM's state on as it is.",
)
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
)
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
)
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, (h, _) = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], h


altered(
    ENCODER, "unpacking_result_returned_whole", "plain",
    {"True, total_length=src.shape[1])[0], state": "True, total_length=src.shape[1]), state"},
    stage="type",
    diagnosis="`pad_packed_sequence` returns outputs and lengths; both were handed on in place of outputs.",
    next_step="Take the first of the two.",
)


@mistake(
    ENCODER, "still_packed", stage="type",
    diagnosis="outputs are still packed.",
    next_step="Unpack them with `pad_packed_sequence`.",
)
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
)
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
    ENCODER, "state_detached", stage="property",
    diagnosis="h and c are detached: the decoder's loss does not reach the encoder by the state.",
    next_step="Leave `.detach()` out.",
)
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
)
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


altered(
    ENCODER, "table_frozen", "plain",
    {
        "= nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)":
            "= nn.Embedding.from_pretrained(torch.randn(vocab_size, embedding_dim), padding_idx=pad)",
    },
    stage="property",
    diagnosis="The table does not learn: it was made without a gradient.",
    next_step="Use `nn.Embedding(...)` as it is, not frozen.",
)


@mistake(
    ENCODER, "view_of_src", stage="raises",
    diagnosis="`view` fails when src has gaps in memory.",
    next_step="Use `reshape`, or look src up as it is: an embedding takes ids of any shape.",
)
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
    diagnosis="The sentences are read from the end, an old method in translation that nobody asked for here.",
    next_step="Read the words in the order in which they stand.",
)
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
)
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
)
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


altered(
    ENCODER, "vectors_shortened", "plain",
    {"(vocab_size, embedding_dim, padding_idx=pad)": "(vocab_size, embedding_dim, padding_idx=pad, max_norm=10.0)"},
    stage="values",
    diagnosis="Long vectors of the table are shortened at each lookup: `max_norm` is set.",
    next_step="Leave `max_norm` out.",
)


@mistake(
    ENCODER, "time_first_padding_read", stage="values",
    diagnosis="Without `batch_first=True` the LSTM takes the first axis, the sentences, for the time; and padding is read as "
    "words.",
    next_step="Say `batch_first=True`, then let each sentence end at its length (`pack_padded_sequence`).",
)
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)

    def forward(self, src, lengths):
        return self.lstm(self.embedding(src))


@mistake(
    ENCODER, "packed_time_first", stage="raises",
    diagnosis="Packing takes the first axis, the sentences, for the time: there are not as many lengths as sentences then.",
    next_step="Say `batch_first=True` to the LSTM, to `pack_padded_sequence` and to `pad_packed_sequence`.",
)
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, total_length=src.shape[1])[0], state
