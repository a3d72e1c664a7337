# exercise 06.LearnedPositions
import torch
import torch.nn as nn
import torch.nn.functional as F


# base plain
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.table = nn.Parameter(torch.randn(max_length, d))

    def forward(self, x):
        if x.shape[1] > len(self.table):
            raise ValueError("too long")
        return x + self.table[: x.shape[1]]


# mistake whole_table (raises), from plain
# The whole table is added, whatever the length: it fits only sentences of max_length words.
# Next: Take the first T rows: T is `x.shape[1]`.
#   len(self.table) => self.table.shape[0]
#   self.table[: x.shape[1]] => self.table

# mistake rows_counted_by_the_batch (raises, values), from plain
# The rows are counted by the first axis, the batch; positions run along the second.
# Next: x is (B, T, d): T is `x.shape[1]`.
#   self.table[: x.shape[1]] => self.table[: len(x)]

# mistake a_row_for_each_sentence (values), from plain
# Sentence b gets row b at all of its positions; position t of every sentence should get row t.
# Next: (T, d) broadcasts against (B, T, d) by itself; `unsqueeze(1)` turns it by one axis.
#   -        return x + self.table[: x.shape[1]]
#   +        rows = torch.arange(len(x)) % len(self.table)
#   +        return x + self.table[rows].unsqueeze(1)

# mistake last_rows (values), from plain
# The last T rows of the table are added; position 0 belongs to row 0.
# Next: Slice from the front: `[:T]`, not `[-T:]`.
#   self.table[: x.shape[1]] => self.table[-x.shape[1] :]

# mistake positions_start_at_1 (values, raises), from plain
# Position 0 gets row 1: rows are counted from 1.
# Next: Use the rows 0 to T - 1.
#   -        if x.shape[1] > len(self.table):
#   +        length = x.shape[1]
#   +        if length > len(self.table):
#   self.table[: x.shape[1]] => self.table[1 : length + 1]

# mistake positions_alone (shape), from plain
# Only the position vectors come back; they should be added to x.
# Next: Return `x + ...`.
#   x + self.table[: x.shape[1]] => self.table[: x.shape[1]]

# mistake positions_alone_for_each_sentence (values), from plain
# The position vectors come back without x; they should be added to it.
# Next: Return `x + ...`.
#   x + self.table[: x.shape[1]] => self.table[: x.shape[1]].expand_as(x)

# mistake concatenated (shape), from plain
# The positions stand beside x, which makes the vectors twice as wide; they should be added.
# Next: Use `+` instead of `torch.cat`: the width stays d.
#   x + self.table[: x.shape[1]] => torch.cat([x, self.table[: x.shape[1]].expand_as(x)], dim=-1)

# mistake multiplied (values), from plain
# The positions are multiplied with x; they should be added.
# Next: Use `+`.
#   x + self.table[: x.shape[1]] => x * self.table[: x.shape[1]]

# mistake x_scaled (values), from plain
# x is multiplied by √d before the sum, as one variant of the Transformer does; the plain sum was asked for.
# Next: Leave the factor out.
#            super().__init__()
#   +        self.d = d
#   x + self.table[: x.shape[1]] => x * self.d**0.5 + self.table[: x.shape[1]]

# mistake normalised (property), from plain
# A layer norm follows the sum, with parameters of its own; the plain sum and one table were asked for.
# Next: Leave the norm to the model that uses this layer.
#            self.table = nn.Parameter(torch.randn(max_length, d))
#   +        self.norm = nn.LayerNorm(d)
#   x + self.table[: x.shape[1]] => self.norm(x + self.table[: x.shape[1]])

# mistake written_into_x (property), from plain
# `x += ...` writes into the caller's tensor, and breaks the backward pass of a leaf.
# Next: Return `x + ...`, a new tensor.
#   -        return x + self.table[: x.shape[1]]
#   +        x += self.table[: x.shape[1]]
#   +        return x

# mistake no_parameter (property), from plain
# The table is a plain tensor, a buffer or hidden in a Python list: the optimizer does not get it.
# Next: Wrap it, `nn.Parameter(...)`, and store it on self as an attribute of its own.
#   self.table = nn.Parameter(torch.randn(max_length, d)) => self.register_buffer("table", torch.randn(max_length, d))

