# exercise 07.MultiHeadAttention
"""Multi-head attention: wrong answers about the forward pass and its masks, by name."""

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
# Next: Cut only the last axis, and then swap T and h: `x.view(B, T, h, d // h).transpose(1, 2)`.
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
# Next: Attention works on the last two axes, which must be T and d / h: `x.view(B, T, h, d // h).transpose(1, 2)`.
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

# mistake context_as_long_as_x (raises), from plain
# The context is cut with the length of x; it may have another length.
# Next: Take the length of the context, S, for keys and values: `context.shape[1]`.
#   -        k = split_heads(self.k_proj(source), self.heads)
#   -        v = split_heads(self.v_proj(source), self.heads)
#   +        b, t, d = x.shape
#   +        k = self.k_proj(source).view(b, t, self.heads, d // self.heads).transpose(1, 2)
#   +        v = self.v_proj(source).view(b, t, self.heads, d // self.heads).transpose(1, 2)

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
# The attention weights come back as well, but the exercise asks for the output alone.
# Next: Return one tensor.
#   self.out_proj(merge_heads(mixed)) => self.out_proj(merge_heads(mixed)), weights

# mistake remembers_the_first_call (shape, values, raises), from plain
# Keys and values of the first call are kept and used again in the next one.
# Next: Compute them anew in each call.
#            v = split_heads(self.v_proj(source), self.heads)
#   +        if not hasattr(self, "kept"):
#   +            self.kept = k, v
#   +        k, v = self.kept

# mistake weights_cut_off (values), from plain
# The attention weights are detached: queries and keys get no gradient.
# Next: Leave `.detach()` and `torch.no_grad` out.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        with torch.no_grad():
#   +            _, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        mixed = weights @ v

# mistake input_cut_off (values), from plain
# No gradient reaches x: the queries are made of a detached copy.
# Next: Leave `.detach()` out: what stands below this layer must learn, too.
#   self.q_proj(x) => self.q_proj(x.detach())

# mistake context_cut_off (property), from plain
# No gradient reaches the context: it is detached.
# Next: Leave `.detach()` out: the encoder that made the context must learn, too.
#   x if context is None else context => x if context is None else context.detach()

# mistake mask_ignored (values), from plain
# The mask is not used.
# Next: Hand it on to the attention.
#   v, mask => v

# mistake mask_turned_round (values), from plain
# The mask is read the wrong way round: True means may attend.
# Next: Hand the mask on as it is.
#   v, mask => v, None if mask is None else ~mask

# mistake mask_gets_an_axis (raises), from plain
# The mask gets a further axis for the heads; it broadcasts to (B, heads, T, S) as it is.
# Next: Leave `unsqueeze` out: the mask already has its shape.
#            v = split_heads(self.v_proj(source), self.heads)
#   +        if mask is not None:
#   +            mask = mask.unsqueeze(1)
#   merge_heads(mixed) => mixed.transpose(-3, -2).flatten(-2)

# mistake three_axes_taken_for_a_batch (values), from plain
# A mask with three axes is taken for one of each sentence; broadcast to (B, heads, T, S) its first axis is the heads.
# Next: Pass the mask on unchanged: it already has its shape.
#            v = split_heads(self.v_proj(source), self.heads)
#   +        if mask is not None and mask.dim() == 3:
#   +            mask = mask.unsqueeze(1)

# mistake two_axes_taken_for_padding (values), from plain
# A mask with two axes is taken for one of real words, (B, S), where it fits; broadcast to (B, heads, T, S) it is (T, S).
# Next: Pass the mask on unchanged: it already has its shape.
#            v = split_heads(self.v_proj(source), self.heads)
#   +        if mask is not None and mask.shape == source.shape[:2]:
#   +            mask = mask[:, None, None, :]

# mistake first_heads_mask_for_all (values), from plain
# All heads get the mask of head 0; a mask may have one for each head.
# Next: Hand the mask on as it is.
#            v = split_heads(self.v_proj(source), self.heads)
#   +        if mask is not None and mask.dim() == 4:
#   +            mask = mask[:, :1]

