"""How a dataset hands out some of a split's rows: the same ones for the same seed, and clear words for a wrong wish."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

__all__ = ["first_of", "some_of"]

Row = TypeVar("Row")


def some_of(splits: Mapping[str, Sequence[Row]], split: str, size: int | None, seed: int) -> list[Row]:
    """`size` different rows of a split (None: all of them), in an order that `seed` decides.

    Raises ValueError, with the allowed values, for an unknown split, a size that is no whole number from 0 to what
    there is, and a seed that is no whole number from 0.

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
    """The first `size` rows of a split (None: all of them), or ValueError as in `some_of`."""
    if size is not None and not (_whole(size) and 0 <= size <= len(rows)):
        raise ValueError(f"size {size!r} of {split!r}: None, or a whole number from 0 to {len(rows):,}")
    return rows if size is None else rows[:size]


def _whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)
