"""Wrong answers about cutting the width into heads by name, and unusual right ones."""

import numpy as np
import torch

from grader.course_source.catalogue import altered, mistake, right_form

SPLIT = "07.split_heads"


@mistake(
    SPLIT, "reshape_without_transpose", stage="values",
    diagnosis="The shape is right, the contents are not: reshaping to (B, h, T, d / h) mixes positions and heads.",
    next_step="Cut the last axis first, `reshape(B, T, h, d // h)`, then `transpose(1, 2)`.",
)
def split_heads(x, heads):
    b, t, d = x.shape
    if d % heads:
        raise ValueError("heads must divide d")
    return x.reshape(b, heads, t, d // heads)


altered(
    SPLIT, "heads_behind_time", "reshape_without_transpose", {"heads, t": "t, heads"}, stage="shape",
    diagnosis="The heads are cut, but time still stands before them: (B, T, h, d / h).",
    next_step="Swap the two middle axes: `.transpose(1, 2)`.",
)

altered(
    SPLIT, "every_hth_column", "reshape_without_transpose",
    {"heads, t, d // heads": "t, d // heads, heads).permute(0, 3, 1, 2"},
    stage="values",
    diagnosis="Head i holds every h-th column; it should hold d / h neighbouring ones.",
    next_step="Reshape to (B, T, h, d / h): the axis of the heads comes before the one of their columns.",
)


@mistake(
    SPLIT, "time_is_cut", stage="shape",
    diagnosis="Time is cut into heads; what is cut is the width, the last axis.",
    next_step="Pass `dim=-1` to `chunk`.",
)
def split_heads(x, heads):
    if x.shape[-1] % heads:
        raise ValueError("heads must divide d")
    return torch.stack(x.chunk(heads, dim=1), dim=1)


@mistake(
    SPLIT, "heads_stacked_in_front", stage="shape",
    diagnosis="The heads come first, (h, B, T, d / h); the batch should.",
    next_step="Stack the slices along axis 1.",
)
def split_heads(x, heads):
    if x.shape[-1] % heads:
        raise ValueError("heads must divide d")
    return torch.stack(x.chunk(heads, dim=-1))


@mistake(
    SPLIT, "list_of_heads", stage="type",
    diagnosis="The heads come back as a list of tensors; asked for is one tensor (B, h, T, d / h).",
    next_step="`torch.stack(pieces, dim=1)` makes one tensor of them.",
)
def split_heads(x, heads):
    if x.shape[-1] % heads:
        raise ValueError("heads must divide d")
    return list(x.chunk(heads, dim=-1))


altered(
    SPLIT, "batch_and_heads_in_one_axis", "reshape_without_transpose",
    {", heads,": ", t, heads, d // heads).transpose(1, 2).reshape(b * heads,"},
    stage="shape",
    diagnosis="Batch and heads are joined to one axis; asked for are four axes, (B, h, T, d / h).",
    next_step="Leave the last reshape out.",
)

altered(
    SPLIT, "heads_and_columns_swapped", "reshape_without_transpose",
    {"heads, t, d // heads": "t, d // heads, heads).transpose(1, 2"},
    stage="shape",
    diagnosis="`heads` is taken for the number of columns in a head; it is the number of heads.",
    next_step="The axis of size d / h comes last.",
)

altered(
    SPLIT, "last_two_axes_swapped", "reshape_without_transpose",
    {"heads, t, d // heads": "t, heads, d // heads).permute(0, 2, 3, 1"},
    stage="values",
    diagnosis="The positions stand behind the columns: (B, h, d / h, T).",
    next_step="Only T and h are swapped: `transpose(1, 2)` on (B, T, h, d / h).",
)

altered(
    SPLIT, "heads_in_reverse", "reshape_without_transpose",
    {"heads, t, d // heads": "t, heads, d // heads).transpose(1, 2).flip(1"},
    stage="values",
    diagnosis="The heads come in reverse order.",
    next_step="Head 0 holds the first d / h columns.",
)


@mistake(
    SPLIT, "no_value_error", stage="raises",
    diagnosis="The error that comes when the heads do not divide d is torch's own; asked for is a ValueError.",
    next_step="Ask for the remainder first: `if d % heads: raise ValueError(...)`.",
)
def split_heads(x, heads):
    b, t, d = x.shape
    return x.reshape(b, t, heads, d // heads).transpose(1, 2)


@mistake(
    SPLIT, "assertion", stage="raises",
    diagnosis="`assert` raises an AssertionError; asked for is a ValueError. (Python drops asserts under -O, too.)",
    next_step="Write `if d % heads: raise ValueError(...)`.",
)
def split_heads(x, heads):
    b, t, d = x.shape
    assert d % heads == 0, "heads must divide d"
    return x.reshape(b, t, heads, d // heads).transpose(1, 2)


@mistake(
    SPLIT, "columns_dropped", stage="property",
    diagnosis="When the heads do not divide d, the columns that are left over are dropped without a word.",
    next_step="Raise a ValueError instead.",
)
def split_heads(x, heads):
    b, t, d = x.shape
    width = d // heads
    return x[:, :, : heads * width].reshape(b, t, heads, width).transpose(1, 2)


@mistake(
    SPLIT, "always_float32", stage="dtype",
    diagnosis="The result is float32 whatever comes in.",
    next_step="Give `torch.zeros` the dtype of x, or use `x.new_zeros`.",
)
def split_heads(x, heads):
    b, t, d = x.shape
    if d % heads:
        raise ValueError("heads must divide d")
    width = d // heads
    out = torch.zeros(b, heads, t, width)
    for head in range(heads):
        out[:, head] = x[:, :, head * width : (head + 1) * width]
    return out


altered(
    SPLIT, "no_gradient", "reshape_without_transpose",
    {".reshape(b, heads, t, d // heads)": ".detach().reshape(b, t, heads, d // heads).transpose(1, 2)"},
    stage="property",
    diagnosis="The values are copied without their graph, so no gradient can flow back.",
    next_step="Leave `torch.tensor`, `.detach()` and `.numpy()` out.",
)


@right_form(SPLIT, "chunks_stacked")
def split_heads(x, heads):
    if x.size(-1) % heads != 0:
        raise ValueError(x.size(-1))
    return torch.stack(torch.chunk(x, heads, dim=-1), dim=1)


@right_form(SPLIT, "unflatten_and_copy")
def split_heads(x, heads):
    if x.size(-1) % heads:
        raise ValueError("no")
    print(heads, "heads")
    return x.unflatten(-1, (heads, x.size(-1) // heads)).permute(0, 2, 1, 3).contiguous()


@right_form(SPLIT, "loop_over_everything")
def split_heads(x, heads):
    b, t, d = x.shape
    width, rest = divmod(d, heads)
    if rest:
        raise ValueError("d", d, "heads", heads)
    out = torch.empty(b, heads, t, width, dtype=x.dtype)
    for sentence in range(b):
        for position in range(t):
            for column in range(d):
                out[sentence, column // width, position, column % width] = x[sentence, position, column]
    return out


@right_form(SPLIT, "index_of_columns")
def split_heads(x, heads, dtype=None):
    d = x.shape[2]
    if d // heads * heads != d:
        raise ValueError("heads does not divide d")
    columns = torch.from_numpy(np.arange(d).reshape(heads, d // heads))
    return x[:, :, columns].swapaxes(1, 2)


@right_form(SPLIT, "one_hot_matrices")
def split_heads(x, heads):
    d = x.shape[-1]
    if d % heads:

        class NotDivisible(ValueError):
            pass

        raise NotDivisible("heads")
    cut = torch.eye(d, dtype=x.dtype).view(d, heads, d // heads)
    return torch.einsum("btd,dhw->bhtw", x, cut)


@right_form(SPLIT, "slices_concatenated")
def split_heads(x, heads):
    width = x.shape[-1] // heads
    if width * heads != x.shape[-1]:
        raise ValueError(f"{x.shape[-1]} / {heads}")
    return torch.cat([x[:, None, :, i * width : (i + 1) * width] for i in range(heads)], dim=1)
