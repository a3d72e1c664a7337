# exercise 07.TransformerBlock
"""The Transformer block: wrong answers about its other parts, by name."""

import torch
import torch.nn as nn
import torch.nn.functional as F


# base plain
class TransformerBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff, norm="pre"):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(norm)
        self.norm = norm
        self.attention = MultiHeadAttention(d_model, heads)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x, mask=None):
        if self.norm == "pre":
            x = x + self.attention(self.norm1(x), mask=mask)
            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


# mistake relu (values), from plain
# The activation is ReLU, but the exercise asks for GELU.
# Next: Use `F.gelu`.
#   F.gelu(self.ff1(self.norm2(x))) => F.relu(self.ff1(self.norm2(x)))
#   F.gelu(self.ff1(x)) => F.relu(self.ff1(x))

# mistake no_activation (values), from plain
# There is no activation between ff1 and ff2.
# Next: Put `F.gelu(...)` around ff1's output.
#   F.gelu(self.ff1(self.norm2(x))) => self.ff1(self.norm2(x))
#   F.gelu(self.ff1(x)) => self.ff1(x)

# mistake silu (values), from plain
# The activation is SiLU, but the exercise asks for GELU, exact or by tanh.
# Next: Use `F.gelu`.
#   F.gelu(self.ff1(self.norm2(x))) => F.silu(self.ff1(self.norm2(x)))
#   F.gelu(self.ff1(x)) => F.silu(self.ff1(x))

# mistake rough_gelu (values), from plain
# x · sigmoid(1.702 x) is only a rough GELU, but the exercise asks for the exact one or its tanh form.
# Next: Use `F.gelu`.
#   -            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
#   +            hidden = self.ff1(self.norm2(x))
#   +            return x + self.ff2(hidden * torch.sigmoid(1.702 * hidden))
#   -        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))
#   +        hidden = self.ff1(x)
#   +        return self.norm2(x + self.ff2(hidden * torch.sigmoid(1.702 * hidden)))

# mistake activation_at_the_end (values), from plain
# GELU stands behind ff2; it belongs between ff1 and ff2.
# Next: `self.ff2(F.gelu(self.ff1(...)))`.
#   self.ff2(F.gelu(self.ff1(self.norm2(x)))) => F.gelu(self.ff2(self.ff1(self.norm2(x))))
#   self.ff2(F.gelu(self.ff1(x))) => F.gelu(self.ff2(self.ff1(x)))

# mistake mask_not_handed_on (values), from plain
# The mask does not reach the attention, or your `MultiHeadAttention` does not use it.
# Next: `self.attention(..., mask=mask)`; if you write that, check `MultiHeadAttention` again.
#   self.norm1(x), mask=mask => self.norm1(x)
#   x, mask=mask => x

# mistake mask_as_context (raises, values), from plain
# The mask is handed on as the second argument of the attention, which is the context.
# Next: Hand it on by name: `mask=mask`.
#   self.norm1(x), mask=mask => self.norm1(x), mask
#   x, mask=mask => x, mask

# mistake mask_turned_round (values), from plain
# The mask is negated on its way; True means may attend all along.
# Next: Hand it on as it is.
#        def forward(self, x, mask=None):
#   +        mask = None if mask is None else ~mask

# mistake mask_in_pre_norm_only (values), from plain
# In post-norm the mask is forgotten.
# Next: Hand it on in both branches.
#   x, mask=mask => x

# mistake always_causal (values), from plain
# A causal mask is applied; use only the mask that is given.
# Next: Only the mask that is given counts.
#        def forward(self, x, mask=None):
#   +        hidden = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).tril()
#   +        mask = hidden if mask is None else mask & hidden

# mistake anything_accepted (property), from plain
# An unknown norm is accepted without a word.
# Next: Raise a ValueError in the constructor when norm is neither of the two.
#   -        if norm not in ("pre", "post"):
#   -            raise ValueError(norm)

# mistake anything_that_begins_so (property), from plain
# A word that only begins with pre or post is accepted, too.
# Next: Compare the whole word.
#   norm not in ("pre", "post") => not norm.startswith(("pre", "post"))

# mistake case_forgiven (property), from plain
# norm is turned into small letters first, so that "Pre" is taken; anything but the two words should raise.
# Next: Compare norm as it is.
#   norm not in ("pre", "post") => norm.lower() not in ("pre", "post")
#   self.norm = norm => self.norm = norm.lower()

# mistake comma_forgotten (property), from plain
# `("pre" "post")` is one word, "prepost", and every piece of it is `in` it.
# Next: Write a comma: `norm not in ("pre", "post")`.
#   "pre", "post" => "prepost"


