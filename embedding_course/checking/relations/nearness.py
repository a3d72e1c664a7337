"""Tell when two results agree within rounding, and which numbers of a case have a name."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .carrier_words import SIZE

_RTOL = 1e-4
_CONSTANTS = {
    "2": 2.0,
    "3": 3.0,
    "4": 4.0,
    "10": 10.0,
    "100": 100.0,
    "1000": 1000.0,
    "log 2": math.log(2),
    "log 10": math.log(10),
    "π": math.pi,
}

#: A number of a case, by what gives it: ("`x.shape[0]`", 7.0), ("log 2", 0.693…).
Named = tuple[str, float]


def close(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return where two arrays of one shape agree within rounding.

    nan agrees with nan, and no finite number is close to inf.

    >>> close(np.array([np.inf, np.inf]), np.array([np.inf, 6828.0])).tolist()
    [True, False]
    """
    finite = np.isfinite(first)
    largest = np.abs(first[finite]).max() if finite.any() else 0.0
    with np.errstate(invalid="ignore"):  # inf - inf
        near = np.abs(first - second) <= _RTOL * np.abs(first) + 0.1 * _RTOL * largest + 1e-12
    return (near & finite) | (first == second) | (np.isnan(first) & np.isnan(second))


def same(first: np.ndarray, second: np.ndarray) -> bool:
    """Return True if two arrays are of one shape and equal within rounding."""
    return first.shape == second.shape and bool(close(first, second).all())


def same_number(first: float, second: float) -> bool:
    """Return True if two numbers agree within rounding."""
    return math.isclose(first, second, rel_tol=_RTOL)


def named_numbers(given: Mapping[str, Any]) -> Iterator[Named]:
    """Yield the numbers that can be named in a verdict: constants, sizes of what was given, single numbers that were given.

    >>> [name for name, value in named_numbers({"ids": np.ones((7, 3))}) if value == 7]
    ['`ids.shape[0]`']
    """
    yield from sizes(given)
    yield from _CONSTANTS.items()


def sizes(given: Mapping[str, Any]) -> Iterator[Named]:
    """Yield the named numbers without constants."""
    for name, value in given.items():
        if isinstance(value, np.ndarray):
            yield from ((f"`{code}`", number) for code, number in _of_an_array(name, value, given))
        elif isinstance(value, (list, str)):
            yield f"`len({name})`", float(len(value))
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
            yield f"`{name}`", float(value)


def _of_an_array(name: str, value: np.ndarray, given: Mapping[str, Any]) -> Iterator[Named]:
    yield from ((f"{name}.shape[{axis}]", float(size)) for axis, size in enumerate(value.shape))
    if value.ndim > 1:
        yield SIZE.format(name), float(value.size)
    if value.ndim and value.size and bool(((value == 0) | (value == 1)).all()):
        yield f"{name}.sum()", float(value.sum())
    for other, left_out in given.items():  # how many ids are not the one that is to be left out
        if value.dtype == np.int64 and value.ndim and isinstance(left_out, int) and not isinstance(left_out, bool):
            yield f"({name} != {other}).sum()", float((value != left_out).sum())
