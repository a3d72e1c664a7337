"""Recognise two known mistakes in one answer, where neither is recognised alone since both affect every number.

The build computes in a few cases what two mistakes give together, and keeps some numbers of each: a checksum of shapes, types
and everything that is not a floating number, the largest entry, and three weighted sums.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..subject.tensors import torch
from .difference import outline_for
from .fingerprint import Recognised

if TYPE_CHECKING:
    from .case import Case
    from .exercise import Exercise
    from .fingerprint import Fingerprint
    from .observation import Observation
    from .trial import Trial

__all__ = ["NUMBERS", "PairPrints", "agree", "recognise_two", "signature"]

#: How many numbers stand for a result.
NUMBERS = 5
_RTOL = 1e-4
#: Checksums are kept in float32, which holds whole numbers up to 2**24.
_CHECKSUMS = 2**24


@dataclass(frozen=True, eq=False)
class PairPrints:
    """Numbers by which an answer with two known mistakes is recognised.

    `places` holds the positions of the cases, in order. `pairs` holds the names of two mistakes each. `numbers` is float32 of
    shape (pairs, places, NUMBERS), with nan where a pair raises.
    """

    places: tuple[int, ...]
    pairs: tuple[tuple[str, str], ...]
    numbers: torch.Tensor


def signature(exercise: Exercise, case: Case, observation: Observation) -> torch.Tensor:
    """Return (NUMBERS,) float32 numbers for the judged part of an observation; nan if it raised, or holds nan or inf."""
    nothing = torch.full((NUMBERS,), torch.nan)
    outlined = outline_for(exercise.compare, observation, case)
    if outlined is None or outlined.raised or outlined.modified:
        return nothing
    texts: list[str] = []
    tensors: list[torch.Tensor] = []
    _gather(outlined.value, texts, tensors)
    if not all(torch.isfinite(tensor).all() for tensor in tensors):
        return nothing
    largest = max((float(tensor.abs().max()) for tensor in tensors), default=0.0)
    sums = torch.zeros(3, dtype=torch.float64)
    for position, tensor in enumerate(tensors, start=1):
        sums += position**0.5 * tensor.double() @ _weights(tensor.numel())
    checksum = zlib.crc32("|".join(texts).encode()) % _CHECKSUMS
    return torch.cat([torch.tensor([checksum, largest], dtype=torch.float64), sums]).float()


def _gather(value: Any, texts: list[str], tensors: list[torch.Tensor]) -> None:
    """Return the floating numbers of an outline, and everything else as text."""
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        texts.append(f"{tuple(value.shape)} {value.dtype}")
        tensors.append(value.flatten() if value.numel() else torch.zeros(1))
    elif isinstance(value, float):
        tensors.append(torch.tensor([value]))
    elif isinstance(value, dict):
        for key, item in value.items():
            texts.append(str(key))
            _gather(item, texts, tensors)
    elif isinstance(value, list):
        texts.append(str(len(value)))
        for item in value:
            _gather(item, texts, tensors)
    else:
        texts.append(repr(value.tolist() if isinstance(value, torch.Tensor) else value))


def _weights(size: int) -> torch.Tensor:
    """Return (size, 3) numbers that are the same on every machine."""
    positions = torch.arange(1, 3 * size + 1, dtype=torch.float64)
    return torch.frac(positions * 0.6180339887498949).reshape(size, 3) - 0.5


def recognise_two(
    prints: PairPrints, known: Sequence[Fingerprint], trials: Sequence[Trial], exercise: Exercise
) -> Recognised | None:
    """Return the two known mistakes that together compute the results of an answer.

    None if no two do, or if no pair was recorded for the first failing case.

    Parameters
    ----------
    prints : PairPrints
        The numbers that pairs of mistakes leave in some cases.
    known : sequence of Fingerprint
        The mistakes by themselves.
    trials : sequence of Trial
        At least one of them fails.
    exercise : Exercise
    """
    first = next(index for index, trial in enumerate(trials) if trial.mismatch)
    if first not in prints.places:
        return None
    seen = torch.stack([signature(exercise, trials[index].case, trials[index].received) for index in prints.places])
    agreeing = agree(prints.numbers, seen).all(dim=-1)
    agreeing &= ~prints.numbers[:, prints.places.index(first)].isnan().any(dim=-1)
    apart = (prints.numbers - seen).abs().nan_to_num().amax(dim=(1, 2))
    by_name = {fingerprint.slug: fingerprint for fingerprint in known}
    for index in sorted(agreeing.nonzero().flatten().tolist(), key=lambda index: float(apart[index])):  # the nearest first
        if all(name in by_name for name in prints.pairs[index]):
            both = [by_name[name] for name in prints.pairs[index]]
            mistake, second = sorted(both, key=lambda mistake: mistake.traces[first] is None)  # seen there by itself
            return Recognised(mistake, second=second, together=True)
    return None


def agree(mine: torch.Tensor, theirs: torch.Tensor) -> torch.Tensor:
    """Return where two signatures agree within rounding, (…, places); two that are nan since both raised agree."""
    near = (mine - theirs).abs() <= _RTOL * theirs[..., 1:2].clamp(min=1e-6)
    near[..., 0] = mine[..., 0] == theirs[..., 0]
    return near.all(dim=-1) | (mine.isnan().any(dim=-1) & theirs.isnan().any(dim=-1))
