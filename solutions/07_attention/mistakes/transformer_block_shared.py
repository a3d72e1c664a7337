"""The Transformer block: wrong answers in which two names stand for one layer, by name."""

import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base

BLOCK = "07.TransformerBlock"


@base("plain")
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


altered(
    BLOCK, "norm2_is_norm1", "plain", {"self.norm2 = nn.LayerNorm(d_model)": "self.norm2 = self.norm1"}, stage="values",
    diagnosis="norm1 and norm2 are one and the same layer, with one weight and one bias.",
    next_step="Call nn.LayerNorm twice: each half has a norm with numbers of its own.",
)

altered(
    BLOCK, "norms_without_what_they_learned", "plain",
    {"first, second = self.norm1, self.norm2": "first = second = nn.LayerNorm(x.shape[-1], dtype=x.dtype)"}, stage="values",
    diagnosis="What normalises has weights of 1 and biases of 0: the numbers of norm1 and norm2 take no part.",
    next_step="Call `self.norm1` and `self.norm2` in forward; a norm that is made there has learned nothing.",
)
