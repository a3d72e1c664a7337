# exercise 07.split_heads
import numpy as np
import torch


# mistake reshape_without_transpose (values)
# The shape is right, the contents are not: reshaping to (B, h, T, d / h) mixes positions and heads.
# Next: Cut the last axis first, `reshape(B, T, h, d // h)`, then `transpose(1, 2)`.
def split_heads(x, heads):
    b, t, d = x.shape
    if d % heads:
        raise ValueError("heads must divide d")
    return x.reshape(b, heads, t, d // heads)


# mistake heads_behind_time (shape), from reshape_without_transpose
# The heads are cut, but time still stands before them: (B, T, h, d / h).
# Next: Swap the two middle axes: `.transpose(1, 2)`.
#   heads, t => t, heads

# mistake every_hth_column (values), from reshape_without_transpose
# Head i holds every h-th column; it should hold d / h neighbouring ones.
# Next: Reshape to (B, T, h, d / h): the axis of the heads comes before the one of their columns.
#   x.reshape(b, heads, t, d // heads) => x.reshape(b, t, d // heads, heads).permute(0, 3, 1, 2)


# mistake time_is_cut (shape)
# Time is cut into heads; what is cut is the width, the last axis.
# Next: Pass `dim=-1` to `chunk`.
def split_heads(x, heads):
    if x.shape[-1] % heads:
        raise ValueError("heads must divide d")
    return torch.stack(x.chunk(heads, dim=1), dim=1)


# mistake heads_stacked_in_front (shape), from time_is_cut
# The heads come first, (h, B, T, d / h); the batch should.
# Next: Stack the slices along axis 1.
#   x.chunk(heads, dim=1), dim=1 => x.chunk(heads, dim=-1)

# mistake list_of_heads (type), from time_is_cut
# The heads come back as a list of tensors, but the exercise asks for one tensor (B, h, T, d / h).
# Next: `torch.stack(pieces, dim=1)` makes one tensor of them.
#   torch.stack(x.chunk(heads, dim=1), dim=1) => list(x.chunk(heads, dim=-1))

# mistake batch_and_heads_in_one_axis (shape), from reshape_without_transpose
# Batch and heads are joined to one axis, but the exercise asks for four axes, (B, h, T, d / h).
# Next: Leave the last reshape out.
#   x.reshape(b, heads, t, d // heads) => x.reshape(b, t, heads, d // heads).transpose(1, 2).reshape(b * heads, t, d // heads)

# mistake heads_and_columns_swapped (shape), from reshape_without_transpose
# `heads` is taken for the number of columns in a head; it is the number of heads.
# Next: The axis of size d / h comes last.
#   x.reshape(b, heads, t, d // heads) => x.reshape(b, t, d // heads, heads).transpose(1, 2)

# mistake last_two_axes_swapped (values), from reshape_without_transpose
# The positions stand behind the columns: (B, h, d / h, T).
# Next: Only T and h are swapped: `transpose(1, 2)` on (B, T, h, d / h).
#   x.reshape(b, heads, t, d // heads) => x.reshape(b, t, heads, d // heads).permute(0, 2, 3, 1)

# mistake heads_in_reverse (values), from reshape_without_transpose
# The heads come in reverse order.
# Next: Head 0 holds the first d / h columns.
#   x.reshape(b, heads, t, d // heads) => x.reshape(b, t, heads, d // heads).transpose(1, 2).flip(1)


# mistake no_value_error (raises)
# The error that comes when the heads do not divide d is torch's own, but the exercise asks for a ValueError.
# Next: Ask for the remainder first: `if d % heads: raise ValueError(...)`.
def split_heads(x, heads):
    b, t, d = x.shape
    return x.reshape(b, t, heads, d // heads).transpose(1, 2)


# mistake assertion (raises)
# `assert` raises an AssertionError, but the exercise asks for a ValueError. (Python drops asserts under -O, too.)
# Next: Write `if d % heads: raise ValueError(...)`.
def split_heads(x, heads):
    b, t, d = x.shape
    assert d % heads == 0, "heads must divide d"
    return x.reshape(b, t, heads, d // heads).transpose(1, 2)


# mistake columns_dropped (property)
# When the heads do not divide d, the columns that are left over are dropped without a word.
# Next: Raise a ValueError instead.
def split_heads(x, heads):
    b, t, d = x.shape
    width = d // heads
    return x[:, :, : heads * width].reshape(b, t, heads, width).transpose(1, 2)


# mistake always_float32 (dtype), from reshape_without_transpose
# The result is float32 whatever comes in.
# Next: Give `torch.zeros` the dtype of x, or use `x.new_zeros`.
#   -    return x.reshape(b, heads, t, d // heads)
#   +    width = d // heads
#   +    out = torch.zeros(b, heads, t, width)
#   +    for head in range(heads):
#   +        out[:, head] = x[:, :, head * width : (head + 1) * width]
#   +    return out

# mistake no_gradient (property), from reshape_without_transpose
# The values are copied without their graph, so no gradient can flow back.
# Next: Leave `torch.tensor`, `.detach()` and `.numpy()` out.
#   x.reshape(b, heads, t, d // heads) => x.detach().reshape(b, t, heads, d // heads).transpose(1, 2)


# right form chunks_stacked
def split_heads(x, heads):
    if x.size(-1) % heads != 0:
        raise ValueError(x.size(-1))
    return torch.stack(torch.chunk(x, heads, dim=-1), dim=1)


# right form unflatten_and_copy
def split_heads(x, heads):
    if x.size(-1) % heads:
        raise ValueError("no")
    print(heads, "heads")
    return x.unflatten(-1, (heads, x.size(-1) // heads)).permute(0, 2, 1, 3).contiguous()


# right form loop_over_everything
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


# right form index_of_columns
def split_heads(x, heads, dtype=None):
    d = x.shape[2]
    if d // heads * heads != d:
        raise ValueError("heads does not divide d")
    columns = torch.from_numpy(np.arange(d).reshape(heads, d // heads))
    return x[:, :, columns].swapaxes(1, 2)


# right form one_hot_matrices
def split_heads(x, heads):
    d = x.shape[-1]
    if d % heads:

        class NotDivisible(ValueError):
            pass

        raise NotDivisible("heads")
    cut = torch.eye(d, dtype=x.dtype).view(d, heads, d // heads)
    return torch.einsum("btd,dhw->bhtw", x, cut)


# right form slices_concatenated
def split_heads(x, heads):
    width = x.shape[-1] // heads
    if width * heads != x.shape[-1]:
        raise ValueError(f"{x.shape[-1]} / {heads}")
    return torch.cat([x[:, None, :, i * width : (i + 1) * width] for i in range(heads)], dim=1)
