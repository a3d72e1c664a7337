"""Draw rows of a split: the same rows for the same seed, with clear errors for wrong arguments."""

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

Row = TypeVar("Row")


def some_of(splits: Mapping[str, Sequence[Row]], split: str, size: int | None, seed: int) -> list[Row]:
    """Return different rows of a split, in an order that depends on the seed.

    Parameters
    ----------
    splits : Mapping[str, Sequence[Row]]
        Name of each split to its rows.
    split : str
        Name of the split to draw from.
    size : int or None
        Number of rows; None for all.
    seed : int
        Seed of the order, 0 or more.

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
    """Return the first rows of a split.

    Parameters
    ----------
    rows : Sequence[Row]
        All rows of the split.
    split : str
        Name of the split, for the message of an error.
    size : int or None
        Number of rows; None for all.

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
