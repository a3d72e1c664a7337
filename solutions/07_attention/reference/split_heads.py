"""The right answer to 07.split_heads."""


import torch


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
