"""Position encoders to be tested: one family, whose sound and broken members differ in numbers alone.

A member writes a vector in a basis of its own, turns every coordinate there by a time that belongs to the position, and comes
back. Sound members have a clock that runs evenly; what the other numbers do is said at `member`. Each is kept as two random
numbers that make it up together, so that none of them tells at a glance what the member is.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import torch

from ...checking.exercise import RandomInputs

POSITIONS = 512


def member(
    draw: RandomInputs,
    clock: torch.Tensor,
    gain: torch.Tensor | float = 1.0,
    order: float = 0.0,
    added: float = 0.0,
    sine: float = 1.0,
    strain: float = 0.0,
) -> dict[str, Any]:
    """Return the numbers of one encoder.

    The seed of its basis and marks is drawn, and so is the speed of its fastest coordinate in radians per unit of time. The
    speed is below pi / 2, so that the nearest offsets already show that something turns.

    Parameters
    ----------
    draw : RandomInputs
        The source of random numbers.
    clock : tensor of shape (512,)
        The time at each position.
    gain : tensor of shape (512,) or float
        A factor for each position.
    order : float
        A time that is added for each position in the sequence.
    added : float
        The size of a vector of its own (a mark) that each position adds.
    sine : float
        A factor of the sine alone.
    strain : float
        How differently the numbers of x are weighted before everything else, at all positions alike.
    """
    gains = torch.as_tensor(gain, dtype=torch.float64).expand(POSITIONS)
    return {
        "seed": draw.seed(), "speed": float(draw.uniform(1, low=0.6, high=1.4)), "strain": strain,
        "clock": _as_a_sum(draw, clock, 1024.0), "gain": _as_a_product(draw, gains),
        "order": _as_a_sum(draw, torch.tensor(order), 1.0), "added": _as_a_sum(draw, torch.tensor(added), 1.0),
        "sine": _as_a_product(draw, torch.tensor(sine)),
    }


def _as_a_sum(draw: RandomInputs, value: torch.Tensor, size: float) -> torch.Tensor:
    """Return two float32 tensors, stacked to (2, ...), that sum to `value` within rounding.

    The first is rounded, which takes less space where the numbers are shipped.
    """
    part = size * draw.normal(*value.shape, dtype=torch.float64, scale=1024).round() / 1024
    return torch.stack([part, value - part]).float()


def _as_a_product(draw: RandomInputs, value: torch.Tensor) -> torch.Tensor:
    part = draw.uniform(*value.shape, low=32, high=128, dtype=torch.float64).round() / 64
    return torch.stack([part, value / part]).float()


@lru_cache(maxsize=256)
def _basis(width: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return speeds (d,), the largest of them 1, and a unitary basis (d, d), from a random skew-symmetric matrix."""
    entries = torch.randn(width, width, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))
    speeds, basis = torch.linalg.eigh(1j * (entries - entries.T))
    return speeds / speeds.abs().max(), basis


@lru_cache(maxsize=256)
def _marks(width: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a random vector for each position, (512, d), and a weight for each number of x, (d,)."""
    generator = torch.Generator().manual_seed(seed)
    weights = 2 * torch.rand(width, dtype=torch.float64, generator=generator) - 1
    return torch.randn(POSITIONS, width, dtype=torch.float64, generator=generator), weights


def _checked(x: torch.Tensor, positions: Any) -> torch.Tensor:
    """Return the positions as int64; raise ValueError if encode is not called as agreed."""
    if x.ndim != 4 or x.shape[-1] % 2 or not x.shape[-1]:
        raise ValueError(f"encode takes x of shape (1, 1, T, d) with d even; it was called with {tuple(x.shape)}")
    positions = torch.as_tensor(positions)
    if positions.shape != x.shape[2:3]:
        raise ValueError(f"encode takes a position for each of the {x.shape[2]} vectors, not {tuple(positions.shape)}")
    positions = positions.long()
    if positions.numel() and not 0 <= positions.min() <= positions.max() < POSITIONS:
        raise ValueError(f"positions run from 0 to {POSITIONS - 1}")
    return positions


def encoder(numbers: Mapping[str, Any]) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
    """Return the encoder with these numbers: encode(x (1, 1, T, d), positions (T,)) -> (1, 1, T, d)."""

    def encode(x: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        positions = _checked(x, positions)
        speeds, basis = _basis(x.shape[-1], numbers["seed"])
        marks, weights = _marks(x.shape[-1], numbers["seed"])
        clock, order, added = (numbers[name].double().sum(dim=0) for name in ("clock", "order", "added"))
        gain, sine = (numbers[name].double().prod(dim=0) for name in ("gain", "sine"))
        times = clock[positions] + order * torch.arange(len(positions))
        phases = numbers["speed"] * speeds * times[:, None]  # (T, d)
        factors = torch.complex(phases.cos(), sine * phases.sin())
        strained = x * (1 + numbers["strain"] * weights).to(x.dtype)
        exact = torch.complex64 if x.dtype == torch.float32 else torch.complex128
        basis, factors = basis.to(exact), factors.to(exact)
        moved = ((strained.to(exact) @ basis) * factors @ basis.mH).real
        encoded = gain[positions, None] * moved + added * marks[positions]
        return encoded.to(x.dtype)

    return encode
