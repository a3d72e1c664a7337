"""The right answer to 07.layer_norm."""

import torch


def layer_norm(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    """Give every row mean 0 and standard deviation 1, then scale by gamma and shift by beta, as PyTorch does.

    (x - mean) / sqrt(variance + eps) * gamma + beta, with the mean and the variance (the sum of squares divided by d,
    not by d - 1) of each row, the last axis (Ba et al. 2016).

    x            tensor of shape (..., d)
    gamma, beta  tensors of shape (d,)
    eps          added to the variance, so that rows of equal numbers stay finite
    returns      tensor of the shape of x, right to 1e-2 even where a row's mean is 10,000 times its
                 standard deviation

    >>> x = torch.tensor([[1.0, 3.0], [7.0, 7.0]])
    >>> layer_norm(x, torch.tensor([1.0, 1.0]), torch.tensor([0.0, 10.0]), eps=0.0001).round(decimals=3).tolist()
    [[-1.0, 11.0], [0.0, 10.0]]
    """
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.square().mean(dim=-1, keepdim=True)
    return centred / torch.sqrt(variance + eps) * gamma + beta
