"""Wrong answers about joining the heads by name, and unusual right ones."""

import torch

from grader.course_source.catalogue import mistake, right_form

MERGE = "07.merge_heads"


@mistake(
    MERGE, "reshape_without_transpose", stage="values",
    diagnosis="The shape is right, the contents are not: h and T must be swapped before anything is joined.",
    next_step="`x.transpose(1, 2)` first, then join the last two axes.",
)
def merge_heads(x):
    b, h, t, w = x.shape
    return x.reshape(b, t, h * w)


@mistake(
    MERGE, "columns_interleaved", stage="values",
    diagnosis="The heads' columns are shuffled into each other; each head's columns should stay together.",
    next_step="Join (h, d / h) in this order: `permute(0, 2, 1, 3)`.",
)
def merge_heads(x):
    b, h, t, w = x.shape
    return x.permute(0, 2, 3, 1).reshape(b, t, w * h)


@mistake(
    MERGE, "view_after_transpose", stage="raises",
    diagnosis="`view` needs the numbers in order in memory, and after `transpose` they are not.",
    next_step="Use `reshape`, or `contiguous()` before `view`.",
)
def merge_heads(x):
    b, h, t, w = x.shape
    return x.transpose(1, 2).view(b, t, h * w)


@mistake(
    MERGE, "not_joined", stage="shape",
    diagnosis="The axes are swapped, but not joined: (B, T, h, d / h).",
    next_step="Join the last two axes: `.flatten(2)`.",
)
def merge_heads(x):
    return x.transpose(1, 2)


@mistake(
    MERGE, "heads_below_each_other", stage="shape",
    diagnosis="Heads and positions are joined, (B, h T, d / h); the heads should stand side by side, (B, T, d).",
    next_step="Swap h and T first, then join h with the columns.",
)
def merge_heads(x):
    return x.flatten(1, 2)


@mistake(
    MERGE, "mean_of_the_heads", stage="shape",
    diagnosis="The heads are averaged; they should stand side by side.",
    next_step="No number is lost: the result has as many as x.",
)
def merge_heads(x):
    return x.mean(dim=1)


@mistake(
    MERGE, "heads_in_reverse", stage="values",
    diagnosis="The heads come in reverse order.",
    next_step="Head 0 fills the first d / h columns.",
)
def merge_heads(x):
    return x.flip(1).transpose(1, 2).flatten(2)


@mistake(
    MERGE, "batch_and_heads_confused", stage="shape",
    diagnosis="Sentences and heads are taken for each other: x is (B, h, T, d / h).",
    next_step="The batch stays on the first axis; it is axes 1 and 2 that are swapped.",
)
def merge_heads(x):
    return x.transpose(0, 2).flatten(2).transpose(0, 1)


@mistake(
    MERGE, "width_axis_swapped", stage="values",
    diagnosis="`transpose(1, 3)` swaps heads and columns; heads and positions have to be swapped.",
    next_step="Use `transpose(1, 2)`.",
)
def merge_heads(x):
    b, h, t, w = x.shape
    return x.transpose(1, 3).reshape(b, t, h * w)


@mistake(
    MERGE, "squeezes", stage="shape",
    diagnosis="`squeeze` also takes away axes of size 1 that belong to the result.",
    next_step="Leave `squeeze` out: join the two last axes whatever their sizes.",
)
def merge_heads(x):
    return torch.cat([head.squeeze(1) for head in x.split(1, dim=1)], dim=-1).squeeze(1)


@mistake(
    MERGE, "always_float32", stage="dtype",
    diagnosis="The result is float32 whatever comes in.",
    next_step="Give `torch.zeros` the dtype of x, or use `x.new_zeros`.",
)
def merge_heads(x):
    b, h, t, w = x.shape
    out = torch.zeros(b, t, h * w)
    for head in range(h):
        out[:, :, head * w : (head + 1) * w] = x[:, head]
    return out


@mistake(
    MERGE, "no_gradient", stage="property",
    diagnosis="The values are copied without their graph, so no gradient can flow back.",
    next_step="Leave `torch.tensor`, `.detach()` and `.numpy()` out.",
)
def merge_heads(x):
    return torch.tensor(x.transpose(1, 2).flatten(2).tolist(), dtype=x.dtype)


@right_form(MERGE, "concatenation")
def merge_heads(x):
    return torch.cat(list(x.unbind(dim=1)), dim=-1)


@right_form(MERGE, "contiguous_view")
def merge_heads(x):
    b, h, t, w = x.size()
    return x.permute(0, 2, 1, 3).contiguous().view(b, t, -1)


@right_form(MERGE, "loops")
def merge_heads(x):
    b, h, t, w = x.shape
    out = x.new_zeros(b, t, h * w)
    for head in range(h):
        for column in range(w):
            out[..., head * w + column] = x[:, head, :, column]
    return out


@right_form(MERGE, "one_hot_matrices")
def merge_heads(x, heads=None):
    b, h, t, w = x.shape
    place = torch.eye(h * w).to(x.dtype).view(h, w, h * w)
    return torch.einsum("bhtw,hwd->btd", x, place)


@right_form(MERGE, "stack_and_reshape")
def merge_heads(x):
    rows = [torch.stack([head[t] for head in sentence]).reshape(-1) for sentence in x for t in range(x.shape[2])]
    return torch.stack(rows).reshape(x.shape[0], x.shape[2], -1)
