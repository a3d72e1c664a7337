"""One result is a function of the other: of each entry, or along an axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..carried import is_one
from ..wire_data import dtype_name
from .claim import ENOUGH, Claim, Pair, evidence, evidence_of_places
from .in_words import AXIS
from .nearness import same

__all__ = ["function_of_each_entry", "function_of_lines", "reduced", "softmax_over_another_axis"]

_Function = Callable[[np.ndarray], np.ndarray]

_OF_ENTRIES: dict[str, _Function] = {
    "the exponential": np.exp,
    "the logarithm": np.log,
    "the square root": np.sqrt,
    "the square": np.square,
    "1 over": lambda x: 1 / x,
    "1 minus": lambda x: 1 - x,
    "the absolute value": np.abs,
    "the positive part": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
    "the sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "the logarithm to base 2": np.log2,
    "rounded": np.round,
    "rounded down": np.floor,
    "cut off": np.trunc,
    "cut off at 0 and 1": lambda x: np.clip(x, 0, 1),
    "cut off at −1 and 1": lambda x: np.clip(x, -1, 1),
    "the arc cosine": np.arccos,
    "the cosine": np.cos,
}


def _mean(x: np.ndarray, axis: int) -> np.ndarray:
    """The mean along an axis, which stays; nan where it has no entry."""
    return x.sum(axis, keepdims=True) / np.float64(x.shape[axis])


def _log_softmax(x: np.ndarray, axis: int) -> np.ndarray:
    less = x - x.max(axis, keepdims=True)
    return less - np.log(np.exp(less).sum(axis, keepdims=True))


_OF_LINES: dict[str, Callable[[np.ndarray, int], np.ndarray]] = {
    "the softmax": lambda x, axis: np.exp(_log_softmax(x, axis)),
    "the logarithm of the softmax": _log_softmax,
    "the running sum": lambda x, axis: x.cumsum(axis),
    "divided by its length": lambda x, axis: x / np.linalg.norm(x, axis=axis, keepdims=True),
    "divided by its sum": lambda x, axis: x / x.sum(axis, keepdims=True),
    "less its mean": lambda x, axis: x - _mean(x, axis),
    "less its largest entry": lambda x, axis: x - x.max(axis, keepdims=True),
}

_REDUCED: dict[str, Callable[[np.ndarray, int], np.ndarray]] = {
    "the sum": lambda x, axis: x.sum(axis),
    "the mean": lambda x, axis: _mean(x, axis).squeeze(axis),
    "the largest entry": lambda x, axis: x.max(axis),
    "the smallest entry": lambda x, axis: x.min(axis),
    "the length": lambda x, axis: np.linalg.norm(x, axis=axis),
    "the first entry": lambda x, axis: np.take(x, 0, axis),
    "the last entry": lambda x, axis: np.take(x, -1, axis),
    "the position of the largest entry": lambda x, axis: x.argmax(axis),
}


def _of(name: str, what: str) -> str:
    """The words for a function of something.

    >>> _of("the sum", "yours"), _of("rounded", "yours")
    ('the sum of yours', 'yours, rounded')
    """
    if name.startswith(("1 ", "tanh")):
        return f"{name} {what}"
    return f"{name} of {what}" if name.startswith("the ") else f"{what}, {name}"


def function_of_each_entry(pair: Pair) -> Iterator[Claim]:
    if not pair.numbers or pair.right.shape != pair.other.shape or not pair.right.size:
        return
    for name, function in _OF_ENTRIES.items():
        weight = min(evidence(pair.right), max(evidence(pair.other), 1))
        if same(function(pair.right), pair.other):
            if name == "1 minus" and all(is_one(one) and dtype_name(one.dtype) == "bool" for one in pair.as_sent):
                yield Claim(
                    ("inverted",), "{yours} is {right} with True and False exchanged", "", evidence_of_places(pair.right)
                )
            yield Claim(("entries", name), "{yours} is " + _of(name, "{right}"), "", weight)
        elif name not in ("rounded", "rounded down", "cut off") and same(function(pair.other), pair.right):
            yield Claim(("entries back", name), "{right} is " + _of(name, "{yours}"), "", weight)


def function_of_lines(pair: Pair) -> Iterator[Claim]:
    if not pair.numbers or pair.right.shape != pair.other.shape:
        return
    for axis, size in enumerate(pair.right.shape):
        if size < 2 or evidence(pair.right) + evidence(pair.other) < ENOUGH + 1:
            continue
        for name, function in _OF_LINES.items():
            if same(function(pair.right, axis), pair.other):
                yield Claim(("lines", name, axis), "{yours} is " + _of(name, "{right}") + f" along axis {axis}")
            elif same(function(pair.other, axis), pair.right):
                yield Claim(("lines back", name, axis), "{right} is " + _of(name, "{yours}") + f" along axis {axis}")


def reduced(pair: Pair) -> Iterator[Claim]:
    """An axis is gone that should be there, or is still there."""
    if not pair.numbers:
        return
    for long, short, is_mine in ((pair.right, pair.other, False), (pair.other, pair.right, True)):
        if long.ndim != short.ndim + 1:
            continue
        for axis, size in enumerate(long.shape):
            for name, function in _REDUCED.items():
                if same(function(long, axis), short):
                    whole, part = ("{yours}", "{right}") if is_mine else ("{right}", "{yours}")
                    weight = min(ENOUGH, evidence(short) + (short.size > 1)) if size > 1 else 0
                    yield Claim(("reduced", name, axis, is_mine), f"{part} is {name} of {whole} over axis {axis}", "", weight)


def softmax_over_another_axis(pair: Pair) -> Iterator[Claim]:
    """Both are softmaxes of the same numbers, over two axes: each sums to 1 along its own, and what their logarithms differ
    by is one number for each line of one axis plus one for each line of the other."""
    if not pair.numbers or pair.right.shape != pair.other.shape or pair.right.ndim < 2:
        return
    found = [_sums_to_one(pair.right), _sums_to_one(pair.other)]
    for axis in found[0]:
        for theirs in found[1]:
            if axis == theirs:
                continue
            apart = np.nan_to_num(np.log(pair.other) - np.log(pair.right), nan=0, posinf=0, neginf=0)
            rest = apart - _mean(apart, axis)
            rest = rest - _mean(rest, theirs)
            if bool((np.abs(rest) < 1e-3).all()) and evidence(pair.right) == ENOUGH:
                says = (
                    f"{{yours}} sums to 1 along axis {theirs}, {{right}} along axis {axis}: the softmax runs over another axis"
                )
                yield Claim(
                    ("softmax", axis, theirs), says, f"Look at the `{AXIS}` of the softmax: {axis}, or counted from the end."
                )


def _sums_to_one(x: np.ndarray) -> list[int]:
    axes = [axis for axis, size in enumerate(x.shape) if size > 1]
    return [axis for axis in axes if same(x.sum(axis), np.ones_like(x.sum(axis)))]
