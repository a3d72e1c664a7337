"""Multi-head attention: wrong answers about projections, heads and context, by name."""

import math

import torch
import torch.nn as nn

from grader.course_source.catalogue import altered, base, mistake

MULTI = "07.MultiHeadAttention"


@mistake(
    MULTI, "scale_of_the_whole_width", stage="values",
    diagnosis="The scores are divided by the root of d_model; each head has the width d / h, so the scale is its root.",
    next_step="After the split the last axis of q has the right width: `q.shape[-1]`.",
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
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        scores = q @ k.transpose(-2, -1) / math.sqrt(x.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
        mixed = weights @ v
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "no_scale", stage="values",
    diagnosis="The scores are not divided by the root of d / h.",
    next_step="Use your `scaled_dot_product_attention`.",
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
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        scores = q @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
        mixed = weights @ v
        return self.out_proj(merge_heads(mixed))


@base("plain")
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
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


altered(
    MULTI, "no_output_projection", "plain",
    {"self.out_proj(merge_heads(mixed))": "merge_heads(mixed)"},
    stage="values",
    diagnosis="The joined heads are returned as they are; out_proj is never called.",
    next_step="Return `self.out_proj(...)` of them.",
)


@mistake(
    MULTI, "reshape_without_transpose", stage="values",
    diagnosis="The heads are cut as by `view(B, h, T, d / h)`, which mixes positions and heads; the shape alone does not tell.",
    next_step="Use your `split_heads`, and let it cut the last axis and then swap T and h.",
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
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        b, t, d = x.shape
        q = self.q_proj(x).view(b, self.heads, t, d // self.heads)
        k = self.k_proj(source).view(b, self.heads, source.shape[1], d // self.heads)
        v = self.v_proj(source).view(b, self.heads, source.shape[1], d // self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


altered(
    MULTI, "merged_without_transpose", "plain",
    {"out_proj(merge_heads(mixed))": "out_proj(mixed.reshape(x.shape))"},
    stage="values",
    diagnosis="The heads are joined without swapping h and T back first.",
    next_step="Bring the axes back first: `mixed.transpose(1, 2)`, then the shape of x.",
)


@mistake(
    MULTI, "heads_attend_to_heads", stage="values",
    diagnosis="T and h were not swapped: at each position the heads attend to one another, and no position sees another.",
    next_step="Attention works on the last two axes, which must be T and d / h: use your `split_heads`.",
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
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        b, t, d = x.shape
        q = self.q_proj(x).view(b, t, self.heads, -1)
        k = self.k_proj(source).view(b, source.shape[1], self.heads, -1)
        v = self.v_proj(source).view(b, source.shape[1], self.heads, -1)
        if mask is not None or k.shape[1] != t:
            return self.out_proj(torch.zeros_like(x))
        mixed, weights = scaled_dot_product_attention(q, k, v)
        return self.out_proj(mixed.reshape(b, t, d))


@mistake(
    MULTI, "one_head_only", stage="values",
    diagnosis="`heads` is never used: there is one attention over the whole width.",
    next_step="Split q, k and v into heads before they attend.",
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
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q, k, v = (part[:, None] for part in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
        if mask is not None and mask.dim() == 4 and mask.shape[1] > 1:
            mask = mask[:, :1]
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(mixed[:, 0])


@mistake(
    MULTI, "heads_taken_for_their_width", stage="values",
    diagnosis="`heads` is taken for the width of a head; it is how many there are.",
    next_step="Each of the h heads is d / h wide.",
)
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        if d_model % heads:
            raise ValueError("heads must divide d_model")
        self.heads = d_model // heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        if mask is not None and mask.dim() == 4 and mask.shape[1] > 1:
            mask = mask[:, :1]
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "context_ignored", stage="values",
    diagnosis="The context is not used: keys and values are made of x.",
    next_step="Make keys and values of the context where there is one.",
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
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        if context is not None:
            mask = None
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "queries_from_the_context", stage=("shape", "values"),
    diagnosis="The queries are made of the context; they belong to x, and so does the number of output positions.",
    next_step="Only keys and values come from the context.",
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
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(source), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        if context is not None:
            mask = None
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


altered(
    MULTI, "values_from_x", "plain", {"v_proj(source)": "v_proj(x)"}, stage=("raises", "values"),
    diagnosis="The values are made of x; they come from the context, like the keys they belong to.",
    next_step="Put the context through v_proj.",
)

altered(
    MULTI, "values_by_the_keys_projection", "plain",
    {"v = split_heads(self.v_proj(source), self.": "v = split_heads(self.k_proj(source), self."},
    stage="values",
    diagnosis="Keys and values come out of the same projection; v_proj is never used.",
    next_step="`self.v_proj` makes the values.",
)

altered(
    MULTI, "values_not_projected", "plain", {"self.v_proj(source)": "source"}, stage="values",
    diagnosis="The values are not projected; v_proj is never used.",
    next_step="Put the source through `self.v_proj` before the split.",
)


@mistake(
    MULTI, "queries_and_keys_swapped", stage=("shape", "values"),
    diagnosis="Queries and keys are swapped: every key attends to queries.",
    next_step="`scaled_dot_product_attention(q, k, v, mask)`, in this order; a joint projection's rows are q, then k, then v.",
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
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.k_proj(x), self.heads)
        k = split_heads(self.q_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


altered(
    MULTI, "residual_added", "plain", {"return self": "return x + self"}, stage="values",
    diagnosis="x is added to the result; the residual connection belongs to the block.",
    next_step="Return out_proj's output alone.",
)

altered(
    MULTI, "returns_the_weights_too", "plain",
    {"(merge_heads(mixed))": "(merge_heads(mixed)), weights"},
    stage="type",
    diagnosis="The attention weights come back as well; asked for is the output alone.",
    next_step="Return one tensor.",
)


@mistake(
    MULTI, "remembers_the_first_call", stage=("shape", "values", "raises"),
    diagnosis="Keys and values of the first call are kept and used again in the next one.",
    next_step="Compute them anew in each call.",
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
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        if not hasattr(self, "kept"):
            self.kept = k, v
        k, v = self.kept
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "weights_cut_off", stage="property",
    diagnosis="The attention weights are detached: queries and keys get no gradient.",
    next_step="Leave `.detach()` and `torch.no_grad` out.",
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
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x, context=None, mask=None):
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)
        k = split_heads(self.k_proj(source), self.heads)
        v = split_heads(self.v_proj(source), self.heads)
        with torch.no_grad():
            _, weights = scaled_dot_product_attention(q, k, v, mask)
        mixed = weights @ v
        return self.out_proj(merge_heads(mixed))


altered(
    MULTI, "context_cut_off", "plain", {"else context": "else context.detach()"}, stage="property",
    diagnosis="No gradient reaches the context: it is detached.",
    next_step="Leave `.detach()` out: the encoder that made the context must learn, too.",
)
