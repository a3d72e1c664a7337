"""The right numbers, arranged in another way: transposed, reversed, shifted, one short, in another order or shape."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from ...with_torch import torch
from .claim import ENOUGH, WEAK, Claim, Pair, evidence, evidence_of_places
from .nearness import close, same

__all__ = ["another_order", "another_shape", "axes_exchanged", "one_short", "reversed_or_shifted"]

_MOST_AXES = 4
_EACH_AXIS = "Print the shape after every line, and say what each axis is."
#: What is the same for any number of axes.
_MOVES: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "its last axis put first": lambda x: x.movedim(-1, 0),
    "its first axis put last": lambda x: x.movedim(0, -1),
    "its last two axes exchanged": lambda x: x.transpose(-1, -2),
    "its first two axes exchanged": lambda x: x.transpose(0, 1),
}
#: Fewer different numbers come in another order by coincidence; so do ids.
_DIFFERENT = 6


def axes_exchanged(pair: Pair) -> Iterator[Claim]:
    """Transposed, or permuted otherwise."""
    if not pair.numbers or not 2 <= pair.right.ndim <= _MOST_AXES or pair.right.ndim != pair.other.ndim:
        return
    kept, weight = tuple(range(pair.right.ndim)), evidence_of_places(pair.right)
    for order in itertools.permutations(kept):
        if order == kept or not same(pair.right.permute(order), pair.other):
            continue
        moved = [axis for axis in kept if order[axis] != axis]
        says = f"{{yours}} is {{right}} with axes {moved[0]} and {moved[1]} exchanged"
        if len(moved) > 2:
            says = f"{{yours}} is {{right}} with its axes in the order {order}"
        yield Claim(("axes", order), says, _EACH_AXIS, weight)
    for name, here in _MOVES.items():
        if same(here(pair.right), pair.other):
            yield Claim(("moved", name), f"{{yours}} is {{right}} with {name}", _EACH_AXIS, weight)


def another_shape(pair: Pair) -> Iterator[Claim]:
    """The right numbers in the right order, but in another shape."""
    if not pair.numbers or pair.right.shape == pair.other.shape or pair.right.numel() != pair.other.numel():
        return
    if not same(pair.right.flatten(), pair.other.flatten()):
        return
    if [size for size in pair.right.shape if size != 1] == [size for size in pair.other.shape if size != 1]:
        more = "many" if pair.other.ndim > pair.right.ndim else "few"
        if pair.other.ndim != pair.right.ndim:
            yield Claim(("ones", more), f"{{yours}} holds the right numbers, with an axis of size 1 too {more}")
    yield Claim(("shape",), "{yours} holds the right numbers in the right order; only the shape is another one")


def reversed_or_shifted(pair: Pair) -> Iterator[Claim]:
    """Back to front along an axis; one place further on or back."""
    if not pair.numbers or pair.right.shape != pair.other.shape:
        return
    weight = min(evidence(pair.right), 1)
    for axis, size in enumerate(pair.right.shape):
        if size < 2:
            continue
        if same(pair.right.flip(axis), pair.other):
            yield Claim(("reversed", axis), f"{{yours}} is {{right}} back to front along axis {axis}", "", weight)
        if size < 3:
            continue
        early, late = pair.right.narrow(axis, 0, size - 1), pair.right.narrow(axis, 1, size - 1)
        if same(early, pair.other.narrow(axis, 1, size - 1)) and not same(early, late):
            yield Claim(("late", axis), f"{{yours}} is {{right}} one position later along axis {axis}", "", weight)
        if same(late, pair.other.narrow(axis, 0, size - 1)) and not same(early, late):
            yield Claim(("early", axis), f"{{yours}} is {{right}} one position earlier along axis {axis}", "", weight)


def one_short(pair: Pair) -> Iterator[Claim]:
    """Entries missing at an end of an axis, or too many there."""
    if not pair.numbers or pair.right.ndim != pair.other.ndim or pair.right.numel() == 0 or pair.other.numel() == 0:
        return
    different = [axis for axis in range(pair.right.ndim) if pair.right.shape[axis] != pair.other.shape[axis]]
    if len(different) != 1:
        return
    (axis,) = different
    mine, theirs = pair.right.shape[axis], pair.other.shape[axis]
    short, long, what = (pair.other, pair.right, "lacks") if theirs < mine else (pair.right, pair.other, "has too many")
    for end, start in (("last", 0), ("first", abs(mine - theirs))):
        if same(long.narrow(axis, start, min(mine, theirs)), short):
            entries = "entry" if abs(mine - theirs) == 1 else "entries"
            count = "the" if what == "lacks" else "of the"
            says = f"{{yours}} {what} {count} {end} {entries} along axis {axis}; all else is right"
            yield Claim((what, end, axis), says, "Count by hand how many there should be, for a small size.", ENOUGH)


def another_order(pair: Pair) -> Iterator[Claim]:
    """The right numbers, sorted or mixed; within each line of an axis, or altogether."""
    if not pair.numbers or pair.right.shape != pair.other.shape or not pair.right.ndim:
        return
    whole = bool((pair.right == pair.right.round()).all())
    if whole or pair.right.unique().numel() < _DIFFERENT:
        return
    for axis in range(pair.right.ndim):
        mine, theirs = pair.right.sort(dim=axis).values, pair.other.sort(dim=axis).values
        if pair.right.shape[axis] > 1 and same(mine, theirs):
            for falling, word in ((False, "rising"), (True, "falling")):
                ordered = bool(close(pair.other, pair.other.sort(dim=axis, descending=falling).values).all())
                if ordered:
                    says = (
                        f"{{yours}} holds the right numbers in {word} order along axis {axis}, which the right result does not"
                    )
                    yield Claim(("sorted", axis, falling), says, evidence=1)
            yield Claim(("order", axis), f"{{yours}} holds the right numbers in another order along axis {axis}", evidence=WEAK)
    if same(pair.right.flatten().sort().values, pair.other.flatten().sort().values):
        yield Claim(("order",), "{yours} holds the right numbers at other positions", evidence=WEAK)
