"""Draw rows of a split: the same rows for the same seed, with clear errors for wrong arguments."""

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

Row = TypeVar("Row")


def some_of(splits: Mapping[str, Sequence[Row]], split: str, size: int | None, seed: int) -> list[Row]:
    """Return `size` different rows of a split (None: all of them), in an order that depends on the seed.

    Raises
    ------
    ValueError
        For an unknown split, a size that is not a whole number from 0 to the number of rows, or a seed that is not a whole
        number from 0. The message names the allowed values.

    Examples
    --------
    >>> some_of({"train": "abcdef", "test": "xy"}, "train", 3, seed=0)
    ['d', 'f', 'a']
    """
    if split not in splits:
        raise ValueError(f"no split {split!r}: there are {', '.join(splits)}")
    if not (_whole(seed) and seed >= 0):
        raise ValueError(f"seed {seed!r}: a whole number from 0 on")
    rows = splits[split]
    return random.Random(seed).sample(rows, len(first_of(rows, split, size)))


def first_of(rows: Sequence[Row], split: str, size: int | None) -> Sequence[Row]:
    """Return the first `size` rows of a split (None: all of them).

    Raises
    ------
    ValueError
        If `size` is not a whole number from 0 to the number of rows.
    """
    if size is not None and not (_whole(size) and 0 <= size <= len(rows)):
        raise ValueError(f"size {size!r} of {split!r}: None, or a whole number from 0 to {len(rows):,}")
    return rows if size is None else rows[:size]


def _whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)
