"""Wrong answers to the neural language model by name (forward)."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake

MODEL = "04.NPLM"


@base("plain")
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


altered(
    MODEL, "no_tanh", "plain", {"output(torch.tanh(self.hidden(c)))": "output(self.hidden(c))"}, stage="values",
    diagnosis="There is no tanh: two linear layers in a row are one linear layer.",
    next_step="Put `torch.tanh` around the hidden layer's result.",
)

altered(
    MODEL, "relu", "plain", {"tanh": "relu"}, stage="values",
    diagnosis="The hidden layer goes through ReLU; asked for is tanh.",
    next_step="Use `torch.tanh`.",
)

altered(
    MODEL, "sigmoid", "plain", {"tanh": "sigmoid"}, stage="values",
    diagnosis="The hidden layer goes through a sigmoid; asked for is tanh.",
    next_step="Use `torch.tanh`.",
)

altered(
    MODEL, "tanh_around_the_logits", "plain",
    {"logits = self.output(torch.tanh(self.hidden(c)))": "logits = torch.tanh(self.output(self.hidden(c)))"},
    stage="values",
    diagnosis="tanh stands around the logits: they cannot leave the range from -1 to 1.",
    next_step="tanh belongs between the two linear layers.",
)

altered(
    MODEL, "tanh_before_the_hidden_layer", "plain",
    {"self.output(torch.tanh(self.hidden(c)))": "self.output(self.hidden(torch.tanh(c)))"},
    stage="values",
    diagnosis="tanh stands before the hidden layer; it belongs behind it.",
    next_step="The order is embedding, concatenation, linear, tanh, linear.",
)

altered(
    MODEL, "probabilities", "plain", {"return logits": "return torch.softmax(logits, dim=1)"}, stage="values",
    diagnosis="These are probabilities; asked for are logits. The cross-entropy would take a softmax of a softmax.",
    next_step="Return what the output layer gives.",
)

altered(
    MODEL, "log_probabilities", "plain", {"return logits": "return F.log_softmax(logits, dim=1)"}, stage="values",
    diagnosis="These are log-probabilities; asked for are logits.",
    next_step="Return what the output layer gives.",
)

altered(
    MODEL, "words_interleaved", "plain", {".reshape": ".transpose(1, 2).reshape"}, stage="values",
    diagnosis="The concatenation is interleaved: first number of each word, then the second, and so on.",
    next_step="Flatten (B, C, d) as it is; a transpose before it changes the order of the numbers.",
)

altered(
    MODEL, "rows_mixed", "plain", {"embedding(x).": "embedding(x.T)."}, stage="values",
    diagnosis="The words of different rows are mixed: the batch axis was moved before the reshape.",
    next_step="Keep the batch axis first: `embedding(x)` is (B, C, d), and only its last two axes are merged.",
)

altered(
    MODEL, "newest_word_first", "plain", {"embedding(x).": "embedding(x.flip(1))."}, stage="values",
    diagnosis="The words are concatenated backwards, the newest one first.",
    next_step="Keep them in the order of x's columns.",
)

altered(
    MODEL, "one_row_loses_its_axis", "plain", {"return logits": "return logits.squeeze()"}, stage="shape",
    diagnosis="`squeeze` removes the batch axis of a single row: (V,) instead of (1, V).",
    next_step="Leave `squeeze` out.",
)

altered(
    MODEL, "the_whole_batch_as_one_row", "plain", {".reshape(x.shape[0], -1)": ".flatten()"}, stage="raises",
    diagnosis="The whole batch is flattened into one row.",
    next_step="Keep the batch axis: `reshape(x.shape[0], -1)` or `flatten(start_dim=1)`.",
)

altered(
    MODEL, "dropout", "plain",
    {
        "\n\n": "\n        self.dropout = nn.Dropout(0.5)\n\n",
        ".output(torch.tanh(self.hidden(c)))": ".output(self.dropout(torch.tanh(self.hidden(c))))",
    },
    stage="values",
    diagnosis="Half of the hidden numbers are dropped in training; no dropout was asked for.",
    next_step="Leave the dropout out, or give it a parameter whose default is 0.",
)

altered(
    MODEL, "clipped_table", "plain",
    {"(vocab_size, embedding_dim)": "(vocab_size, embedding_dim, max_norm=1.0)"},
    stage="values",
    diagnosis="Vectors longer than 1 are clipped at each lookup: `max_norm` is set.",
    next_step="Leave `max_norm` out.",
)

altered(
    MODEL, "unit_vectors", "plain", {"self.embedding(x)": "F.normalize(self.embedding(x), dim=-1)"}, stage="values",
    diagnosis="Each word's vector is brought to length 1 before the hidden layer.",
    next_step="Use the rows of the table as they are.",
)

altered(
    MODEL, "scaled_by_the_width", "plain",
    {
        "\n\n": "\n        self.scale = math.sqrt(embedding_dim)\n\n",
        "(x.shape[0], -1)": "(x.shape[0], -1) * self.scale",
    },
    stage="values",
    diagnosis="The vectors are multiplied by the root of their width, as Transformers do; here they are used as they are.",
    next_step="Leave the factor out.",
)


@mistake(
    MODEL, "tanh_by_hand", stage="not finite",
    diagnosis="tanh is computed from exp, which overflows: inf / inf is nan.",
    next_step="Use `torch.tanh`, which is finite everywhere.",
)
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None

    def forward(self, x):
        c = self.embedding(x).reshape(x.shape[0], -1)
        h = self.hidden(c)
        h = (h.exp() - (-h).exp()) / (h.exp() + (-h).exp())
        logits = self.output(h)
        if self.direct is not None:
            logits = logits + self.direct(c)
        return logits


altered(
    MODEL, "view_of_x", "plain", {"x).reshape(": "x.view(-1)).view("}, stage="raises",
    diagnosis="`x.view(-1)` fails when x has gaps in memory.",
    next_step="Pass x to the embedding as it is: ids of any shape are welcome.",
)


@mistake(
    MODEL, "batch_size_kept", stage=("raises", "shape"),
    diagnosis="The size of the first batch is kept and used for the next one.",
    next_step="Take the number of rows from x in each call.",
)
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
        self.rows = None

    def forward(self, x):
        self.rows = self.rows or x.shape[0]
        c = self.embedding(x).reshape(self.rows, -1)
        logits = self.output(torch.tanh(self.hidden(c)))
        if self.direct is not None:
            logits = logits + self.direct(c)
        return logits


altered(
    MODEL, "id_0_masked", "plain", {"self.embedding(x)": "(self.embedding(x) * (x != 0)[..., None])"}, stage="values",
    diagnosis="Word 0 is treated as padding: its vector is set to zero. No id is special here.",
    next_step="Leave the mask out.",
)
