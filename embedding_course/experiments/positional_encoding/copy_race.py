"""Train the copying task for every position encoding, over several seeds, since one seed is not enough."""

from collections.abc import Callable

import torch

from ...messages import translatable
from ..curves import Curves
from .copy_back import FURTHEST, STARTS, Turn, learned_table, train

SEEDS, STEPS = 5, 400
#: Labels of the position encodings.
WAYS = {
    "none": translatable("no positions"),
    "learned": translatable("learned"),
    "sinusoidal": translatable("sinusoidal"),
    "rope": translatable("RoPE"),
    "other_pairs": translatable("RoPE, other pairs"),
    "wrong_pairs": translatable("wrong layout"),
}

Answer = Callable[..., torch.Tensor]


def other_pairs(turn: Turn) -> Turn:
    """Return the same rotation with other pairs of dimensions: they are permuted, rotated, and permuted back.

    If `turn` pairs neighbours, the result pairs the halves, dimension i with dimension i + head_dim / 2.
    """
    return lambda x, positions: _deinterleave(turn(_interleave(x), positions))


def _interleave(x: torch.Tensor) -> torch.Tensor:  # This interleaves the two halves.
    return x.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)


def _deinterleave(x: torch.Tensor) -> torch.Tensor:
    return x.unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)


def measure(sinusoidal_positions: Answer, rope_angles: Answer, apply_rope: Answer) -> Curves:
    """Return the mean accuracy at each start over `SEEDS` runs of each encoding, and the extremes at position 100."""

    def wrongly_paired(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:  # Pairs are neighbours, angles are in halves.
        angles = rope_angles(positions, x.shape[-1]).to(x.dtype).repeat(1, 2)
        partner = torch.stack((-x[..., 1::2], x[..., 0::2]), dim=-1).flatten(-2)
        return x * angles.cos() + partner * angles.sin()

    ways = {
        "none": lambda: {},
        "learned": lambda: {"table": learned_table()},
        "sinusoidal": lambda: {"table": sinusoidal_positions(FURTHEST, 32).float()},
        "rope": lambda: {"turn": apply_rope},
        "other_pairs": lambda: {"turn": other_pairs(apply_rope)},
        "wrong_pairs": lambda: {"turn": wrongly_paired},
    }
    at_100, curves, numbers = STARTS.index(100), {}, {}
    for name, way in ways.items():
        runs = [train(**way(), seed=seed).accuracy for seed in range(SEEDS)]
        curves[name] = [(start, sum(shares) / SEEDS) for start, shares in zip(STARTS, zip(*runs, strict=True), strict=True)]
        numbers[f"{name}, lowest"] = min(run[at_100] for run in runs)
        numbers[f"{name}, highest"] = max(run[at_100] for run in runs)
    return Curves(0, STEPS, curves, numbers, WAYS)
