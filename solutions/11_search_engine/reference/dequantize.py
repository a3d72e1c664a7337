"""The right answer to 11.dequantize."""

import torch


def dequantize(codes: torch.Tensor, scale: torch.Tensor, offset: torch.Tensor) -> torch.Tensor:
    """Turn 8-bit codes back into numbers: codes * scale + offset.

    codes    (N, d) uint8 tensor; N may be 0
    scale    (N, 1) floating tensor: one number for each row
    offset   (N, 1) tensor of the dtype of scale: one number for each row
    returns  (N, d) tensor of the dtype of scale

    >>> dequantize(torch.tensor([[0, 1, 200]], dtype=torch.uint8), torch.tensor([[0.5]]), torch.tensor([[1.0]]))
    tensor([[  1.0000,   1.5000, 101.0000]])
    """
    return codes * scale + offset
