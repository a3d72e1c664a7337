"""Wrong answers about learned positions by name, and unusual right ones."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake, right_form, survivor

LEARNED = "06.LearnedPositions"


@base("plain")
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, d))

    def forward(self, x):
        if x.shape[1] > len(self.table):
            raise ValueError("too long")
        return x + self.table[: x.shape[1]]


altered(
    LEARNED, "whole_table", "plain", {"len(self.table)": "self.table.shape[0]", "[: x.shape[1]]": ""}, stage="raises",
    diagnosis="The whole table is added, whatever the length: it fits only sentences of max_length words.",
    next_step="Take the first T rows: T is `x.shape[1]`.",
)

altered(
    LEARNED, "rows_counted_by_the_batch", "plain", {"[: x.shape[1]]": "[: len(x)]"}, stage=("raises", "values"),
    diagnosis="The rows are counted by the first axis, the batch; positions run along the second.",
    next_step="x is (B, T, d): T is `x.shape[1]`.",
)


@mistake(
    LEARNED, "a_row_for_each_sentence", stage="values",
    diagnosis="Sentence b gets row b at all of its positions; position t of every sentence should get row t.",
    next_step="(T, d) broadcasts against (B, T, d) by itself; `unsqueeze(1)` turns it by one axis.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, d))

    def forward(self, x):
        if x.shape[1] > len(self.table):
            raise ValueError("too long")
        rows = torch.arange(len(x)) % len(self.table)
        return x + self.table[rows].unsqueeze(1)


altered(
    LEARNED, "last_rows", "plain", {": x.shape[1]": "-x.shape[1] :"}, stage="values",
    diagnosis="The last T rows of the table are added; position 0 belongs to row 0.",
    next_step="Slice from the front: `[:T]`, not `[-T:]`.",
)


@mistake(
    LEARNED, "positions_start_at_1", stage=("values", "raises"),
    diagnosis="Position 0 gets row 1: rows are counted from 1.",
    next_step="Use the rows 0 to T - 1.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, d))

    def forward(self, x):
        length = x.shape[1]
        if length > len(self.table):
            raise ValueError("too long")
        return x + self.table[1 : length + 1]


altered(
    LEARNED, "positions_alone", "plain", {"x + self": "self"}, stage="shape",
    diagnosis="Only the position vectors come back; they should be added to x.",
    next_step="Return `x + ...`.",
)

altered(
    LEARNED, "positions_alone_for_each_sentence", "plain",
    {"x + self.table[: x.shape[1]]": "self.table[: x.shape[1]].expand_as(x)"},
    stage="values",
    diagnosis="The position vectors come back without x; they should be added to it.",
    next_step="Return `x + ...`.",
)

altered(
    LEARNED, "concatenated", "plain",
    {"x + self.table[: x.shape[1]]": "torch.cat([x, self.table[: x.shape[1]].expand_as(x)], dim=-1)"},
    stage="shape",
    diagnosis="The positions stand beside x, which makes the vectors twice as wide; they should be added.",
    next_step="Use `+` instead of `torch.cat`: the width stays d.",
)

altered(
    LEARNED, "multiplied", "plain", {"x + self": "x * self"}, stage="values",
    diagnosis="The positions are multiplied with x; they should be added.",
    next_step="Use `+`.",
)


@mistake(
    LEARNED, "x_scaled", stage="values",
    diagnosis="x is multiplied by √d before the sum, as one variant of the Transformer does; the plain sum was asked for.",
    next_step="Leave the factor out.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.d = d
        self.table = nn.Parameter(torch.randn(max_length, d))

    def forward(self, x):
        if x.shape[1] > len(self.table):
            raise ValueError("too long")
        return x * self.d**0.5 + self.table[: x.shape[1]]


altered(
    LEARNED, "normalised", "plain",
    {
        "\n\n": "\n        self.norm = nn.LayerNorm(d)\n\n",
        "x + self.table[: x.shape[1]]": "self.norm(x + self.table[: x.shape[1]])",
    },
    stage="property",
    diagnosis="A layer norm follows the sum, with parameters of its own; the plain sum and one table were asked for.",
    next_step="Leave the norm to the model that uses this layer.",
)


@mistake(
    LEARNED, "written_into_x", stage="property",
    diagnosis="`x += ...` writes into the caller's tensor, and breaks the backward pass of a leaf.",
    next_step="Return `x + ...`, a new tensor.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, d))

    def forward(self, x):
        if x.shape[1] > len(self.table):
            raise ValueError("too long")
        x += self.table[: x.shape[1]]
        return x


altered(
    LEARNED, "no_parameter", "plain",
    {
        "self.table = nn.Parameter(torch.randn(max_length, d))":
            'self.register_buffer("table", torch.randn(max_length, d))',
    },
    stage="property",
    diagnosis="The table is a plain tensor, a buffer or hidden in a Python list: the optimizer does not get it.",
    next_step="Wrap it, `nn.Parameter(...)`, and store it on self as an attribute of its own.",
)


@mistake(
    LEARNED, "a_parameter_for_each_row", stage="property",
    diagnosis="Every position has a parameter of its own; asked for is one table of shape (max_length, d).",
    next_step="One `nn.Parameter` holds all rows.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.rows = nn.ParameterList([nn.Parameter(torch.randn(d)) for _ in range(max_length)])

    def forward(self, x):
        if x.shape[1] > len(self.rows):
            raise ValueError("too long")
        return x + torch.stack(list(self.rows)[: x.shape[1]])


@mistake(
    LEARNED, "table_with_batch_axis", stage="property",
    diagnosis="The table has an axis too many in front: (1, max_length, d).",
    next_step="Broadcasting needs no axis of length 1: make the table (max_length, d).",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.randn(1, max_length, d))

    def forward(self, x):
        if x.shape[1] > self.table.shape[1]:
            raise ValueError("too long")
        return x + self.table[:, : x.shape[1]]


@mistake(
    LEARNED, "table_on_its_side", stage="property",
    diagnosis="The table has the shape (d, max_length): rows and columns are swapped.",
    next_step="A position is a row: (max_length, d).",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.randn(d, max_length))

    def forward(self, x):
        if x.shape[1] > self.table.shape[1]:
            raise ValueError("too long")
        return x + self.table.T[: x.shape[1]]


@mistake(
    LEARNED, "one_row_more", stage="property",
    diagnosis="The table has a row too many, as if a padding row or an end were needed.",
    next_step="max_length positions need max_length rows.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Embedding(max_length + 1, d)

    def forward(self, x):
        if x.shape[1] >= self.table.num_embeddings:
            raise ValueError("too long")
        return x + self.table(torch.arange(x.shape[1]))


altered(
    LEARNED, "starts_at_zero", "plain", {"randn": "zeros"}, stage="property",
    diagnosis="The new table holds only zeros: before the first step all positions look alike.",
    next_step="Draw small random numbers, for example `0.02 * torch.randn(max_length, d)`.",
)

altered(
    LEARNED, "other_parameter_names", "plain",
    {" max_length, d": " length, width", "(max_length, d)": "(length, width)"},
    stage="raises",
    diagnosis="The constructor's parameters have other names: LearnedPositions(max_length=5, d=3) fails.",
    next_step="Keep the names of the stub, max_length and d.",
)


@right_form(LEARNED, "starts_alike")
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.ones(max_length, d))

    def forward(self, x):
        if x.shape[1] > len(self.table):
            raise ValueError("too long")
        return x + self.table[: x.shape[1]]


@mistake(
    LEARNED, "rows_of_the_first_call", stage="raises",
    diagnosis="The rows are sliced in the first call and kept: longer sentences do not fit them, and training is not seen.",
    next_step="Slice the parameter in every call.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, d))
        self.rows = None

    def forward(self, x):
        if x.shape[1] > len(self.table):
            raise ValueError("too long")
        if self.rows is None:
            self.rows = self.table[: x.shape[1]]
        return x + self.rows


altered(
    LEARNED, "dropout", "plain",
    {
        "\n\n": "\n        self.dropout = nn.Dropout(0.1)\n\n",
        "x + self.table[: x.shape[1]]": "self.dropout(x + self.table[: x.shape[1]])",
    },
    stage="values",
    diagnosis="In training mode a dropout layer changes the sum; nobody asked for one.",
    next_step="Return the plain sum.",
)


@mistake(
    LEARNED, "padding_idx_0", stage="values",
    diagnosis="`padding_idx=0` switches off the gradient of row 0: position 0 never learns.",
    next_step="Leave padding_idx out: position 0 is a position like any other.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Embedding(max_length, d, padding_idx=0)

    def forward(self, x):
        if x.shape[1] > self.table.num_embeddings:
            raise ValueError("too long")
        return x + self.table(torch.arange(x.shape[1]))


altered(
    LEARNED, "table_cut_off", "plain",
    {"x + self.table[: x.shape[": "x + self.table.data[: x.shape["},
    stage="property",
    diagnosis="The table never learns: `.data`, `detach` or `requires_grad=False` cuts it off from the gradient.",
    next_step="Use the parameter itself, and let it require a gradient.",
)

altered(
    LEARNED, "x_cut_off", "plain", {"return x +": "return x.detach() +"}, stage="property",
    diagnosis="No gradient reaches x: it was detached on the way.",
    next_step="Leave `.detach()`, `.data` and `torch.tensor(...)` out.",
)


@mistake(
    LEARNED, "copy_made_at_the_start", stage="values",
    diagnosis="The forward pass adds a copy that was made when the module was built: training the parameter changes nothing.",
    next_step="Slice the parameter itself in forward.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.linspace(-1, 1, max_length * d).view(max_length, d))
        self.register_buffer("rows", self.table.detach().clone())

    def forward(self, x):
        if x.shape[1] > len(self.table):
            raise ValueError("too long")
        return x + self.rows[: x.shape[1]]


@mistake(
    LEARNED, "no_check_of_the_length", stage="raises",
    diagnosis="Too long a sentence gives a RuntimeError about sizes; a ValueError was asked for.",
    next_step="Compare T with the rows of the table first, and raise a ValueError that says so.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, d))

    def forward(self, x):
        return x + self.table[: x.shape[1]]


@mistake(
    LEARNED, "index_error", stage="raises",
    diagnosis="Too long a sentence gives the IndexError of a lookup; a ValueError was asked for.",
    next_step="Compare T with the rows of the table first, and raise a ValueError that says so.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Embedding(max_length, d)

    def forward(self, x):
        return x + self.table(torch.arange(x.shape[1]))


@mistake(
    LEARNED, "assertion", stage="raises",
    diagnosis="`assert` raises an AssertionError, and nothing at all under `python -O`; a ValueError was asked for.",
    next_step="`if ...: raise ValueError(...)`.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, d))

    def forward(self, x):
        assert x.shape[1] <= len(self.table)
        return x + self.table[: x.shape[1]]


altered(
    LEARNED, "refuses_the_longest", "plain", {"> len": ">= len"}, stage="raises",
    diagnosis="A sentence of exactly max_length words is refused; it has a row for each word.",
    next_step="Refuse T > max_length, not T >= max_length.",
)

altered(
    LEARNED, "checks_the_batch", "plain", {"x.shape[1] ": "len(x) "}, stage="raises",
    diagnosis="The number of sentences is compared with max_length; it is the number of positions that matters.",
    next_step="x is (B, T, d): compare `x.shape[1]`.",
)


@mistake(
    LEARNED, "begins_again", stage="property",
    diagnosis="Beyond the table the positions start again at row 0; a ValueError was asked for.",
    next_step="Leave the `%` out and refuse what is too long.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, d))

    def forward(self, x):
        return x + self.table[torch.arange(x.shape[1]) % len(self.table)]


@mistake(
    LEARNED, "cut_to_the_table", stage="property",
    diagnosis="Too long a sentence is cut to max_length words without a word; a ValueError was asked for.",
    next_step="Raise a ValueError when T > max_length.",
)
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, d))

    def forward(self, x):
        rows = self.table[: x.shape[1]]
        return x[:, : len(rows)] + rows


altered(
    LEARNED, "always_float32", "plain",
    {"x + self.table[: x.shape[1]]": "(x + self.table[: x.shape[1]]).float()"},
    stage=("dtype", "property"),
    diagnosis="The result is float32 whatever x is.",
    next_step="Leave `.float()` out.",
)


@right_form(LEARNED, "an_embedding")
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.max_length = max_length
        self.position_embeddings = nn.Embedding(max_length, d)

    def forward(self, x):
        B, T, d = x.shape
        if T > self.max_length:
            raise ValueError(f"sequence of {T} positions is longer than {self.max_length}")
        return x + self.position_embeddings(torch.arange(T, device=x.device).expand(B, T))


@right_form(LEARNED, "with_a_buffer_of_positions")
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d, std=0.02):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(max_length, d))
        nn.init.normal_(self.weight, std=std)
        self.register_buffer("ids", torch.arange(max_length))

    def forward(self, x, extra=None):
        if x.size(1) > self.weight.size(0):
            raise ValueError
        print("adding positions")
        return torch.add(x, F.embedding(self.ids[: x.size(1)], self.weight))


@right_form(LEARNED, "one_position_at_a_time")
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.p = nn.Parameter(torch.rand(max_length, d))

    def forward(self, x):
        if x.shape[1] > self.p.shape[0]:
            raise ValueError("too many positions")
        return torch.stack([x[:, t] + self.p[t] for t in range(x.shape[1])], dim=1)


@right_form(LEARNED, "one_hot_times_weight")
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.linear = nn.Linear(d, max_length, bias=False)

    def forward(self, x):
        table = self.linear.weight
        if x.shape[1] > table.shape[0]:
            raise ValueError("too long")
        choose = torch.eye(x.shape[1], table.shape[0], dtype=x.dtype)
        return x + choose @ table


@right_form(LEARNED, "its_own_kind_of_value_error")
class LearnedPositions(nn.Module):
    class TooLong(ValueError):
        pass

    def __init__(self, max_length, d):
        super().__init__()
        self.positions = nn.Embedding(max_length, d, sparse=True)
        self.dropout = nn.Dropout(0.0)

    def forward(self, x):
        rows = torch.arange(x.shape[-2])
        if len(rows) > self.positions.num_embeddings:
            raise self.TooLong("no row for the last words")
        return self.dropout(x + self.positions(rows)[None])


_ANY_START = "Any start will do whose rows differ."
survivor(LEARNED, "0.02 * torch.randn(max_length, d) → 0.02 / torch.randn(max_length, d)", _ANY_START)
survivor(LEARNED, "0.02 * torch.randn(max_length, d) → torch.randn(max_length, d)", _ANY_START)
survivor(LEARNED, "0.02 → 1.04", _ANY_START)
