# exercise 07.merge_heads
import torch


# mistake reshape_without_transpose (values)
# The shape is right, the contents are not: h and T must be swapped before anything is joined.
# Next: `x.transpose(1, 2)` first, then join the last two axes.
def merge_heads(x):
    b, h, t, w = x.shape
    return x.reshape(b, t, h * w)


# mistake columns_interleaved (values), from reshape_without_transpose
# The heads' columns are shuffled into each other; each head's columns should stay together.
# Next: Join (h, d / h) in this order: `permute(0, 2, 1, 3)`.
#   x.reshape(b, t, h * w) => x.permute(0, 2, 3, 1).reshape(b, t, w * h)

# mistake view_after_transpose (raises), from reshape_without_transpose
# `view` needs the numbers in order in memory, and after `transpose` they are not.
# Next: Use `reshape`, or `contiguous()` before `view`.
#   x.reshape => x.transpose(1, 2).view


# mistake not_joined (shape)
# The axes are swapped, but not joined: (B, T, h, d / h).
# Next: Join the last two axes: `.flatten(2)`.
def merge_heads(x):
    return x.transpose(1, 2)


# mistake heads_below_each_other (shape)
# Heads and positions are joined, (B, h T, d / h); the heads should stand side by side, (B, T, d).
# Next: Swap h and T first, then join h with the columns.
def merge_heads(x):
    return x.flatten(1, 2)


# mistake mean_of_the_heads (shape)
# The heads are averaged; they should stand side by side.
# Next: No number is lost: the result has as many as x.
def merge_heads(x):
    return x.mean(dim=1)


# mistake heads_in_reverse (values)
# The heads come in reverse order.
# Next: Head 0 fills the first d / h columns.
def merge_heads(x):
    return x.flip(1).transpose(1, 2).flatten(2)


# mistake batch_and_heads_confused (shape)
# Sentences and heads are taken for each other: x is (B, h, T, d / h).
# Next: The batch stays on the first axis; it is axes 1 and 2 that are swapped.
def merge_heads(x):
    return x.transpose(0, 2).flatten(2).transpose(0, 1)


# mistake width_axis_swapped (values), from reshape_without_transpose
# `transpose(1, 3)` swaps heads and columns; heads and positions have to be swapped.
# Next: Use `transpose(1, 2)`.
#   x.reshape => x.transpose(1, 3).reshape


# mistake squeezes (shape)
# `squeeze` also takes away axes of size 1 that belong to the result.
# Next: Leave `squeeze` out: join the two last axes whatever their sizes.
def merge_heads(x):
    return torch.cat([head.squeeze(1) for head in x.split(1, dim=1)], dim=-1).squeeze(1)


# mistake always_float32 (dtype)
# The result is float32 whatever comes in.
# Next: Give `torch.zeros` the dtype of x, or use `x.new_zeros`.
def merge_heads(x):
    b, h, t, w = x.shape
    out = torch.zeros(b, t, h * w)
    for head in range(h):
        out[:, :, head * w : (head + 1) * w] = x[:, head]
    return out


# mistake no_gradient (property)
# The values are copied without their graph, so no gradient can flow back.
# Next: Leave `torch.tensor`, `.detach()` and `.numpy()` out.
def merge_heads(x):
    return torch.tensor(x.transpose(1, 2).flatten(2).tolist(), dtype=x.dtype)


# right form concatenation
def merge_heads(x):
    return torch.cat(list(x.unbind(dim=1)), dim=-1)


# right form contiguous_view
def merge_heads(x):
    b, h, t, w = x.size()
    return x.permute(0, 2, 1, 3).contiguous().view(b, t, -1)


# right form loops
def merge_heads(x):
    b, h, t, w = x.shape
    out = x.new_zeros(b, t, h * w)
    for head in range(h):
        for column in range(w):
            out[..., head * w + column] = x[:, head, :, column]
    return out


# right form one_hot_matrices
def merge_heads(x, heads=None):
    b, h, t, w = x.shape
    place = torch.eye(h * w).to(x.dtype).view(h, w, h * w)
    return torch.einsum("bhtw,hwd->btd", x, place)


# right form stack_and_reshape
def merge_heads(x):
    rows = [torch.stack([head[t] for head in sentence]).reshape(-1) for sentence in x for t in range(x.shape[2])]
    return torch.stack(rows).reshape(x.shape[0], x.shape[2], -1)
