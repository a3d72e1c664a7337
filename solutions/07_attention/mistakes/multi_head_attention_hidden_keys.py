# exercise 07.MultiHeadAttention
"""Multi-head attention: wrong answers about what a mask hides, by name."""

import math

import torch
import torch.nn as nn


# mistake mask_ignored (values)
# The mask is not used.
# Next: Hand it on to the attention.
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


# mistake mask_turned_round (values), from mask_ignored
# The mask is read the wrong way round: True means may attend.
# Next: Hand the mask on as it is.
#   k, v => k, v, None if mask is None else ~mask

# mistake mask_gets_an_axis (raises), from mask_ignored
# The mask gets a further axis for the heads; it broadcasts to (B, heads, T, S) as it is.
# Next: Leave `unsqueeze` out: whoever calls has shaped the mask.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v)
#   -        return self.out_proj(merge_heads(mixed))
#   +        if mask is not None:
#   +            mask = mask.unsqueeze(1)
#   +        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        return self.out_proj(mixed.transpose(-3, -2).flatten(-2))

# mistake three_axes_taken_for_a_batch (values), from mask_ignored
# A mask with three axes is taken for one of each sentence; broadcast to (B, heads, T, S) its first axis is the heads.
# Next: Hand the mask on as it is: whoever calls has shaped it.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v)
#   +        if mask is not None and mask.dim() == 3:
#   +            mask = mask.unsqueeze(1)
#   +        mixed, weights = scaled_dot_product_attention(q, k, v, mask)

# mistake two_axes_taken_for_padding (values), from mask_ignored
# A mask with two axes is taken for one of real words, (B, S), where it fits; broadcast to (B, heads, T, S) it is (T, S).
# Next: Hand the mask on as it is: whoever calls has shaped it.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v)
#   +        if mask is not None and mask.shape == source.shape[:2]:
#   +            mask = mask[:, None, None, :]
#   +        mixed, weights = scaled_dot_product_attention(q, k, v, mask)

# mistake first_heads_mask_for_all (values), from mask_ignored
# All heads get the mask of head 0; a mask may have one for each head.
# Next: Hand the mask on as it is.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v)
#   +        if mask is not None and mask.dim() == 4:
#   +            mask = mask[:, :1]
#   +        mixed, weights = scaled_dot_product_attention(q, k, v, mask)

# mistake first_sentences_mask_for_all (values), from mask_ignored
# All sentences get the mask of the first one.
# Next: Hand the mask on as it is.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v)
#   +        if mask is not None and mask.dim() == 4:
#   +            mask = mask[:1]
#   +        mixed, weights = scaled_dot_product_attention(q, k, v, mask)

# mistake mask_only_without_context (values), from mask_ignored
# The mask is forgotten where there is a context.
# Next: Hand it on in both cases.
#   k, v => k, v, mask if context is None else None

# mistake uniform_without_keys (values), from mask_ignored
# What may attend to nothing gets the mean of all values; it should get out_proj's bias alone.
# Next: The weights of such a row must be zeros, as in your `scaled_dot_product_attention`.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v)
#   +        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
#   +        if mask is not None:
#   +            scores = scores.masked_fill(~mask, -1e9)
#   +        mixed = torch.softmax(scores, dim=-1) @ v

# mistake nan_without_keys (not finite), from mask_ignored
# What may attend to nothing becomes nan.
# Next: The weights of such a row must be zeros, as in your `scaled_dot_product_attention`.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v)
#   +        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
#   +        if mask is not None:
#   +            scores = scores.masked_fill(~mask, float("-inf"))
#   +        mixed = torch.softmax(scores, dim=-1) @ v

# mistake nan_in_the_gradients (not finite), from mask_ignored
# Forward all is well, but backward nan comes back from the rows without keys.
# Next: Minus infinity that is added lets the gradient through; `masked_fill` stops it.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v)
#   +        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
#   +        if mask is not None:
#   +            scores = scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
#   +        mixed = torch.softmax(scores, dim=-1).nan_to_num(0.0) @ v

# mistake zeros_behind_the_projection (values), from mask_ignored
# What may attend to nothing becomes zero altogether; out_proj still adds its bias.
# Next: Zero the weights, not the output.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v)
#   -        return self.out_proj(merge_heads(mixed))
#   +        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        output = self.out_proj(merge_heads(mixed))
#   +        return output * (merge_heads(weights.sum(-1, keepdim=True)).sum(-1, keepdim=True) > 0)

# mistake always_causal (values), from mask_ignored
# A causal mask is applied that nobody asked for.
# Next: Only the mask that is given counts; without one everything is allowed.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v)
#   +        hidden = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()
#   +        mixed, weights = scaled_dot_product_attention(q, k, v, hidden if mask is None else mask & hidden)