# mistake a_parameter_for_each_row (property), from plain
# Every position has a parameter of its own, but the exercise asks for one table of shape (max_length, d).
# Next: One `nn.Parameter` holds all rows.
#   -        self.table = nn.Parameter(torch.randn(max_length, d))
#   +        self.rows = nn.ParameterList([nn.Parameter(torch.randn(d)) for _ in range(max_length)])
#   len(self.table) => len(self.rows)
#   self.table[: x.shape[1]] => torch.stack(list(self.rows)[: x.shape[1]])

# mistake table_with_batch_axis (property), from plain
# The table has an axis too many in front: (1, max_length, d).
# Next: Broadcasting needs no axis of length 1: make the table (max_length, d).
#   torch.randn(max_length, d) => torch.randn(1, max_length, d)
#   len(self.table) => self.table.shape[1]
#   self.table[: x.shape[1]] => self.table[:, : x.shape[1]]

# mistake table_on_its_side (property), from plain
# The table has the shape (d, max_length): rows and columns are swapped.
# Next: A position is a row: (max_length, d).
#   torch.randn(max_length, d) => torch.randn(d, max_length)
#   len(self.table) => self.table.shape[1]
#   self.table[: x.shape[1]] => self.table.T[: x.shape[1]]

# mistake one_row_more (property), from plain
# The table has a row too many, as if a padding row or an end were needed.
# Next: max_length positions need max_length rows.
#   nn.Parameter(torch.randn(max_length, d)) => nn.Embedding(max_length + 1, d)
#   x.shape[1] > len(self.table) => x.shape[1] >= self.table.num_embeddings
#   self.table[: x.shape[1]] => self.table(torch.arange(x.shape[1]))

# mistake starts_at_zero (property), from plain
# The new table holds only zeros: before the first step all positions look alike.
# Next: Draw small random numbers, for example `0.02 * torch.randn(max_length, d)`.
#   torch.randn => torch.zeros

# mistake other_parameter_names (raises), from plain
# The constructor's parameters have other names: LearnedPositions(max_length=5, d=3) fails.
# Next: Keep the names of the stub, max_length and d.
#   self, max_length, d => self, length, width
#   torch.randn(max_length, d) => torch.randn(length, width)

# right form starts_alike, from plain
#   torch.randn => torch.ones

# mistake rows_of_the_first_call (raises), from plain
# The rows are sliced in the first call and kept: longer sentences do not fit them, and training is not seen.
# Next: Slice the parameter in every call.
#            self.table = nn.Parameter(torch.randn(max_length, d))
#   +        self.rows = None
#   -        return x + self.table[: x.shape[1]]
#   +        if self.rows is None:
#   +            self.rows = self.table[: x.shape[1]]
#   +        return x + self.rows

# mistake dropout (values), from plain
# In training mode a dropout layer changes the sum; there should be none.
# Next: Return the plain sum.
#            self.table = nn.Parameter(torch.randn(max_length, d))
#   +        self.dropout = nn.Dropout(0.1)
#   x + self.table[: x.shape[1]] => self.dropout(x + self.table[: x.shape[1]])

# mistake padding_idx_0 (values), from plain
# `padding_idx=0` switches off the gradient of row 0: position 0 never learns.
# Next: Leave padding_idx out: position 0 is a position like any other.
#   nn.Parameter(torch.randn(max_length, d)) => nn.Embedding(max_length, d, padding_idx=0)
#   len(self.table) => self.table.num_embeddings
#   self.table[: x.shape[1]] => self.table(torch.arange(x.shape[1]))

# mistake table_cut_off (property), from plain
# The table never learns: `.data`, `detach` or `requires_grad=False` cuts it off from the gradient.
# Next: Use the parameter itself, and let it require a gradient.
#   self.table[: x.shape[1]] => self.table.data[: x.shape[1]]

# mistake x_cut_off (property), from plain
# No gradient reaches x: it was detached on the way.
# Next: Leave `.detach()`, `.data` and `torch.tensor(...)` out.
#   x + self.table[: x.shape[1]] => x.detach() + self.table[: x.shape[1]]

