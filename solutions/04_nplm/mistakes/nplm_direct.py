"""Wrong answers to the neural language model by name (direct and gradients), and unusual right ones."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form

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
    MODEL, "direct_has_a_bias", "plain", {", bias=False": ""}, stage="shape",
    diagnosis="The direct layer has a bias; it should have none, since output has one already.",
    next_step="Write `bias=False`.",
)

altered(
    MODEL, "direct_never_made", "plain",
    {"nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else ": ""},
    stage="shape",
    diagnosis="direct=True makes no direct layer.",
    next_step="Make a linear layer without bias, context * embedding_dim wide, `if direct`.",
)


@mistake(
    MODEL, "direct_is_the_flag", stage="shape",
    diagnosis="`direct` holds the flag, and the layer has another name.",
    next_step="The attribute `direct` is the layer itself, or None.",
)
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = direct
        self.skip = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None

    def forward(self, x):
        c = self.embedding(x).reshape(x.shape[0], -1)
        logits = self.output(torch.tanh(self.hidden(c)))
        return logits + self.skip(c) if self.direct else logits


@mistake(
    MODEL, "direct_not_used", stage="values",
    diagnosis="The direct layer is made and never called.",
    next_step="Add `self.direct(c)` to the logits when it is there.",
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
        logits = self.output(torch.tanh(self.hidden(c)))
        return logits


@mistake(
    MODEL, "direct_from_the_hidden_layer", stage="shape",
    diagnosis="The direct layer starts at the hidden layer; it should start at the concatenated vectors.",
    next_step="Its input is as wide as that of the hidden layer.",
)
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(hidden_dim, vocab_size, bias=False) if direct else None

    def forward(self, x):
        h = torch.tanh(self.hidden(self.embedding(x).reshape(x.shape[0], -1)))
        logits = self.output(h)
        return logits if self.direct is None else logits + self.direct(h)


altered(
    MODEL, "direct_inside_tanh", "plain", {"self.direct(c)": "torch.tanh(self.direct(c))"}, stage="values",
    diagnosis="The direct part goes through tanh; it should be added to the logits as it is.",
    next_step="Add `self.direct(c)` itself.",
)

altered(
    MODEL, "direct_replaces_the_logits", "plain", {"logits + ": ""}, stage="values",
    diagnosis="With direct=True only the direct part is returned.",
    next_step="Add it to the output layer's logits.",
)

altered(
    MODEL, "direct_of_another_order", "plain",
    {"direct(c)": "direct(self.embedding(x.flip(1)).flatten(1))"},
    stage="values",
    diagnosis="The direct part is computed from the words in another order than the hidden layer's.",
    next_step="Concatenate once, and use the result twice.",
)

altered(
    MODEL, "padding_row", "plain",
    {"(vocab_size, embedding_dim)": "(vocab_size, embedding_dim, padding_idx=0)"},
    stage="values",
    diagnosis="Row 0 of the table cannot learn: `padding_idx=0` keeps its gradient at zero. No id is special here.",
    next_step="Leave `padding_idx` out.",
)

altered(
    MODEL, "last_row_is_padding", "plain",
    {"(vocab_size, embedding_dim)": "(vocab_size, embedding_dim, padding_idx=-1)"},
    stage="values",
    diagnosis="The last row of the table cannot learn: `padding_idx` keeps its gradient at zero.",
    next_step="Leave `padding_idx` out.",
)

altered(
    MODEL, "frozen_table", "plain", {".reshape": ".detach().reshape"}, stage="property",
    diagnosis="The embedding is looked up without a graph, or frozen: the table cannot learn.",
    next_step="Leave `detach`, `.data` and `no_grad` out of forward.",
)

altered(
    MODEL, "scaled_by_frequency", "plain",
    {"(vocab_size, embedding_dim)": "(vocab_size, embedding_dim, scale_grad_by_freq=True)"},
    stage="values",
    diagnosis="Gradients of frequent words are divided by their count: `scale_grad_by_freq` is set.",
    next_step="Leave `scale_grad_by_freq` out: each use of a row adds its gradient.",
)

altered(
    MODEL, "direct_learns_alone", "plain", {"direct(c)": "direct(c.detach())"}, stage="values",
    diagnosis="The direct layer sees detached vectors: its part of the gradient does not reach the table.",
    next_step="Use the same `c` in both paths, without `detach`.",
)

altered(
    MODEL, "logits_without_a_graph", "plain", {"return logits": "return logits.detach()"}, stage="raises",
    diagnosis="The logits carry no graph: forward runs under `no_grad`, or ends in `detach`.",
    next_step="Whoever wants no graph says so outside of the model.",
)


altered(
    MODEL, "direct_always_made", "plain",
    {" if direct else None": "\n        self.is_direct = direct", "self.direct is not None": "self.is_direct"},
    stage="shape",
    diagnosis="The direct layer is made even where `direct` is False: weights that nothing uses, and that no gradient reaches.",
    next_step="`self.direct` is a layer where it is wanted, and None where it is not.",
)


@right_form(MODEL, "words_one_by_one")
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else False

    def forward(self, x):
        c = torch.cat([self.embedding(x[:, place]) for place in range(x.size(1))], dim=-1)
        logits = self.output(self.hidden(c).tanh())
        if self.direct:
            logits += self.direct(c)
        return logits


@right_form(MODEL, "one_hot_and_matmul")
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
        self.vocab_size = vocab_size

    def forward(self, x):
        vectors = F.one_hot(x, self.vocab_size).float() @ self.embedding.weight
        c = vectors.flatten(-2)
        h = torch.tanh(c @ self.hidden.weight.T + self.hidden.bias)
        logits = torch.addmm(self.output.bias, h, self.output.weight.T)
        return logits + c @ self.direct.weight.T if self.direct is not None else logits


@right_form(MODEL, "hidden_with_its_tanh")
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Sequential(nn.Linear(context * embedding_dim, hidden_dim), nn.Tanh())
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None

    def forward(self, x):
        c = self.embedding(x).view(len(x), -1)
        logits = self.output(self.hidden(c))
        return logits if not self.direct else self.direct(c) + logits


@right_form(MODEL, "loop_over_rows_and_options")
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False, dropout=0.0):
        super().__init__()
        self.context, self.width = context, embedding_dim
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        nn.init.normal_(self.embedding.weight, std=0.02)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.drop = nn.Dropout(dropout)
        self.direct = None
        if direct:
            self.direct = nn.Linear(self.context * self.width, vocab_size, bias=False)

    def forward(self, x):
        print("forward", x.shape)
        rows = []
        for ids in x:
            c = torch.concat([self.embedding.weight[i] for i in ids])
            row = self.output(self.drop(2 * torch.sigmoid(2 * self.hidden(c)) - 1))
            rows.append(row if self.direct is None else row + self.direct(c))
        return torch.stack(rows)


@right_form(MODEL, "slices_of_the_hidden_weight")
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = None
        if direct:
            self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False)

    def forward(self, x):
        e = self.embedding(x)
        B, C, d = e.shape
        weight = self.hidden.weight.view(-1, C, d)
        h = torch.einsum("bcd,hcd->bh", e, weight) + self.hidden.bias
        logits = F.linear(torch.tanh(h), self.output.weight, self.output.bias)
        if self.direct is not None:
            logits = logits + torch.einsum("bcd,vcd->bv", e, self.direct.weight.view(-1, C, d))
        return logits


@right_form(MODEL, "forward_in_a_helper")
class NPLM(nn.Module):
    """With a helper."""

    def _vectors(self, x):
        return F.embedding(x, self.embedding.weight).flatten(1)

    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else None
        self.act = nn.Tanh()

    def forward(self, x):
        c = self._vectors(x)
        logits = self.output(self.act(self.hidden(c)))
        return logits if self.direct is None else logits.add(self.direct(c))


@right_form(MODEL, "sparse_table")
class NPLM(nn.Module):
    def __init__(self, vocab_size, context, embedding_dim, hidden_dim, direct=False):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, sparse=True)
        self.hidden = nn.Linear(context * embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.direct = nn.Linear(context * embedding_dim, vocab_size, bias=False) if direct else False

    def forward(self, x):
        c = torch.cat(self.embedding(x).unbind(dim=1), dim=-1)
        logits = self.output(self.hidden(c).tanh())
        return logits + self.direct(c) if self.direct else logits
