# exercise 07.TransformerBlock
"""The Transformer block: wrong answers about norms and residual connections, in both forms or in one, by name."""

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


# mistake pre_and_post_swapped (values), from plain
# Pre-norm and post-norm are swapped.
# Next: Pre-norm is the one in which x itself is never normalised.
#   self.norm == "pre" => self.norm == "post"

# mistake norm_ignored (values), from plain
# It is pre-norm whatever is asked for.
# Next: Ask for self.norm in forward.
#   self.norm == "pre" => self.norm in ("pre", "post")

# mistake always_post (values), from plain
# It is post-norm whatever is asked for.
# Next: Ask for self.norm in forward.
#   self.norm == "pre" => self.norm == "neither"

# mistake post_by_default (values), from plain
# Without a word it is post-norm; the default is pre-norm.
# Next: Keep the signature: norm="pre".
#   norm="pre" => norm="post"

# mistake first_residual_missing (values), from plain
# Attention replaces x; it should be added to it.
# Next: `x = x + ...` in both halves.
#   x + self.attention(self.norm1(x), mask=mask) => self.attention(self.norm1(x), mask=mask)
#   x + self.attention(x, mask=mask) => self.attention(x, mask=mask)

# mistake second_residual_missing (values), from plain
# The feed-forward net replaces x; it should be added to it.
# Next: `x + ...` in both halves.
#   x + self.ff2(F.gelu(self.ff1(self.norm2(x)))) => self.ff2(F.gelu(self.ff1(self.norm2(x))))
#   x + self.ff2(F.gelu(self.ff1(x))) => self.ff2(F.gelu(self.ff1(x)))

# mistake residual_of_the_normalised (values), from plain
# In pre-norm the normalised x is added; the residual connection carries x as it came.
# Next: Keep x, and normalise only what goes into the attention.
#   -            x = x + self.attention(self.norm1(x), mask=mask)
#   -            return x + self.ff2(F.gelu(self.ff1(self.norm2(x))))
#   +            x = self.norm1(x)
#   +            x = x + self.attention(x, mask=mask)
#   +            x = self.norm2(x)
#   +            return x + self.ff2(F.gelu(self.ff1(x)))

# mistake residual_added_twice (values), from plain
# x is added a second time at the end.
# Next: Each half adds to what the half before it left.
#   x + self.ff2(F.gelu(self.ff1(self.norm2(x)))) => 2 * x + self.ff2(F.gelu(self.ff1(self.norm2(x))))

# mistake first_x_added_at_the_end (values), from plain
# The feed-forward half is added to the x that came in; what attention added is lost there.
# Next: The second half works on the new x.
#   x = x + self.attention(self.norm1(x), mask=mask) => y = x + self.attention(self.norm1(x), mask=mask)
#   self.norm2(x) => self.norm2(y)

# mistake halves_side_by_side (values), from plain
# Both halves read the x that came in; the second one should read what the first one left.
# Next: First attention, then the feed-forward net.
#   x = x + self.attention(self.norm1(x), mask=mask) => y = self.attention(self.norm1(x), mask=mask)
#   x + self.ff2(F.gelu(self.ff1(self.norm2(x)))) => x + y + self.ff2(F.gelu(self.ff1(self.norm2(x))))

# mistake feed_forward_first (values), from plain
# The feed-forward half comes first; attention should.
# Next: Attention with norm1, then the feed-forward net with norm2.
#   self.attention(self.norm1(x), mask=mask) => self.ff2(F.gelu(self.ff1(self.norm2(x))))
#   self.ff2(F.gelu(self.ff1(self.norm2(x)))) => self.attention(self.norm1(x), mask=mask)

# mistake norms_swapped (values), from plain
# norm2 stands before the attention and norm1 before the feed-forward net.
# Next: norm1 belongs to the attention.
#   self.norm1(x) => self.norm2(x)
#   self.norm2(x) => self.norm1(x)

# mistake one_norm_for_both (values), from plain
# norm1 serves both halves; norm2 is never used.
# Next: The second half has a norm of its own.
#   self.norm2(x) => self.norm1(x)
#   self.norm2(x + self.ff2(F.gelu(self.ff1(x)))) => self.norm1(x + self.ff2(F.gelu(self.ff1(x))))

# mistake only_queries_normalised (values), from plain
# Only the queries are normalised; keys and values are made of the raw x.
# Next: Give the attention the normalised x alone, without a context.
#   self.norm1(x), mask=mask => self.norm1(x), context=x, mask=mask

# mistake second_half_not_normalised (values), from plain
# In pre-norm the feed-forward net gets the raw x.
# Next: Put norm2 around it: `self.ff1(self.norm2(x))`.
#   self.norm2(x) => x

# mistake norm_inside_the_sum (values), from plain
# In post-norm what is added is normalised; it should be the sum.
# Next: `self.norm1(x + ...)`, with x inside the brackets.
#   self.norm1(x + self.attention(x, mask=mask)) => x + self.norm1(self.attention(x, mask=mask))
#   self.norm2(x + self.ff2(F.gelu(self.ff1(x)))) => x + self.norm2(self.ff2(F.gelu(self.ff1(x))))

# mistake normalised_at_the_end (values), from plain
# There is one more norm behind the second sum; in pre-norm there is none.
# Next: Return the sum itself.
#   x + self.ff2(F.gelu(self.ff1(self.norm2(x)))) => self.norm2(x + self.ff2(F.gelu(self.ff1(self.norm2(x)))))

# mistake post_norm_without_the_last (values), from plain
# In post-norm the second sum is not normalised.
# Next: Put norm2 around it.
#   self.norm2(x + self.ff2(F.gelu(self.ff1(x)))) => x + self.ff2(F.gelu(self.ff1(x)))

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
# Next: Post-norm: `self.norm1(x + ...)`, with x inside the brackets.
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
