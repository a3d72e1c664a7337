"""A test that the learner writes: is an encoder relative?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...share import balanced
from .encoders import POSITIONS, encoder, member

__all__ = ["is_relative"]


def _run(candidate: Callable[..., Any], encode: Mapping[str, Any]) -> Any:
    return candidate(encoder(encode))


_PLACES = torch.arange(POSITIONS, dtype=torch.float64)
_SHARE = _PLACES / (POSITIONS - 1)
_STILL = torch.zeros_like(_PLACES)


def _sound(draw: Draw) -> Iterator[tuple[str, dict[str, Any]]]:
    """Clocks that run evenly, whatever else is done to all positions alike."""

    def like(**numbers: Any) -> dict[str, Any]:
        start, forward = draw.integer(1, 90), draw.choice((1.0, -1.0))
        return member(draw.seed(), _speed(draw), start + forward * _PLACES, **numbers)

    for turn in range(1, 6):
        yield f"turns evenly from 0 on ({turn})", member(draw.seed(), _speed(draw), _PLACES)
    for turn in range(1, 6):
        yield f"turns evenly ({turn})", like()
    for turn in range(1, 5):
        yield f"turns evenly, all vectors longer or shorter ({turn})", like(gain=draw.choice((0.5, 0.8, 1.3, 2.0)))
    for turn in range(1, 5):
        yield f"weights the numbers of x, then turns evenly ({turn})", like(strain=draw.choice((0.3, 0.5)))
    for turn in range(1, 4):
        yield f"weights, turns evenly, all longer ({turn})", like(gain=1.7, strain=0.4)


def _broken(draw: Draw) -> Iterator[tuple[str, dict[str, Any]]]:
    """One fault each; what sound members may do too is done here as well."""

    def like(clock: torch.Tensor | None = None, **numbers: Any) -> dict[str, Any]:
        strain = draw.choice((0.0, 0.0, 0.4))
        start, forward = draw.integer(0, 90), draw.choice((1.0, -1.0))
        told = start + forward * (_PLACES if clock is None else clock)
        return member(draw.seed(), _speed(draw), told, **{"strain": strain, **numbers})

    for turn, growth in enumerate((0.05, 0.4, 0.025), 1):
        yield f"lengths grow with the position ({turn})", like(gain=1 + growth * _SHARE)
    for turn, growth in enumerate((0.05, 0.3, 0.025), 1):
        yield f"lengths shrink with the position ({turn})", like(gain=1 / (1 + growth * _SHARE))
    yield "longer from position 256 on", like(gain=1 + 0.06 * (_PLACES >= 256))
    yield "a little longer from position 256 on", like(gain=1 + 0.025 * (_PLACES >= 256))
    yield "longer from 128 to 383 only", like(gain=1 + 0.06 * ((_PLACES >= 128) & (_PLACES < 384)))
    for turn in (1, 2):
        yield f"turns faster and faster ({turn})", like(_PLACES * (1 + draw.choice((0.6, 0.9)) * _SHARE))
    for turn in (1, 2):
        change = draw.choice((150, 180, 220))
        yield f"turns faster from the middle on ({turn})", like(_PLACES + 0.8 * (_PLACES - change).clamp(min=0))
    for turn in (1, 2):
        yield f"stops turning half-way ({turn})", like(_PLACES.clamp(max=draw.choice((120, 180, 230))))
    yield "turns by random angles", like(1000 * draw.uniform(POSITIONS, dtype=torch.float64))
    yield "adds a vector for each position", like(_STILL, added=draw.choice((0.7, 1.0, 1.5)))
    yield "turns evenly and adds a vector for each position", like(added=draw.choice((0.7, 1.0, 1.5)))
    for turn, sine in enumerate((0.5, 0.7), 1):
        yield f"mixes cosines and sines of two sizes ({turn})", like(sine=sine)
    for turn in (1, 2, 3):
        yield f"turns by the place in the sequence, not by the position ({turn})", like(_STILL, order=draw.choice((1.0, -1.0)))
    for turn in (1, 2, 3):
        yield f"never changes with the position ({turn})", like(_STILL)


_BECAUSE = {
    False: "This encoder is broken: dot products at one and the same offset differ, or its positions change nothing.",
    True: "This encoder is sound: a fixed weighting or length is the same at all positions.",
}


def _speed(draw: Draw) -> float:
    """Below pi / 2: the nearest offsets already show that something turns."""
    return float(draw.uniform(1, low=0.6, high=1.4))


def _cases(draw: Draw) -> Iterator[Case]:
    found = [(name, numbers, True) for name, numbers in _sound(draw)]
    found += [(name, numbers, False) for name, numbers in _broken(draw)]
    for name, numbers, right in draw.shuffled(found):
        call = f"is_relative(encode) with an encoder that does this: {name.rsplit(' (', 1)[0]}"
        yield Case(name, {"encode": numbers}, "told apart", call=call, because=_BECAUSE[right])


is_relative = Exercise(
    id="06.is_relative",
    title="A test for relative positions",
    why="A wrong encoder trains just as happily as a right one: only a test of the property tells them apart.",
    difficulty=3,
    minutes=12,
    criteria=(Criterion("told apart", 3, "sound encoders are cleared and broken ones found, better than guessing", balanced),),
    hints=(
        "Take two random vectors. Put one at position p and the other at p + 5, for several p from all over 0 to 511. "
        "What must their dot products have in common, and within which tolerance?",
        "Lengths are an offset too: offset 0. And an encoder that does nothing passes every test of equality: at two "
        "different offsets the dot products must differ.",
        "An encoder may count places instead of reading the positions. With positions 0, 1, 2, ... nobody would notice: hand "
        "them over in another order, or with gaps. And do not demand more than the question: the encoded vector need not "
        "have x's length, and position 0 may change it.",
    ),
    cases=_cases,
    run=_run,
)
