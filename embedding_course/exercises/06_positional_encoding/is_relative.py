"""A test that the learner writes, which tells whether an encoder is relative."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs
from ...checking.partial_credit import balanced
from .encoders import POSITIONS, encoder, member


def _run(candidate: Callable[..., Any], encode: Mapping[str, Any]) -> Any:
    return candidate(encoder(encode))


_PLACES = torch.arange(POSITIONS, dtype=torch.float64)
_SHARE = _PLACES / (POSITIONS - 1)
_STILL = torch.zeros_like(_PLACES)


_DRESSES = (
    "",
    "from another start",
    "all vectors longer or shorter",
    "weights the numbers of x first",
    "weights them, all vectors longer or shorter",
)


def _dressed(
    draw: RandomInputs, dress: int, clock: torch.Tensor, gain: torch.Tensor | float = 1.0, **faults: float
) -> dict[str, Any]:
    """Return an encoder with one of the five variations of `_DRESSES`, which leave a sound encoder sound."""
    start = draw.integer(1, 90) if dress else 0
    forward = draw.choice((1.0, -1.0)) if dress else 1.0
    level = draw.choice((0.5, 0.8, 1.3, 2.0)) if dress in (2, 4) else 1.0
    strain = draw.choice((0.3, 0.4, 0.5)) if dress in (3, 4) else 0.0
    return member(draw, start + forward * clock, level * gain, strain=strain, **faults)


def _sound(draw: RandomInputs, each: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield sound encoders, whose clocks run evenly, in each variation of `_DRESSES`."""
    for dress, label in enumerate(_DRESSES):
        for turn in range(1, each + 1):
            yield ", ".join(filter(None, ["turns evenly", label])) + f" ({turn})", _dressed(draw, dress, _PLACES)


def _faults(draw: RandomInputs) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name and the numbers of each fault; every broken encoder has one."""
    for growth in (0.025, 0.05, 0.4):
        yield "lengths grow with the position", {"gain": 1 + growth * _SHARE}
    for growth in (0.025, 0.05, 0.3):
        yield "lengths shrink with the position", {"gain": 1 / (1 + growth * _SHARE)}
    for more in (0.025, 0.06):
        yield "longer from position 256 on", {"gain": 1 + more * (_PLACES >= 256)}
    yield "longer from 128 to 383 only", {"gain": 1 + 0.06 * ((_PLACES >= 128) & (_PLACES < 384))}
    for more in (0.6, 0.9):
        yield "turns faster and faster", {"clock": _PLACES * (1 + more * _SHARE)}
    for change in (150, 220):
        yield "turns faster from the middle on", {"clock": _PLACES + 0.8 * (_PLACES - change).clamp(min=0)}
    for change in (120, 230):
        yield "stops turning half-way", {"clock": _PLACES.clamp(max=change)}
    yield "turns by random angles", {"clock": 1000 * draw.uniform(POSITIONS, dtype=torch.float64)}
    for added in (0.7, 1.5):
        yield "adds a vector for each position", {"clock": _STILL, "added": added}
        yield "turns evenly and adds a vector for each position", {"added": added}
    for sine in (0.5, 0.7):
        yield "mixes cosines and sines of two sizes", {"sine": sine}
    for _ in range(3):
        yield "turns by the index in the sequence, not by the position", {"clock": _STILL, "order": draw.choice((1.0, -1.0))}
    for _ in range(3):
        yield "never changes with the position", {"clock": _STILL}


def _broken(draw: RandomInputs, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield `count` broken encoders: the faults by turns, each with another variation the next time."""
    turns: Counter[str] = Counter()
    faults = chain.from_iterable(_faults(draw) for _ in range(count))
    for number, (name, fault) in enumerate(islice(faults, count)):
        turns[name] += 1
        yield f"{name} ({turns[name]})", _dressed(draw, number % len(_DRESSES), **{"clock": _PLACES, **fault})


_BECAUSE = {
    False: "This encoder is broken: dot products at one and the same offset differ, or its positions change nothing.",
    True: "This encoder is sound: a fixed weighting or length is the same at all positions.",
}

#: The sentences of the docstring that an encoder with such words in its name tries.
_TRIES = (
    ("turns evenly (", "Try `encode`"), ("turns evenly (", "returns True when encode"),
    ("or shorter", "returns the encoded"), ("longer from", "A drift of 2"), ("lengths", "A drift of 2"),
    ("turns evenly (", "A drift of 2"),
    ("index in the sequence", "An encoder that ignores"), ("index in the sequence", "x of shape"),
    ("never changes", "and differs for another"), ("never changes", "neither is one whose"),
)


def _cases(draw: RandomInputs) -> Iterator[Case]:
    encoders = [(name, numbers, True) for name, numbers in _sound(draw, 9)]
    encoders += [(name, numbers, False) for name, numbers in _broken(draw, 45)]
    for name, numbers, right in draw.shuffled(encoders):
        call = f"is_relative(encode) with an encoder that does this: {name.rsplit(' (', 1)[0]}"
        tries = (sentence for part, sentence in _TRIES if part in name)
        yield Case(name, {"encode": numbers}, "sound or broken", call=call, because=_BECAUSE[right]).trying(*tries)
    nothing = member(draw, _STILL)
    yield Case("docstring example", {"encode": nothing}, "sound or broken", call="is_relative(lambda x, positions: x)",
               because="It ignores its positions.").trying("An encoder", "returns True")


is_relative = Exercise(
    id="06.is_relative",
    title="A test for relative positions",
    why="A wrong encoder can train as well as a right one; a test of the property finds the wrong one.",
    difficulty=3,
    minutes=30,
    core=False,
    criteria=(
        Criterion("sound or broken", 3, "sound encoders are accepted and broken ones rejected, more often than by guessing",
                  balanced, tries=("It is relative",)),
    ),
    hints=(
        "Take two random vectors. Put one at position p and the other at p + 5, for several p from all over 0 to 511. "
        "What must their dot products have in common, and within which tolerance?",
        "Lengths are an offset too: offset 0. And an encoder that does nothing passes every test of equality: at two "
        "different offsets the dot products must differ.",
        "An encoder may use the index in the sequence and ignore the positions. With positions 0, 1, 2, ... both are the same: "
        "hand them over in another order, or with gaps. And do not demand more than the question: the encoded vector need not "
        "have x's length, and position 0 may change it.",
    ),
    draws=True,
    cases=_cases,
    run=_run,
)
