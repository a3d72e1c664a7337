# exercise 07.TransformerBlock
"""The Transformer block: wrong answers in which two names stand for one layer, by name."""

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
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x, mask=None):
        first, second = self.norm1, self.norm2
        if self.norm == "pre":
            x = x + self.attention(first(x), mask=mask)
            return x + self.ff2(F.gelu(self.ff1(second(x))))
        x = first(x + self.attention(x, mask=mask))
        return second(x + self.ff2(F.gelu(self.ff1(x))))


# mistake norm2_is_norm1 (values), from plain
# norm1 and norm2 are one and the same layer, with one weight and one bias.
# Next: Call nn.LayerNorm twice: each half has a norm with numbers of its own.
#   self.norm2 = nn.LayerNorm(d_model) => self.norm2 = self.norm1

# mistake norms_without_what_they_learned (values), from plain
# What normalises has weights of 1 and biases of 0: the numbers of norm1 and norm2 take no part.
# Next: Call `self.norm1` and `self.norm2` in forward; a norm that is made there has learned nothing.
#   first, second = self.norm1, self.norm2 => first = second = nn.LayerNorm(x.shape[-1], dtype=x.dtype)
