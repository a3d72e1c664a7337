"""When two vectors count as the same, and when as different."""

import torch

#: Rounding moves the entries of unit vectors by less than `_OTHER`; what differs by less than `_SAME` may count as the same.
_SAME, _OTHER = 5e-5, 1e-5


def same(first: torch.Tensor, second: torch.Tensor) -> bool:
    return first.shape == second.shape and bool(((first - second).abs() < _SAME).all())


def differ(first: torch.Tensor, second: torch.Tensor) -> bool:
    return first.shape == second.shape and bool(((first - second).abs() > _OTHER).any())
