"""Right answers: vectors in less memory."""

import torch
import torch.nn.functional as F


def quantize_uint8(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Store every number in 8 bits, with a scale and an offset for each row.

    `codes * scale + offset` comes back to x within 0.51 * (max - min) / 255 in each row. A row of equal numbers comes
    back exactly.

    x        (N, d) floating tensor, d >= 1; N may be 0; no number is more than 300 times as large as its row's range,
             unless the row is constant
    returns  (codes, scale, offset): uint8 tensor (N, d), and two finite tensors (N, 1) of the dtype of x

    >>> codes, scale, offset = quantize_uint8(torch.tensor([[0.0, 51.0, 510.0], [7.0, 7.0, 7.0]]))
    >>> (codes * scale + offset).round().tolist()
    [[0.0, 52.0, 510.0], [7.0, 7.0, 7.0]]
    """
    offset = x.amin(dim=1, keepdim=True)  # (N, 1)
    scale = (x.amax(dim=1, keepdim=True) - offset) / 255
    steps = (x - offset) / scale.where(scale > 0, 1.0)  # from 0 to 255
    return steps.round().to(torch.uint8), scale, offset


def dequantize(codes: torch.Tensor, scale: torch.Tensor, offset: torch.Tensor) -> torch.Tensor:
    """Turn 8-bit codes back into numbers: codes * scale + offset.

    codes    (N, d) uint8 tensor; N may be 0
    scale    (N, 1) floating tensor: one number for each row
    offset   (N, 1) floating tensor: one number for each row
    returns  (N, d) tensor of the dtype of scale

    >>> dequantize(torch.tensor([[0, 1, 200]], dtype=torch.uint8), torch.tensor([[0.5]]), torch.tensor([[1.0]]))
    tensor([[  1.0000,   1.5000, 101.0000]])
    """
    return codes * scale + offset


def truncate_dimensions(x: torch.Tensor, keep: int) -> torch.Tensor:
    """Keep the first columns of each vector, and make what is left a unit vector.

    x        (N, d) floating tensor; N may be 0
    keep     how many columns to keep, at least 1; d or more keeps all of them
    returns  (N, min(keep, d)) tensor: rows of length 1; where only zeros are left, a row of zeros

    >>> truncate_dimensions(torch.tensor([[3.0, 4.0, 12.0], [0.0, 0.0, 1.0]]), keep=2)
    tensor([[0.6000, 0.8000],
            [0.0000, 0.0000]])

    Source: Kusupati et al., Matryoshka Representation Learning, 2022.
    """
    return F.normalize(x[:, :keep], dim=1)
