"""Results that are right except for some entries, whose positions are described so that a reader can check them."""

from collections.abc import Iterator

import numpy as np

from ...messages import Code, Count, Message
from .claim import ENOUGH, WEAK, Claim, Pair
from .nearness import close

#: Key, description and index of a part.
_Region = tuple[tuple[object, ...], Message, np.ndarray]

#: Regions of one index of an axis, in which every wrong entry counts.
_ONE_INDEX = ("first", "last")


def right_elsewhere(pair: Pair) -> Iterator[Claim]:
    """Yield claims on where the wrong entries lie: in a region that has a name, or at all but one end of an axis."""
    if not pair.numbers or pair.right.shape != pair.other.shape or pair.right.size < 2:
        return
    wrong = ~close(pair.right, pair.other)
    for key, words, region in _regions(pair):
        inside = np.broadcast_to(region, wrong.shape)
        if (wrong & ~inside).any():
            continue
        count = int(wrong.sum()) if key[0] in _ONE_INDEX else _cells(wrong, region)
        weight = _weight(count, int((~region).sum()))
        yield Claim(("places", *key), Message("{Yours} is wrong only {where}.", where=words), None, weight)
    yield from _right_at_one_end(pair.right, wrong)


def _cells(wrong: np.ndarray, region: np.ndarray) -> int:
    """Return how many entries of the region, which may be whole rows, hold something wrong."""
    axes = tuple(axis for axis, size in enumerate(region.shape) if size == 1 and wrong.shape[axis] > 1)
    return int((wrong.any(axis=axes) if axes else wrong).sum())


def _weight(wrong: int, outside: int) -> float:
    """Return how much a region tells: WEAK or 0, since even wrong entries at random lie in some region."""
    return WEAK if min(wrong, outside) >= ENOUGH else 0


_RIGHT_AT = {
    "first": Message("{Yours} is right throughout at the first index of axis {axis} alone."),
    "last": Message("{Yours} is right throughout at the last index of axis {axis} alone."),
}


def _right_at_one_end(right: np.ndarray, wrong: np.ndarray) -> Iterator[Claim]:
    """Yield a claim if, along an axis, only the first or only the last index has no wrong entry."""
    for axis, size in enumerate(right.shape if right.ndim > 1 else ()):
        somewhere = np.any(np.moveaxis(wrong, axis, 0).reshape(size, -1), axis=1)  # (size,)
        for end, index in (("first", 0), ("last", size - 1)):
            others = np.arange(size) != index
            if size and not somewhere[index] and somewhere[others].all():
                weight = WEAK if size > 2 else 0
                yield Claim(("right at", end, axis), _RIGHT_AT[end].fill(axis=Count(axis)), None, weight)


def _regions(pair: Pair) -> Iterator[_Region]:
    yield from _of_inputs(pair)
    yield from _of_the_result(pair.right)


def _of_the_result(right: np.ndarray) -> Iterator[_Region]:
    for axis, size in enumerate(right.shape):
        index = np.arange(size).reshape([-1 if at == axis else 1 for at in range(right.ndim)])
        yield (("last", axis), Message("at the last index of axis {axis}", axis=Count(axis)), index == size - 1)
        yield (("first", axis), Message("at index 0 of axis {axis}", axis=Count(axis)), index == 0)
    if right.ndim >= 2 and right.shape[-1] == right.shape[-2] > 1:
        square = np.ones(right.shape[-2:], dtype=bool)
        yield (("diagonal",), Message("on the diagonal"), np.eye(right.shape[-1], dtype=bool))
        yield (("above",), Message("above the diagonal"), np.triu(square, 1))
        yield (("below",), Message("below the diagonal"), np.tril(square, -1))
        if np.diagonal(right, axis1=-2, axis2=-1).any():  # that a diagonal of zeros is right tells nothing
            yield (("off",), Message("off the diagonal"), ~np.eye(right.shape[-1], dtype=bool))
    yield (("zero",), Message("where the right result is 0"), right == 0)
    yield (("negative",), Message("where the right result is negative"), right < 0)


def _of_inputs(pair: Pair) -> Iterator[_Region]:
    """Yield regions that an input marks: masked positions, repeated ids, rows that an id names."""
    right = pair.right
    for name, value in pair.given.items():
        if not isinstance(value, np.ndarray) or not value.size:
            continue
        for key, words, where in _marked(name, value):
            if where.shape == right.shape[: where.ndim]:
                yield (key, words, where.reshape(*where.shape, *[1] * (right.ndim - where.ndim)))
        if value.dtype == np.int64 and right.ndim and int(value.min()) >= 0 and int(value.max()) < right.shape[0]:
            counts = np.bincount(value.flatten(), minlength=right.shape[0])
            rows = [-1, *[1] * (right.ndim - 1)]
            yield (
                ("rows repeated", name),
                Message("in the rows of ids that occur more than once in `{name}`", name=Code(name)),
                (counts > 1).reshape(rows),
            )
            yield (
                ("rows absent", name),
                Message("in the rows of ids that do not occur in `{name}`", name=Code(name)),
                (counts == 0).reshape(rows),
            )
            yield (
                ("rows present", name),
                Message("in the rows of ids that occur in `{name}`", name=Code(name)),
                (counts > 0).reshape(rows),
            )


def _marked(name: str, value: np.ndarray) -> Iterator[_Region]:
    if value.dtype == np.bool_:
        yield (("false", name), Message("where `{name}` is False", name=Code(name)), ~value)
        yield (("true", name), Message("where `{name}` is True", name=Code(name)), value)
        if value.ndim == 2:
            yield (
                ("rows without", name),
                Message("in rows of `{name}` without a True", name=Code(name)),
                ~np.any(value, axis=1),
            )
            yield (("rows with", name), Message("in rows of `{name}` with a True", name=Code(name)), np.any(value, axis=1))
            yield (("rows padded", name), Message("in rows of `{name}` with a False", name=Code(name)), ~np.all(value, axis=1))
        return
    if value.dtype == np.int64:
        _, back, counts = np.unique(value.flatten(), return_inverse=True, return_counts=True)
        yield (
            ("repeated", name),
            Message("where `{name}` holds an id that occurs more than once", name=Code(name)),
            (counts > 1)[back].reshape(value.shape),
        )
    yield (("zero", name), Message("where `{name}` is 0", name=Code(name)), value == 0)
    yield (("negative", name), Message("where `{name}` is negative", name=Code(name)), value < 0)
    if value.ndim == 2:
        yield (
            ("zero rows", name),
            Message("in rows of `{name}` that are all zeros", name=Code(name)),
            np.all(value == 0, axis=1),
        )
        yield (("rows with zeros", name), Message("in rows of `{name}` with a 0", name=Code(name)), np.any(value == 0, axis=1))
