"""The right answer to 07.feed_forward."""

import torch


def feed_forward(x: torch.Tensor, w1: torch.Tensor, b1: torch.Tensor, w2: torch.Tensor, b2: torch.Tensor) -> torch.Tensor:
    """Apply two linear layers with a ReLU between them to each position alone.

    relu(x w1ᵀ + b1) w2ᵀ + b2 (Vaswani et al. 2017, equation 2). The weights lie as in nn.Linear.

    x        tensor of shape (B, T, d)
    w1, b1   tensors of shapes (d_ff, d) and (d_ff,)
    w2, b2   tensors of shapes (d, d_ff) and (d,)
    returns  tensor of shape (B, T, d)

    >>> x, w1, w2 = torch.tensor([[[3.0]]]), torch.tensor([[1.0], [-1.0]]), torch.tensor([[10.0, 100.0]])
    >>> feed_forward(x, w1, torch.tensor([0.0, 1.0]), w2, torch.tensor([0.5])).tolist()
    [[[30.5]]]
    """
    hidden = torch.relu(x @ w1.T + b1)  # (B, T, d_ff)
    return hidden @ w2.T + b2
