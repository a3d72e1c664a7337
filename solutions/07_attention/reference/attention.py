"""Right answers: attention, its masks, its heads, and the block that is made of them."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, mask: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Let every query look at all keys and mix the values by how well they fit.

    weights = softmax(q kᵀ / sqrt(dk)) over the keys, output = weights v (Vaswani et al. 2017, equation 1).

    q        tensor of shape (..., T, dk): T queries; the leading axes, if any, are the same in q, k and v
    k        tensor of shape (..., S, dk): S keys
    v        tensor of shape (..., S, dv): a value for each key
    mask     bool tensor that broadcasts to (..., T, S), True = may attend; None allows everything
    returns  (output, weights) of shapes (..., T, dv) and (..., T, S), in the dtype of the inputs

    A query that may attend to nothing gets zeros in output and weights, and its gradients are finite. Scores up to
    1000 in size give finite weights.

    >>> q, k, v = torch.zeros(1, 4), torch.zeros(2, 4), torch.tensor([[1.0], [3.0]])
    >>> output, weights = scaled_dot_product_attention(q, k, v)
    >>> output.tolist(), weights.tolist()
    ([[2.0]], [[0.5, 0.5]])
    >>> scaled_dot_product_attention(q, k, v, torch.tensor([False, True]))[0].tolist()
    [[3.0]]
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (..., T, S)
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)  # a row without keys is nan until here
    return weights @ v, weights


def causal_mask(length: int) -> torch.Tensor:
    """The mask with which no position sees a later one.

    length   how many positions there are
    returns  bool tensor of shape (length, length), True = may attend: row i allows the columns 0 to i

    >>> causal_mask(3).int().tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    position = torch.arange(length)
    return position[None, :] <= position[:, None]


def split_heads(x: torch.Tensor, heads: int) -> torch.Tensor:
    """Cut the last axis into heads, and bring the heads in front of the positions.

    x        tensor of shape (B, T, d)
    heads    h, how many heads; it divides d, else ValueError is raised
    returns  tensor of shape (B, h, T, d / h): head i holds columns i * d / h to (i + 1) * d / h - 1 of x

    >>> x = torch.tensor([[[1, 2, 3, 4], [5, 6, 7, 8]]])
    >>> split_heads(x, 2).tolist()
    [[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]]
    """
    batch, time, width = x.shape
    if width % heads:
        raise ValueError(f"{heads} heads do not divide a width of {width}")
    return x.reshape(batch, time, heads, width // heads).transpose(1, 2)


def merge_heads(x: torch.Tensor) -> torch.Tensor:
    """Put the heads side by side again: the inverse of `split_heads`.

    x        tensor of shape (B, h, T, d / h)
    returns  tensor of shape (B, T, d): columns i * d / h to (i + 1) * d / h - 1 come from head i

    >>> merge_heads(torch.tensor([[[[1, 2], [5, 6]], [[3, 4], [7, 8]]]])).tolist()
    [[[1, 2, 3, 4], [5, 6, 7, 8]]]
    """
    return x.transpose(1, 2).flatten(2)


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each in a slice of the width, mixed by a last linear layer.

    d_model  d, the width of what comes in and goes out
    heads    h, how many heads; it divides d_model, else the constructor raises ValueError
    bias     do the four projections have biases?

    Attributes: the nn.Linear layers q_proj, k_proj, v_proj and out_proj, each d to d; or one qkv_proj from d to 3 d
    instead of the first three, whose output rows are q, then k, then v. (Vaswani et al. 2017, section 3.2.2.)

    >>> attention = MultiHeadAttention(6, 2)
    >>> attention(torch.zeros(1, 3, 6)).shape
    torch.Size([1, 3, 6])
    """

    def __init__(self, d_model: int, heads: int, bias: bool = True) -> None:
        super().__init__()
        if d_model % heads:
            raise ValueError(f"{heads} heads do not divide a width of {d_model}")
        self.heads = heads
        self.q_proj = nn.Linear(d_model, d_model, bias=bias)
        self.k_proj = nn.Linear(d_model, d_model, bias=bias)
        self.v_proj = nn.Linear(d_model, d_model, bias=bias)
        self.out_proj = nn.Linear(d_model, d_model, bias=bias)

    def forward(self, x: torch.Tensor, context: torch.Tensor | None = None, mask: torch.Tensor | None = None) -> torch.Tensor:
        """Attend from x to context, or to x itself where there is none.

        x        tensor of shape (B, T, d): the queries are made of it
        context  tensor of shape (B, S, d): keys and values are made of it; None stands for x
        mask     bool tensor that broadcasts to (B, h, T, S), True = may attend
        returns  tensor of shape (B, T, d); a position that may attend to nothing gets out_proj's bias alone
        """
        source = x if context is None else context
        q = split_heads(self.q_proj(x), self.heads)  # (B, h, T, d / h)
        k = split_heads(self.k_proj(source), self.heads)  # (B, h, S, d / h)
        v = split_heads(self.v_proj(source), self.heads)
        mixed, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(merge_heads(mixed))


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