# mistake first_sentences_mask_for_all (values), from plain
# All sentences get the mask of the first one.
# Next: Hand the mask on as it is.
#            v = split_heads(self.v_proj(source), self.heads)
#   +        if mask is not None and mask.dim() == 4:
#   +            mask = mask[:1]

# mistake mask_only_without_context (values), from plain
# The mask is forgotten where there is a context.
# Next: Hand it on in both cases.
#   v, mask => v, mask if context is None else None

# mistake uniform_without_keys (values), from plain
# What may attend to nothing gets the mean of all values; it should get out_proj's bias alone.
# Next: The weights of such a row must be zeros, as in your `scaled_dot_product_attention`.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
#   +        if mask is not None:
#   +            scores = scores.masked_fill(~mask, -1e9)
#   +        mixed = torch.softmax(scores, dim=-1) @ v

# mistake nan_without_keys (not finite), from plain
# What may attend to nothing becomes nan.
# Next: The weights of such a row must be zeros, as in your `scaled_dot_product_attention`.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
#   +        if mask is not None:
#   +            scores = scores.masked_fill(~mask, float("-inf"))
#   +        mixed = torch.softmax(scores, dim=-1) @ v

# mistake nan_in_the_gradients (not finite), from plain
# Forward all is well, but backward nan comes back from the rows without keys.
# Next: Minus infinity that is added lets the gradient through; `masked_fill` stops it.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
#   +        if mask is not None:
#   +            scores = scores + torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
#   +        mixed = torch.softmax(scores, dim=-1).nan_to_num(0.0) @ v

# mistake zeros_behind_the_projection (values), from plain
# What may attend to nothing becomes zero altogether; out_proj still adds its bias.
# Next: Zero the weights, not the output.
#   -        return self.out_proj(merge_heads(mixed))
#   +        output = self.out_proj(merge_heads(mixed))
#   +        return output * (merge_heads(weights.sum(-1, keepdim=True)).sum(-1, keepdim=True) > 0)

# mistake always_causal (values), from plain
# A causal mask is applied; use only the mask that is given.
# Next: Only the mask that is given counts; without one everything is allowed.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        hidden = torch.ones(q.shape[-2], k.shape[-2], dtype=torch.bool).tril()
#   +        mixed, weights = scaled_dot_product_attention(q, k, v, hidden if mask is None else mask & hidden)

# mistake not_square_taken_for_padding (raises), from plain
# A mask of two axes that is not square is taken for one of real words, (B, S); broadcast to (B, heads, T, S) it is (T, S).
# Next: Pass the mask on unchanged: it already has its shape.
#        def forward(self, x, context=None, mask=None):
#   +        if mask is not None and mask.dim() == 2 and mask.shape[0] != mask.shape[1]:
#   +            mask = mask[:, None, None, :]

# mistake minus_hundred (values), from plain
# A forbidden score of -100 is not low enough: real scores may be lower.
# Next: Use your `scaled_dot_product_attention`, or fill with `-math.inf`.
#   -        mixed, weights = scaled_dot_product_attention(q, k, v, mask)
#   +        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
#   +        if mask is not None:
#   +            scores = scores.masked_fill(~mask, -100.0)
#   +        weights = torch.softmax(scores, dim=-1)
#   +        if mask is not None:
#   +            weights = weights * mask.any(dim=-1, keepdim=True)
#   +        mixed = weights @ v

# mistake first_context_kept (values), from plain
# Keys and values of the first context are kept and used again for the next one.
# Next: Compute them anew in each call.
#            self.out_proj = nn.Linear(d_model, d_model, bias=bias)
#   +        self.kept = None
#            v = split_heads(self.v_proj(source), self.heads)
#   +        if context is not None:
#   +            if self.kept is None or self.kept[0].shape != k.shape:
#   +                self.kept = k, v
#   +            k, v = self.kept

# mistake last_context_kept (values), from plain
# The context is remembered: a call without one gets that of an earlier call.
# Next: Without a context, x itself is what is attended to, whatever came before.
#            self.out_proj = nn.Linear(d_model, d_model, bias=bias)
#   +        self.context = None
#        def forward(self, x, context=None, mask=None):
#   +        if context is not None:
#   +            self.context = context
#   +        context = self.context
