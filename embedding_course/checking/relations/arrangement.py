"""The right numbers in another arrangement: transposed, reversed, shifted, one short, in another order or shape."""

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from ...messages import Code, Count, Message
from .claim import ENOUGH, WEAK, Claim, Pair, evidence, evidence_of_places
from .nearness import same

_MAX_AXES = 4
_EACH_AXIS = Message("Print the shape after every line, and write down what each axis is.")
#: Arrangements that exist for any number of axes.
_MOVES: dict[str, tuple[Message, Callable[[np.ndarray], np.ndarray]]] = {
    "last first": (Message("{Yours} is {right} with its last axis put first."), lambda x: np.moveaxis(x, -1, 0)),
    "first last": (Message("{Yours} is {right} with its first axis put last."), lambda x: np.moveaxis(x, 0, -1)),
    "last two": (Message("{Yours} is {right} with its last two axes exchanged."), lambda x: x.swapaxes(-1, -2)),
    "first two": (Message("{Yours} is {right} with its first two axes exchanged."), lambda x: x.swapaxes(0, 1)),
}
_ENDS = {
    ("lacks", "last"): Message("{Yours} ends too early along axis {axis}; what is there is right."),
    ("lacks", "first"): Message("{Yours} begins too late along axis {axis}; what is there is right."),
    ("has too many", "last"): Message("{Yours} goes on too long along axis {axis}; all else is right."),
    ("has too many", "first"): Message("{Yours} begins too early along axis {axis}; all else is right."),
}
_COUNT = Message("Count by hand how many there should be, for a small size.")
#: Fewer different numbers come in another order by coincidence; so do ids.
_DIFFERENT = 6


def axes_exchanged(pair: Pair) -> Iterator[Claim]:
    """Yield that axes are exchanged."""
    if not pair.numbers or not 2 <= pair.right.ndim <= _MAX_AXES or pair.right.ndim != pair.other.ndim:
        return
    kept, weight = tuple(range(pair.right.ndim)), evidence_of_places(pair.right)
    for order in itertools.permutations(kept):
        if order == kept or not same(pair.right.transpose(order), pair.other):
            continue
        moved = [axis for axis in kept if order[axis] != axis]
        says = Message(
            "{Yours} is {right} with the axes {one} and {other} exchanged.", one=Count(moved[0]), other=Count(moved[1])
        )
        if len(moved) > 2:
            says = Message("{Yours} is {right} with its axes in the order {order}.", order=Code(order))
        yield Claim(("axes", order), says, _EACH_AXIS, weight)
    for name, (says, move) in _MOVES.items():
        if same(move(pair.right), pair.other):
            yield Claim(("moved", name), says, _EACH_AXIS, weight)


def another_shape(pair: Pair) -> Iterator[Claim]:
    """Yield that the right numbers come in the right order, but in another shape."""
    if not pair.numbers or pair.right.shape == pair.other.shape or pair.right.size != pair.other.size:
        return
    if not same(pair.right.flatten(), pair.other.flatten()):
        return
    if [size for size in pair.right.shape if size != 1] == [size for size in pair.other.shape if size != 1]:
        if pair.other.ndim > pair.right.ndim:
            yield Claim(("ones", "many"), Message("{Yours} holds the right numbers, with an axis of size 1 too many."))
        elif pair.other.ndim < pair.right.ndim:
            yield Claim(("ones", "few"), Message("{Yours} holds the right numbers, and an axis of size 1 is missing."))
    yield Claim(("shape",), Message("{Yours} holds the right numbers in the right order; only the shape is another one."))


def reversed_or_shifted(pair: Pair) -> Iterator[Claim]:
    """Yield that an axis is reversed, or shifted by one position."""
    if not pair.numbers or pair.right.shape != pair.other.shape:
        return
    weight = min(evidence(pair.right), 1)
    for axis, size in enumerate(pair.right.shape):
        if size < 2:
            continue
        if same(np.flip(pair.right, axis), pair.other):
            says = Message("{Yours} is {right} in reverse order along axis {axis}.", axis=Count(axis))
            yield Claim(("reversed", axis), says, None, weight)
        if size < 3:
            continue
        early, late = _narrow(pair.right, axis, 0, size - 1), _narrow(pair.right, axis, 1, size - 1)
        if same(early, _narrow(pair.other, axis, 1, size - 1)) and not same(early, late):
            says = Message("{Yours} is {right} one position later along axis {axis}.", axis=Count(axis))
            yield Claim(("late", axis), says, None, weight)
        if same(late, _narrow(pair.other, axis, 0, size - 1)) and not same(early, late):
            says = Message("{Yours} is {right} one position earlier along axis {axis}.", axis=Count(axis))
            yield Claim(("early", axis), says, None, weight)


def one_short(pair: Pair) -> Iterator[Claim]:
    """Yield that entries are missing at an end of an axis, or too many there."""
    if not pair.numbers or pair.right.ndim != pair.other.ndim or pair.right.size == 0 or pair.other.size == 0:
        return
    different = [axis for axis in range(pair.right.ndim) if pair.right.shape[axis] != pair.other.shape[axis]]
    if len(different) != 1:
        return
    (axis,) = different
    mine, theirs = pair.right.shape[axis], pair.other.shape[axis]
    short, long, what = (pair.other, pair.right, "lacks") if theirs < mine else (pair.right, pair.other, "has too many")
    for end, start in (("last", 0), ("first", abs(mine - theirs))):
        if same(_narrow(long, axis, start, min(mine, theirs)), short):
            yield Claim((what, end, axis), _ENDS[what, end].fill(axis=Count(axis)), _COUNT, ENOUGH)


def _narrow(numbers: np.ndarray, axis: int, start: int, length: int) -> np.ndarray:
    """Return `length` entries along an axis, from `start` on."""
    return numbers[(slice(None),) * axis + (slice(start, start + length),)]


_SORTED = (
    Message("{Yours} holds the right numbers in rising order along axis {axis}, which the right result does not."),
    Message("{Yours} holds the right numbers in falling order along axis {axis}, which the right result does not."),
)


def another_order(pair: Pair) -> Iterator[Claim]:
    """Yield that the right numbers come in another order, along an axis or altogether."""
    if not pair.numbers or pair.right.shape != pair.other.shape or not pair.right.ndim:
        return
    whole = bool((pair.right == pair.right.round()).all())
    if whole or np.unique(pair.right).size < _DIFFERENT:
        return
    for axis in range(pair.right.ndim):
        mine, theirs = np.sort(pair.right, axis), np.sort(pair.other, axis)
        if pair.right.shape[axis] > 1 and same(mine, theirs):
            for falling, says in enumerate(_SORTED):
                if same(pair.other, np.flip(theirs, axis) if falling else theirs):
                    yield Claim(("sorted", axis, bool(falling)), says.fill(axis=Count(axis)), evidence=1)
            says = Message("{Yours} holds the right numbers in another order along axis {axis}.", axis=Count(axis))
            yield Claim(("order", axis), says, evidence=WEAK)
    if same(np.sort(pair.right, None), np.sort(pair.other, None)):
        yield Claim(("order",), Message("{Yours} holds the right numbers at other positions."), evidence=WEAK)