# mistake torchs_attention_without_keys (not finite)
# nn.MultiheadAttention gives nan where a position may attend to nothing; the attention of the course gives zeros there.
# Next: Use your `MultiHeadAttention`.
class TransformerBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff, norm="pre"):
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(norm)
        self.norm, self.heads = norm, heads
        self.attention = nn.MultiheadAttention(d_model, heads, batch_first=True)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def attend(self, x, mask):
        b, t, _ = x.shape
        forbidden = None if mask is None else (~mask).expand(b, self.heads, t, t).flatten(0, 1)
        return self.attention(x, x, x, attn_mask=forbidden)[0]

    def forward(self, x, mask=None):
        if self.norm == "pre":
            x = x + self.attend(self.norm1(x), mask)
            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
        x = self.norm1(x + self.attend(x, mask))
        return self.norm2(x + self.ff2(F.gelu(self.ff1(x))))


# mistake assertion (raises), from plain
# `assert` raises an AssertionError, but the exercise asks for a ValueError.
# Next: Write `if norm not in (...): raise ValueError(...)`.
#   -        if norm not in ("pre", "post"):
#   -            raise ValueError(norm)
#   +        assert norm in ("pre", "post")

# mistake dropout_by_default (property), from plain
# There is dropout, so the output changes in training mode; the task has none.
# Next: Leave it out, or let its default be 0.
#            self.norm = norm
#   +        self.dropout = nn.Dropout(0.1)
#   self.attention(self.norm1(x), mask=mask) => self.dropout(self.attention(self.norm1(x), mask=mask))
#   self.ff2(F.gelu(self.ff1(self.norm2(x)))) => self.dropout(self.ff2(F.gelu(self.ff1(self.norm2(x)))))

# mistake attention_without_biases (property), from plain
# The attention was made without biases.
# Next: `MultiHeadAttention(d_model, heads)` has them.
#   MultiHeadAttention(d_model, heads) => MultiHeadAttention(d_model, heads, bias=False)

# mistake feed_forward_without_biases (property), from plain
# ff1 and ff2 were made without biases.
# Next: `nn.Linear` has them unless told otherwise.
#   ), nn.Linear(d_ff, d_model => , bias=False), nn.Linear(d_ff, d_model, bias=False

# mistake norms_without_weights (property), from plain
# norm1 and norm2 are no layer norms with weights to learn.
# Next: `nn.LayerNorm(d_model)`, without further arguments.
#   nn.LayerNorm(d_model), nn.LayerNorm(d_model) => (nn.LayerNorm(d_model, elementwise_affine=False) for _ in range(2))

# mistake feed_forward_in_a_sequence (property), from plain
# An attribute is missing, but the exercise asks for attention, norm1, norm2, ff1 and ff2, all on `self`.
# Next: Keep every part under its own name, ff1 and ff2 too: no nn.Sequential around them.
#   -        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
#   +        self.ff = nn.Sequential(nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model))
#   self.ff2(F.gelu(self.ff1(self.norm2(x)))) => self.ff(self.norm2(x))
#   self.ff2(F.gelu(self.ff1(x))) => self.ff(x)

# mistake d_ff_ignored (property), from plain
# A weight has the wrong size: ff1 leads from d_model to d_ff, ff2 back, for any d_ff.
# Next: `nn.Linear(d_model, d_ff)` and `nn.Linear(d_ff, d_model)`.
#   nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model) => nn.Linear(d_model, 4 * d_model), nn.Linear(4 * d_model, d_model)

# mistake heads_ignored (values), from plain
# The attention has one head, whatever is asked for.
# Next: Hand `heads` on.
#   MultiHeadAttention(d_model, heads) => MultiHeadAttention(d_model, 1)
#        def forward(self, x, mask=None):
#   +        if mask is not None and mask.dim() == 4:
#   +            mask = mask[:, :1]

# mistake super_forgotten (raises), from plain
# torch refuses to keep layers before `super().__init__()` was called.
# Next: Call it first in the constructor.
#   -        super().__init__()

# mistake adds_in_place (property), from plain
# `x += ...` changes the caller's tensor.
# Next: Write `x = x + ...`.
#   x = x + self.attention(self.norm1(x), mask=mask) => x += self.attention(self.norm1(x), mask=mask)

# mistake residual_cut_off (values), from plain
# x is detached on its way round: the gradient of the residual connection is missing.
# Next: Leave `.detach()` out.
#   x + self.attention(self.norm1(x), mask=mask) => x.detach() + self.attention(self.norm1(x), mask=mask)
#   x + self.attention(x, mask=mask) => x.detach() + self.attention(x, mask=mask)