# mistake copy_made_at_the_start (values), from plain
# The forward pass adds a copy that was made when the module was built: training the parameter changes nothing.
# Next: Slice the parameter itself in forward.
#   -        self.table = nn.Parameter(torch.randn(max_length, d))
#   +        self.table = nn.Parameter(torch.linspace(-1, 1, max_length * d).view(max_length, d))
#   +        self.register_buffer("rows", self.table.detach().clone())
#   self.table[: x.shape[1]] => self.rows[: x.shape[1]]

# mistake no_check_of_the_length (raises), from plain
# Too long a sentence gives a RuntimeError about sizes; a ValueError was asked for.
# Next: Compare T with the rows of the table first, and raise a ValueError that says so.
#   -        if x.shape[1] > len(self.table):
#   -            raise ValueError("too long")

# mistake index_error (raises), from plain
# Too long a sentence gives the IndexError of a lookup; a ValueError was asked for.
# Next: Compare T with the rows of the table first, and raise a ValueError that says so.
#   nn.Parameter(torch.randn(max_length, d)) => nn.Embedding(max_length, d)
#   -        if x.shape[1] > len(self.table):
#   -            raise ValueError("too long")
#   self.table[: x.shape[1]] => self.table(torch.arange(x.shape[1]))

# mistake assertion (raises), from plain
# `assert` raises an AssertionError, and nothing at all under `python -O`; a ValueError was asked for.
# Next: `if ...: raise ValueError(...)`.
#   if x.shape[1] > len(self.table): => assert x.shape[1] <= len(self.table)
#   -            raise ValueError("too long")

# mistake refuses_the_longest (raises), from plain
# A sentence of exactly max_length words is refused; it has a row for each word.
# Next: Refuse T > max_length, not T >= max_length.
#   x.shape[1] > len(self.table) => x.shape[1] >= len(self.table)

# mistake checks_the_batch (raises), from plain
# The number of sentences is compared with max_length; it is the number of positions that matters.
# Next: x is (B, T, d): compare `x.shape[1]`.
#   x.shape[1] > len(self.table) => len(x) > len(self.table)

# mistake begins_again (property), from plain
# Beyond the table the positions start again at row 0; a ValueError was asked for.
# Next: Leave the `%` out and refuse what is too long.
#   -        if x.shape[1] > len(self.table):
#   -            raise ValueError("too long")
#   self.table[: x.shape[1]] => self.table[torch.arange(x.shape[1]) % len(self.table)]

# mistake cut_to_the_table (property), from plain
# Too long a sentence is cut to max_length words without a word; a ValueError was asked for.
# Next: Raise a ValueError when T > max_length.
#   if x.shape[1] > len(self.table): => rows = self.table[: x.shape[1]]
#   -            raise ValueError("too long")
#   -        return x + self.table[: x.shape[1]]
#   +        return x[:, : len(rows)] + rows

# mistake always_float32 (dtype, property), from plain
# The result is float32 whatever x is.
# Next: Leave `.float()` out.
#   x + self.table[: x.shape[1]] => (x + self.table[: x.shape[1]]).float()


# right form an_embedding
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


# right form with_a_buffer_of_positions
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


# right form one_position_at_a_time
class LearnedPositions(nn.Module):
    def __init__(self, max_length, d):
        super().__init__()
        self.p = nn.Parameter(torch.rand(max_length, d))

    def forward(self, x):
        if x.shape[1] > self.p.shape[0]:
            raise ValueError("too many positions")
        return torch.stack([x[:, t] + self.p[t] for t in range(x.shape[1])], dim=1)


# right form one_hot_times_weight, from plain
#   self.table = nn.Parameter(torch.randn(max_length, d)) => self.linear = nn.Linear(d, max_length, bias=False)
#   -        if x.shape[1] > len(self.table):
#   +        table = self.linear.weight
#   +        if x.shape[1] > table.shape[0]:
#   -        return x + self.table[: x.shape[1]]
#   +        choose = torch.eye(x.shape[1], table.shape[0], dtype=x.dtype)
#   +        return x + choose @ table


# right form its_own_kind_of_value_error
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


# survivor 0.02 * torch.randn(max_length, d) → 0.02 / torch.randn(max_length, d)
# survivor 0.02 * torch.randn(max_length, d) → torch.randn(max_length, d)
# survivor 0.02 → 1.04
# Any start will do whose rows differ.
