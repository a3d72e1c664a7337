# exercise 07.TransformerBlock
"""The Transformer block: wrong answers in one of the two forms, while the other is right, by name."""

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


# mistake first_residual_missing_in_pre_norm (values), from plain
# In pre-norm attention replaces x; it should be added to it.
# Next: Pre-norm: add x to what attention makes of `self.norm1(x)`.
#   x + self.attention(self.norm1(x), mask=mask) => self.attention(self.norm1(x), mask=mask)

# mistake second_residual_missing_in_pre_norm (values), from plain
# In pre-norm the feed-forward net replaces x; it should be added to it.
# Next: Pre-norm ends with `x + ...`, the new x plus the feed-forward net.
#   x + self.ff2(F.gelu(self.ff1(self.norm2(x)))) => self.ff2(F.gelu(self.ff1(self.norm2(x))))

# mistake one_norm_for_both_in_pre_norm (values), from plain
# In pre-norm, norm1 serves both halves; the feed-forward net should read norm2(x).
# Next: Pre-norm: `self.ff1(self.norm2(x))`.
#   self.norm2(x) => self.norm1(x)

# mistake activation_at_the_end_in_pre_norm (values), from plain
# In pre-norm GELU stands behind ff2; it belongs between ff1 and ff2.
# Next: Pre-norm: `self.ff2(F.gelu(self.ff1(...)))`.
#   self.ff2(F.gelu(self.ff1(self.norm2(x)))) => F.gelu(self.ff2(self.ff1(self.norm2(x))))

# mistake first_residual_missing_in_post_norm (values), from plain
# In post-norm attention replaces x; norm1 should read the sum of both.
# Next: Post-norm: `x = self.norm1(x + self.attention(x, mask=mask))`.
#   x + self.attention(x, mask=mask) => self.attention(x, mask=mask)

# mistake second_residual_missing_in_post_norm (values), from plain
# In post-norm the feed-forward net replaces x; norm2 should read the sum of both.
# Next: Post-norm: `self.norm2(x + ...)`, with x inside the brackets.
#   x + self.ff2(F.gelu(self.ff1(x))) => self.ff2(F.gelu(self.ff1(x)))

# mistake one_norm_for_both_in_post_norm (values), from plain
# In post-norm, norm1 stands around both sums; norm2 belongs around the second.
# Next: Post-norm ends with `self.norm2(x + ...)`.
#   self.norm2(x + self.ff2(F.gelu(self.ff1(x)))) => self.norm1(x + self.ff2(F.gelu(self.ff1(x))))

# mistake first_x_added_at_the_end_in_post_norm (values), from plain
# In post-norm the second sum adds the x that came in; it should add what norm1 returned.
# Next: Give norm1's result the name x: `x = self.norm1(...)`, and use it twice below.
#   x = self.norm1(x + self.attention(x, mask=mask)) => y = self.norm1(x + self.attention(x, mask=mask))
#   self.ff1(x) => self.ff1(y)

# mistake activation_at_the_end_in_post_norm (values), from plain
# In post-norm GELU stands behind ff2; it belongs between ff1 and ff2.
# Next: Post-norm: `self.ff2(F.gelu(self.ff1(...)))`.
#   self.ff2(F.gelu(self.ff1(x))) => F.gelu(self.ff2(self.ff1(x)))
