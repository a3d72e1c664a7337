"""Wrong answers to the neural language model by name (layers)."""

import torch
import torch.nn as nn

from grader.course_source.catalogue import altered, base, mistake

MODEL = "04.NPLM"


@mistake(
    MODEL, "averages_the_words", stage="shape",
    diagnosis="The hidden layer takes one vector: the words of a row are averaged or summed, so their order is lost.",
    next_step="Concatenate: the input of the hidden layer is context * embedding_dim wide.",
)
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(embedding_dim, vocab_size, bias=False) if direct else None

    def forward(self, x):
        c = self.embedding(x).mean(dim=1)
        logits = self.output(torch.tanh(self.hidden(c)))
        if self.direct is not None:
            logits = logits + self.direct(c)
        return logits


@mistake(
    MODEL, "other_names", stage="shape",
    diagnosis="The layers have names of their own; the attributes are called embedding, hidden, output and direct.",
    next_step="Rename the attributes: others read and set them.",
)
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
    MODEL, "super_missing", "plain", {"\n        super().__init__()\n": "\n"}, stage="raises",
    diagnosis="`super().__init__()` is missing: a module cannot hold layers before it has been set up.",
    next_step="Call `super().__init__()` first.",
)

altered(
    MODEL, "no_output_bias", "plain",
    {"(hidden_dim, vocab_size)": "(hidden_dim, vocab_size, bias=False)"},
    stage="shape",
    diagnosis="The output layer has no bias: 38 parameters instead of 45 for sizes 7, 2, 2, 2.",
    next_step="Only `direct` goes without a bias.",
)

altered(
    MODEL, "no_hidden_bias", "plain",
    {"(context * embedding_dim, hidden_dim)": "(context * embedding_dim, hidden_dim, bias=False)"},
    stage="shape",
    diagnosis="The hidden layer has no bias: 43 parameters instead of 45 for sizes 7, 2, 2, 2.",
    next_step="Only `direct` goes without a bias.",
)

altered(
    MODEL, "always_direct", "plain", {" if direct else None": ""}, stage="shape",
    diagnosis="The direct layer is always there, whatever `direct` says.",
    next_step="Make the layer only `if direct`, and set the attribute to None otherwise.",
)

altered(
    MODEL, "direct_by_default", "plain",
    {", context, embedding_dim, hidden_dim, direct=False):": ", context, embedding_dim, hidden_dim, direct=True):"},
    stage="shape",
    diagnosis="`direct` is on unless somebody says otherwise; its default is False.",
    next_step="Write `direct=False` in the signature.",
)


@mistake(
    MODEL, "direct_missing_when_off", stage="shape",
    diagnosis="Without the direct layer the attribute `direct` does not exist; it should be None or False then.",
    next_step="Set `self.direct = None` in the other branch.",
)
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        if direct:
            self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False)

    def forward(self, x):
        c = self.embedding(x).reshape(x.shape[0], -1)
        logits = self.output(torch.tanh(self.hidden(c)))
        if hasattr(self, "direct"):
            logits = logits + self.direct(c)
        return logits


altered(
    MODEL, "direct_is_a_bias_when_off", "plain",
    {"else None": "else nn.Identity()", "self.direct is not None": "isinstance(self.direct, nn.Linear)"},
    stage="shape",
    diagnosis="Without the direct layer the attribute `direct` is another module; it should be None or False then.",
    next_step="Set it to None, and ask `if self.direct is not None` in forward.",
)

altered(
    MODEL, "context_and_width_swapped", "plain", {"context, embedding_dim": "embedding_dim, context"}, stage="shape",
    diagnosis="The second parameter is taken for the width of the embedding; it is the context.",
    next_step="The order is vocab_size, context, embedding_dim, hidden_dim.",
)

altered(
    MODEL, "widths_swapped", "plain", {"embedding_dim, hidden_dim,": "hidden_dim, embedding_dim,"}, stage="shape",
    diagnosis="The width of the embedding and that of the hidden layer are exchanged.",
    next_step="The order is vocab_size, context, embedding_dim, hidden_dim.",
)

altered(
    MODEL, "two_hidden_layers", "plain",
    {
        "\n\n": "\n        self.hidden2 = nn.Linear(hidden_dim, hidden_dim)\n\n",
        ".hidden(c)": ".hidden2(torch.tanh(self.hidden(c)))",
    },
    stage="values",
    diagnosis="There are more parameters than 45 for sizes 7, 2, 2, 2: a second hidden layer learns too.",
    next_step="One hidden layer only: embedding, linear, tanh, linear.",
)

altered(
    MODEL, "normalised_hidden", "plain",
    {"\n\n": "\n        self.norm = nn.LayerNorm(hidden_dim)\n\n", ".hidden(c)": ".norm(self.hidden(c))"},
    stage="values",
    diagnosis="There are more parameters than 45 for sizes 7, 2, 2, 2: a normalisation layer learns too.",
    next_step="The hidden layer's result goes through tanh, and nothing else.",
)


@mistake(
    MODEL, "a_table_for_each_place", stage="values",
    diagnosis="Every position of the context has a table of its own: a word learned at one position is unknown at the next.",
    next_step="One table for all places: `self.embedding(x)` takes ids of shape (B, C).",
)
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.tables = nn.ModuleList([nn.Embedding(vocab_size, embedding_dim) for _ in range(context)])
        self.embedding = self.tables[0]
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None

    def forward(self, x):
        c = torch.cat([table(x[:, i]) for i, table in enumerate(self.tables)], dim=1)
        logits = self.output(torch.tanh(self.hidden(c)))
        if self.direct is not None:
            logits = logits + self.direct(c)
        return logits


@mistake(
    MODEL, "parameters_renamed", stage="raises",
    diagnosis="The constructor's parameters have other names, so `NPLM(vocab_size=7, ...)` fails.",
    next_step="Keep the names of the stub: vocab_size, context, embedding_dim, hidden_dim, direct.",
)
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
