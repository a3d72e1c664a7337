"""The right answer to 06.apply_rope."""

import torch


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Rotate queries or keys by their positions: rotary position embedding (Su et al. 2021).

    The components of a head are taken in pairs, and pair i at position p turns by the angle rope_angles(p)[i].
    Which components form a pair is free (neighbours, or one of each half), and so is the direction, as long as it is
    the same for all positions. So lengths stay, position 0 changes nothing, and the dot product of a
    vector at position p with one at position q depends on q - p alone.

    x          tensor of shape (B, h, T, head_dim), T at least 1, head_dim even
    positions  int64 tensor of shape (T,), none negative: the position of x[:, :, t] is positions[t]
    base       as in rope_angles
    returns    a new tensor of shape (B, h, T, head_dim); gradients flow back to x, to vectors of zeros too

    >>> x = torch.tensor([1.0, 0.0]).expand(1, 1, 3, 2)
    >>> lengths = apply_rope(x, torch.tensor([0, 1, 7])).norm(dim=-1)
    >>> torch.allclose(lengths, torch.ones(1, 1, 3))
    True
    """
    angles = rope_angles(positions.to(x.dtype), x.shape[-1], base)  # (T, head_dim / 2)
    cos, sin = angles.cos(), angles.sin()
    first, second = x[..., 0::2], x[..., 1::2]  # neighbours are pairs: (B, h, T, head_dim / 2)
    turned = torch.stack((first * cos - second * sin, first * sin + second * cos), dim=-1)
    return turned.flatten(-2)
