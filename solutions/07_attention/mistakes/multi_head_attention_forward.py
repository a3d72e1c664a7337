# exercise 07.MultiHeadAttention
"""Multi-head attention: wrong answers about projections, heads and context, by name."""

import math

import torch
import torch.nn as nn


# base plain
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


# mistake scale_of_the_whole_width (values), from plain
# The scores are divided by the root of d_model; each head has the width d / h, so the scale is its root.
# Next: After the split the last axis of q has the right width: `q.shape[-1]`.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        scores = q @ k.transpose(-2, -1) / math.sqrt(x.shape[-1])
#   +        if mask is not None:
#   +            scores = scores.masked_fill(~mask, float("-inf"))
#   +        weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
#   +        mixed = weights @ v

# mistake no_scale (values), from plain
# The scores are not divided by the root of d / h.
# Next: Use your `scaled_dot_product_attention`.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        scores = q @ k.transpose(-2, -1)
#   +        if mask is not None:
#   +            scores = scores.masked_fill(~mask, float("-inf"))
#   +        weights = torch.softmax(scores, dim=-1).nan_to_num(0.0)
#   +        mixed = weights @ v

# mistake no_output_projection (values), from plain
# The joined heads are returned as they are; out_proj is never called.
# Next: Return `self.out_proj(...)` of them.
#   self.out_proj(merge_heads(mixed)) => merge_heads(mixed)

# mistake reshape_without_transpose (values), from plain
# The heads are cut as by `view(B, h, T, d / h)`, which mixes positions and heads; the shape alone does not tell.
# Next: Use your `split_heads`, and let it cut the last axis and then swap T and h.
#   -        q = split_heads(self.q_proj(x), self.heads)
#   -        k = split_heads(self.k_proj(source), self.heads)
#   -        v = split_heads(self.v_proj(source), self.heads)
#   +        b, t, d = x.shape
#   +        q = self.q_proj(x).view(b, self.heads, t, d // self.heads)
#   +        k = self.k_proj(source).view(b, self.heads, source.shape[1], d // self.heads)
#   +        v = self.v_proj(source).view(b, self.heads, source.shape[1], d // self.heads)

# mistake merged_without_transpose (values), from plain
# The heads are joined without swapping h and T back first.
# Next: Bring the axes back first: `mixed.transpose(1, 2)`, then the shape of x.
#   merge_heads(mixed) => mixed.reshape(x.shape)

# mistake heads_attend_to_heads (values), from plain
# T and h were not swapped: at each position the heads attend to one another, and no position sees another.
# Next: Attention works on the last two axes, which must be T and d / h: use your `split_heads`.
#   -        q = split_heads(self.q_proj(x), self.heads)
#   -        k = split_heads(self.k_proj(source), self.heads)
#   -        v = split_heads(self.v_proj(source), self.heads)
#   -        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
#   -        return self.out_proj(merge_heads(mixed))
#   +        b, t, d = x.shape
#   +        q = self.q_proj(x).view(b, t, self.heads, -1)
#   +        k = self.k_proj(source).view(b, source.shape[1], self.heads, -1)
#   +        v = self.v_proj(source).view(b, source.shape[1], self.heads, -1)
#   +        if mask is not None or k.shape[1] != t:
#   +            return self.out_proj(torch.zeros_like(x))
#   +        mixed, weights = scaled_dot_product_attention(q, k, v)
#   +        return self.out_proj(mixed.reshape(b, t, d))

# mistake one_head_only (values), from plain
# `heads` is never used: there is one attention over the whole width.
# Next: Split q, k and v into heads before they attend.
#   -        q = split_heads(self.q_proj(x), self.heads)
#   -        k = split_heads(self.k_proj(source), self.heads)
#   -        v = split_heads(self.v_proj(source), self.heads)
#   +        q, k, v = (part[:, None] for part in (self.q_proj(x), self.k_proj(source), self.v_proj(source)))
#   +        if mask is not None and mask.dim() == 4 and mask.shape[1] > 1:
#   +            mask = mask[:, :1]
#   merge_heads(mixed) => mixed[:, 0]

# mistake heads_taken_for_their_width (values), from plain
# `heads` is taken for the width of a head; it is how many there are.
# Next: Each of the h heads is d / h wide.
#   self.heads = heads => self.heads = d_model // heads
#            v = split_heads(self.v_proj(source), self.heads)
#   +        if mask is not None and mask.dim() == 4 and mask.shape[1] > 1:
#   +            mask = mask[:, :1]

# mistake context_ignored (values), from plain
# The context is not used: keys and values are made of x.
# Next: Make keys and values of the context where there is one.
#   x if context is None else context => x
#            v = split_heads(self.v_proj(source), self.heads)
#   +        if context is not None:
#   +            mask = None

# mistake queries_from_the_context (shape, values), from plain
# The queries are made of the context; they belong to x, and so does the number of output positions.
# Next: Only keys and values come from the context.
#   self.q_proj(x) => self.q_proj(source)
#            v = split_heads(self.v_proj(source), self.heads)
#   +        if context is not None:
#   +            mask = None

# mistake values_from_x (raises, values), from plain
# The values are made of x; they come from the context, like the keys they belong to.
# Next: Put the context through v_proj.
#   self.v_proj(source) => self.v_proj(x)

# mistake values_by_the_keys_projection (values), from plain
# Keys and values come out of the same projection; v_proj is never used.
# Next: `self.v_proj` makes the values.
#   self.v_proj(source) => self.k_proj(source)

# mistake values_not_projected (values), from plain
# The values are not projected; v_proj is never used.
# Next: Put the source through `self.v_proj` before the split.
#   self.v_proj(source) => source

# mistake queries_and_keys_swapped (shape, values), from plain
# Queries and keys are swapped: every key attends to queries.
# Next: `scaled_dot_product_attention(q, k, v, mask)`, in this order; a joint projection's rows are q, then k, then v.
#   self.q_proj(x) => self.k_proj(x)
#   self.k_proj(source) => self.q_proj(source)

# mistake residual_added (values), from plain
# x is added to the result; the residual connection belongs to the block.
# Next: Return out_proj's output alone.
#   self.out_proj(merge_heads(mixed)) => x + self.out_proj(merge_heads(mixed))

# mistake returns_the_weights_too (type), from plain
# The attention weights come back as well; asked for is the output alone.
# Next: Return one tensor.
#   self.out_proj(merge_heads(mixed)) => self.out_proj(merge_heads(mixed)), weights

# mistake remembers_the_first_call (shape, values, raises), from plain
# Keys and values of the first call are kept and used again in the next one.
# Next: Compute them anew in each call.
#            v = split_heads(self.v_proj(source), self.heads)
#   +        if not hasattr(self, "kept"):
#   +            self.kept = k, v
#   +        k, v = self.kept

# mistake weights_cut_off (property), from plain
# The attention weights are detached: queries and keys get no gradient.
# Next: Leave `.detach()` and `torch.no_grad` out.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        with torch.no_grad():
#   +            _, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        mixed = weights @ v

# mistake context_cut_off (property), from plain
# No gradient reaches the context: it is detached.
# Next: Leave `.detach()` out: the encoder that made the context must learn, too.
#   x if context is None else context => x if context is None else context.detach()
