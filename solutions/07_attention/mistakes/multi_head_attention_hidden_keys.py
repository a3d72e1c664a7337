"""Multi-head attention: wrong answers about what a mask hides, by name."""

import math

import torch
import torch.nn as nn

from grader.course_source.catalogue import mistake

MULTI = "07.MultiHeadAttention"


@mistake(
    MULTI, "mask_ignored", stage="values",
    diagnosis="The mask is not used.",
    next_step="Hand it on to the attention.",
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
        mixed, weights = scaled_dot_product_attention(q, k, v)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "mask_turned_round", stage="values",
    diagnosis="The mask is read the wrong way round: True means may attend.",
    next_step="Hand the mask on as it is.",
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
        mixed, weights = scaled_dot_product_attention(q, k, v, None if mask is None else ~mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "mask_gets_an_axis", stage="raises",
    diagnosis="The mask gets a further axis for the heads; it broadcasts to (B, heads, T, S) as it is.",
    next_step="Leave `unsqueeze` out: whoever calls has shaped the mask.",
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
        if mask is not None:
            mask = mask.unsqueeze(1)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(mixed.transpose(-3, -2).flatten(-2))


@mistake(
    MULTI, "three_axes_taken_for_a_batch", stage="values",
    diagnosis="A mask with three axes is taken for one of each sentence; broadcast to (B, heads, T, S) its first axis is the "
    "heads.",
    next_step="Hand the mask on as it is: whoever calls has shaped it.",
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
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "two_axes_taken_for_padding", stage="values",
    diagnosis="A mask with two axes is taken for one of real words, (B, S), where it fits; broadcast to (B, heads, T, S) it is "
    "(T, S).",
    next_step="Hand the mask on as it is: whoever calls has shaped it.",
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
        if mask is not None and mask.shape == source.shape[:2]:
            mask = mask[:, None, None, :]
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "first_heads_mask_for_all", stage="values",
    diagnosis="All heads get the mask of head 0; a mask may have one for each head.",
    next_step="Hand the mask on as it is.",
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
        if mask is not None and mask.dim() == 4:
            mask = mask[:, :1]
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "first_sentences_mask_for_all", stage="values",
    diagnosis="All sentences get the mask of the first one.",
    next_step="Hand the mask on as it is.",
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
        if mask is not None and mask.dim() == 4:
            mask = mask[:1]
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "mask_only_without_context", stage="values",
    diagnosis="The mask is forgotten where there is a context.",
    next_step="Hand it on in both cases.",
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
        mixed, weights = scaled_dot_product_attention(q, k, v, mask if context is None else None)
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "uniform_without_keys", stage="values",
    diagnosis="What may attend to nothing gets the mean of all values; it should get out_proj's bias alone.",
    next_step="The weights of such a row must be zeros, as in your `scaled_dot_product_attention`.",
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
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, -1e9)
        mixed = torch.softmax(scores, dim=-1) @ v
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "nan_without_keys", stage="not finite",
    diagnosis="What may attend to nothing becomes nan.",
    next_step="The weights of such a row must be zeros, as in your `scaled_dot_product_attention`.",
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
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        mixed = torch.softmax(scores, dim=-1) @ v
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "nan_in_the_gradients", stage="not finite",
    diagnosis="Forward all is well, but backward nan comes back from the rows without keys.",
    next_step="Minus infinity that is added lets the gradient through; `masked_fill` stops it.",
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
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
        mixed = torch.softmax(scores, dim=-1).nan_to_num(0.0) @ v
        return self.out_proj(merge_heads(mixed))


@mistake(
    MULTI, "zeros_behind_the_projection", stage="values",
    diagnosis="What may attend to nothing becomes zero altogether; out_proj still adds its bias.",
    next_step="Zero the weights, not the output.",
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
        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
        output = self.out_proj(merge_heads(mixed))
        return output * (merge_heads(weights.sum(-1, keepdim=True)).sum(-1, keepdim=True) > 0)


@mistake(
    MULTI, "always_causal", stage="values",
    diagnosis="A causal mask is applied that nobody asked for.",
    next_step="Only the mask that is given counts; without one everything is allowed.",
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
        hidden = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()
        mixed, weights = scaled_dot_product_attention(q, k, v, hidden if mask is None else mask & hidden)
        return self.out_proj(merge_heads(mixed))
