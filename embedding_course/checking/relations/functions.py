"""One result is a function of the other: of each entry, or along an axis."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...with_torch import torch
from .claim import ENOUGH, Claim, Pair, evidence, evidence_of_places
from .nearness import close, same

__all__ = ["function_of_each_entry", "function_of_lines", "reduced", "softmax_over_another_axis"]

_Function = Callable[[torch.Tensor], torch.Tensor]

_OF_ENTRIES: dict[str, _Function] = {
    "the exponential": lambda x: x.exp(),
    "the logarithm": lambda x: x.log(),
    "the square root": lambda x: x.sqrt(),
    "the square": lambda x: x.square(),
    "1 over": lambda x: x.reciprocal(),
    "1 minus": lambda x: 1 - x,
    "the absolute value": lambda x: x.abs(),
    "the positive part": lambda x: x.clamp(min=0),
    "tanh": lambda x: x.tanh(),
    "the sigmoid": lambda x: x.sigmoid(),
    "the logarithm to base 2": lambda x: x.log2(),
    "rounded": lambda x: x.round(),
    "rounded down": lambda x: x.floor(),
    "cut off": lambda x: x.trunc(),
    "cut off at 0 and 1": lambda x: x.clamp(0, 1),
    "cut off at −1 and 1": lambda x: x.clamp(-1, 1),
    "the arc cosine": lambda x: x.acos(),
    "the cosine": lambda x: x.cos(),
}

_OF_LINES: dict[str, Callable[[torch.Tensor, int], torch.Tensor]] = {
    "the softmax": lambda x, axis: x.softmax(axis),
    "the logarithm of the softmax": lambda x, axis: x.log_softmax(axis),
    "the running sum": lambda x, axis: x.cumsum(axis),
    "divided by its length": lambda x, axis: x / x.norm(dim=axis, keepdim=True),
    "divided by its sum": lambda x, axis: x / x.sum(dim=axis, keepdim=True),
    "less its mean": lambda x, axis: x - x.mean(dim=axis, keepdim=True),
    "less its largest entry": lambda x, axis: x - x.amax(dim=axis, keepdim=True),
}

_REDUCED: dict[str, Callable[[torch.Tensor, int], torch.Tensor]] = {
    "the sum": lambda x, axis: x.sum(axis),
    "the mean": lambda x, axis: x.mean(axis),
    "the largest entry": lambda x, axis: x.amax(axis),
    "the smallest entry": lambda x, axis: x.amin(axis),
    "the length": lambda x, axis: x.norm(dim=axis),
    "the first entry": lambda x, axis: x.select(axis, 0),
    "the last entry": lambda x, axis: x.select(axis, x.shape[axis] - 1),
    "the position of the largest entry": lambda x, axis: x.argmax(axis).double(),
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
    if not pair.numbers or pair.right.shape != pair.other.shape or not pair.right.numel():
        return
    for name, function in _OF_ENTRIES.items():
        weight = min(evidence(pair.right), max(evidence(pair.other), 1))
        if same(function(pair.right), pair.other):
            if name == "1 minus" and all(getattr(one, "dtype", None) == torch.bool for one in pair.as_sent):
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
                    weight = min(ENOUGH, evidence(short) + (short.numel() > 1)) if size > 1 else 0
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
            apart = (pair.other.log() - pair.right.log()).nan_to_num(0, 0, 0)
            rest = apart - apart.mean(axis, keepdim=True)
            rest = rest - rest.mean(theirs, keepdim=True)
            if bool((rest.abs() < 1e-3).all()) and evidence(pair.right) == ENOUGH:
                says = (
                    f"{{yours}} sums to 1 along axis {theirs}, {{right}} along axis {axis}: the softmax runs over another axis"
                )
                yield Claim(
                    ("softmax", axis, theirs), says, f"Look at the `dim` of the softmax: {axis}, or counted from the end."
                )


def _sums_to_one(x: torch.Tensor) -> list[int]:
    axes = [axis for axis, size in enumerate(x.shape) if size > 1]
    return [axis for axis in axes if bool(close(x.sum(axis), torch.ones_like(x.sum(axis))).all())]
