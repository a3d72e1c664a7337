"""Random inputs for cases: one object per exercise and seed, so that every draw can be repeated."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from .carried import FLOAT, INTEGER, made

__all__ = ["RandomInputs"]

_PRIMES = (2, 3, 5, 7, 11)


class RandomInputs:
    """A seeded source of inputs: tensors, or arrays of numpy in a course without torch.

    >>> RandomInputs(1, "01.one_hot").sizes(2) == RandomInputs(1, "01.one_hot").sizes(2)
    True
    """

    def __init__(self, seed: int, name: str = "") -> None:
        self.rng = np.random.default_rng([seed, zlib.crc32(name.encode())])

    def integer(self, low: int, high: int) -> int:
        """Return an integer from low to high, both included."""
        return int(self.rng.integers(low, high + 1))

    def sizes(self, count: int, smallest: int = 2) -> list[int]:
        """Return distinct primes, so that no two axes can be mistaken for each other."""
        pool = [prime for prime in _PRIMES if prime >= smallest]
        return [int(size) for size in self.rng.permutation(pool)[:count]]

    def normal(self, *shape: int, dtype: Any = FLOAT, scale: float = 1.0) -> Any:
        """Return normal numbers with mean 0."""
        return made(self.rng.standard_normal(shape) * scale, dtype, shape)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0, dtype: Any = FLOAT) -> Any:
        """Return uniform random numbers.

        Parameters
        ----------
        *shape : int
            Shape of the result.
        low, high : float, optional
            Bounds of the numbers.
        dtype : Any, optional
            Type of the numbers.
        """
        return made(self.rng.uniform(low, high, shape), dtype, shape)

    def ids(self, shape: int | Sequence[int], size: int) -> Any:
        """Return int64 ids from 0 to size - 1, with repeats."""
        integers = self.rng.integers(0, size, shape)
        return made(integers, INTEGER, np.shape(integers))

    def distinct(self, count: int, size: int) -> Any:
        """Return int64 ids without repeats, in no order."""
        integers = self.rng.permutation(size)[:count]
        return made(integers, INTEGER, integers.shape)

    def choice(self, options: Sequence):
        """Return one of the options at random."""
        return options[int(self.rng.integers(len(options)))]

    def shuffled(self, options: Sequence) -> list:
        """Return the options in random order."""
        return [options[int(index)] for index in self.rng.permutation(len(options))]

    def words(self, count: int, letters: str = "aeiklmnorstu爱狗猫花") -> list[str]:
        """Return distinct made-up words of two to five letters, some of them Chinese."""
        words: dict[str, None] = {}
        while len(words) < count:
            length = self.integer(2, 5)
            words["".join(letters[int(index)] for index in self.rng.integers(0, len(letters), length))] = None
        return list(words)

    def seed(self) -> int:
        """Return a seed for a generator that is built where the learner's code runs."""
        return self.integer(0, 2**31 - 1)
