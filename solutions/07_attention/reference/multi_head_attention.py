"""The right answer to 07.MultiHeadAttention."""


import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each in a slice of the width, mixed by a last linear layer.

    d_model  d, the width of what comes in and goes out
    heads    h, how many heads; it divides d_model, else the constructor raises ValueError
    bias     True if the four projections have biases

    Attributes: the nn.Linear layers q_proj, k_proj, v_proj and out_proj, each d to d; or one qkv_proj from d to 3 d
    instead of the first three, whose first d outputs are q, the next d are k, the last d are v. (Vaswani et al. 2017,
    section 3.2.2.)

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
        """Attend from x to context, or to x itself if there is none.

        x        tensor of shape (B, T, d): the queries are made of it
        context  tensor of shape (B, S, d): keys and values are made of it; None stands for x
        mask     bool tensor that broadcasts to (B, h, T, S), True = may attend
        returns  tensor of shape (B, T, d); a position that may attend to nothing gets out_proj's bias alone
        """
        source = x if context is None else context
        projected = self.q_proj(x), self.k_proj(source), self.v_proj(source)
        q, k, v = (rows.unflatten(-1, (self.heads, -1)).transpose(1, 2) for rows in projected)  # (B, h, T or S, d / h)
        mixed, _ = scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(mixed.transpose(1, 2).flatten(2))  # the slices of the heads side by side again
