"""Multi-head attention: wrong answers in what the constructor makes, by name."""

import torch
import torch.nn as nn

from grader.course_source.catalogue import mistake

MULTI = "07.MultiHeadAttention"


@mistake(
    MULTI, "bias_ignored", stage="property",
    diagnosis="The projections have biases even with bias=False.",
    next_step="Hand `bias=bias` on to all four nn.Linear.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "output_bias_always", stage="property",
    diagnosis="With bias=False out_proj still has a bias.",
    next_step="Hand `bias=bias` on to out_proj as well.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "output_bias_never", stage="property",
    diagnosis="out_proj has no bias even where biases are asked for.",
    next_step="Hand `bias=bias` on to out_proj as well.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "no_bias_by_default", stage="property",
    diagnosis="Without a word all four projections should have biases; here one at least has none.",
    next_step="Keep the signature, bias=True, and hand `bias` to all four.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=False):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "no_value_error", stage="property",
    diagnosis="Sizes that do not fit are accepted by the constructor; the error comes later, or never.",
    next_step="Begin the constructor with `if d_model % heads: raise ValueError(...)`.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "assertion", stage="raises",
    diagnosis="`assert` raises an AssertionError; asked for is a ValueError.",
    next_step="Write `if d_model % heads: raise ValueError(...)`.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        assert d_model % heads == 0
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "other_names", stage="property",
    diagnosis="The projections are not found: one has another name than asked for, or is not stored on `self`.",
    next_step="Store them as `self.q_proj`, `self.k_proj`, `self.v_proj` and `self.out_proj`.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.query = nn.Linear(d_model, d_model, bias=bias)
        self.key = nn.Linear(d_model, d_model, bias=bias)
        self.value = nn.Linear(d_model, d_model, bias=bias)
        self.output = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.query(x), self.heads)
        k = split_heads(self.key(source), self.heads)
        v = split_heads(self.value(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.output(merge_heads(mixed))


@mistake(
    MULTI, "a_projection_for_each_head", stage="property",
    diagnosis="A projection is something else than an nn.Linear, such as a list with a layer for each head; asked for is "
    "one nn.Linear for all heads.",
    next_step="A linear layer from d to d is the same as h layers from d to d / h side by side.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.ModuleList(nn.Linear(d_model, d_model // heads, bias=bias) for _ in range(heads))
        self.k_proj = nn.ModuleList(nn.Linear(d_model, d_model // heads, bias=bias) for _ in range(heads))
        self.v_proj = nn.ModuleList(nn.Linear(d_model, d_model // heads, bias=bias) for _ in range(heads))
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = torch.stack([layer(x) for layer in self.q_proj], dim=1)
        k = torch.stack([layer(source) for layer in self.k_proj], dim=1)
        v = torch.stack([layer(source) for layer in self.v_proj], dim=1)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "bare_parameters", stage="property",
    diagnosis="The projections are bare matrices; asked for are nn.Linear layers.",
    next_step="`nn.Linear(d_model, d_model, bias=bias)` holds matrix and bias.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Parameter(torch.randn(d_model, d_model))
        self.k_proj = nn.Parameter(torch.randn(d_model, d_model))
        self.v_proj = nn.Parameter(torch.randn(d_model, d_model))
        self.out_proj = nn.Parameter(torch.randn(d_model, d_model))

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(x @ self.q_proj, self.heads)
        k = split_heads(source @ self.k_proj, self.heads)
        v = split_heads(source @ self.v_proj, self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return merge_heads(mixed) @ self.out_proj


@mistake(
    MULTI, "projections_as_wide_as_a_head", stage="property",
    diagnosis="A projection has the wrong size, as if it led to d / h numbers; each leads from d to d, and the split comes "
    "afterwards.",
    next_step="`nn.Linear(d_model, d_model)`.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model // heads, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model // heads, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model // heads, bias=bias)
        self.out_proj = nn.Linear(d_model // heads, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q, k, v = (part[:, None] for part in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "dropout_by_default", stage="property",
    diagnosis="There is dropout though nobody asked for it: in training mode the output is another one.",
    next_step="Leave it out, or let its default be 0.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.dropout = nn.Dropout(0.1)
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(self.dropout(merge_heads(mixed)))


@mistake(
    MULTI, "super_forgotten", stage="raises",
    diagnosis="torch refuses to keep layers before `super().__init__()` was called.",
    next_step="Call it first in the constructor.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "a_norm_of_its_own", stage="values",
    diagnosis="The input is normalised first; that belongs to the block.",
    next_step="Project x as it comes.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.norm = nn.LayerNorm(d_model)
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        x = self.norm(x)
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "qkv_inside_each_head", stage="values",
    diagnosis="The rows of qkv_proj are read head by head, each with its q, k and v; the order is all of q, then all of k, "
    "then all of v.",
    next_step="Cut the output in three first, then each third into heads.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = heads
        self.qkv_proj = nn.Linear(d_model, 3 * d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.qkv_proj(x), self.heads).chunk(3, dim=-1)[0]
        _, k, v = split_heads(self.qkv_proj(source), self.heads).chunk(3, dim=-1)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))
