"""The right answer to 07.TransformerBlock."""


import torch
import torch.nn as nn
import torch.nn.functional as F


class TransformerBlock(nn.Module):
    """Attention and a feed-forward net, each with a residual connection and a layer norm.

    "pre":  x = x + attention(norm1(x)), then x + ff2(gelu(ff1(norm2(x))))
    "post": x = norm1(x + attention(x)), then norm2(x + ff2(gelu(ff1(x))))

    d_model  d, the width
    heads    how many heads the attention has
    d_ff     the width inside the feed-forward net
    norm     "pre" or "post"; anything else raises ValueError

    Attributes: attention (a MultiHeadAttention with biases), norm1 and norm2 (nn.LayerNorm), ff1 (nn.Linear from d to
    d_ff) and ff2 (nn.Linear from d_ff to d). GELU may be the exact one or its tanh approximation. There is no dropout
    and no further norm behind the second sum. (Xiong et al. 2020, "On Layer Normalization in the Transformer".)

    >>> block = TransformerBlock(6, 2, 24)
    >>> block(torch.zeros(1, 3, 6)).shape
    torch.Size([1, 3, 6])
    """

    def __init__(self, d_model: int, heads: int, d_ff: int, norm: str = "pre") -> None:
        super().__init__()
        if norm not in ("pre", "post"):
            raise ValueError(f'norm is "pre" or "post", not {norm!r}')
        self.norm = norm
        self.attention = MultiHeadAttention(d_model, heads)
        self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.ff1, self.ff2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """One layer of the encoder.

        x        tensor of shape (B, T, d)
        mask     bool tensor that broadcasts to (B, h, T, T), True = may attend
        returns  tensor of shape (B, T, d)
        """
        if self.norm == "pre":
            x = x + self.attention(self.norm1(x), mask=mask)
            return x + self._feed_forward(self.norm2(x))
        x = self.norm1(x + self.attention(x, mask=mask))
        return self.norm2(x + self._feed_forward(x))

    def _feed_forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.ff2(F.gelu(self.ff1(x)))
