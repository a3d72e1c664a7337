"""The right answer to 06.rope_angles."""

import torch


def rope_angles(positions: torch.Tensor, head_dim: int, base: float = 10000.0) -> torch.Tensor:
    """Return the angle by which each pair of components turns at each position (Su et al. 2021, RoFormer, section 3.2.2).

    positions  tensor of shape (T,), int64 or floating: any positions, negative ones too, in any order
    head_dim   the width of a head, even
    base       how far the slowest pair is slowed down
    returns    tensor of shape (T, head_dim / 2), floating: column i is positions · base^(-2i / head_dim), in
               radians and not reduced to one turn; float64 positions give float64

    >>> rope_angles(torch.tensor([0, 1, 5]), 4, base=100.0)
    tensor([[0.0000, 0.0000],
            [1.0000, 0.1000],
            [5.0000, 0.5000]])
    """
    exponents = -torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim  # -2i / head_dim
    angles = positions[:, None] * base**exponents  # (T, head_dim / 2)
    return angles.to(positions.dtype if positions.is_floating_point() else torch.float32)
