"""One result is a function of the other: of each entry, or along an axis."""

from collections.abc import Callable, Iterator

import numpy as np

from ...messages import Code, Count, Message
from ..carried import is_one
from ..wire_data import dtype_name
from .carrier_words import AXIS
from .claim import ENOUGH, RIGHT, Claim, Pair, evidence, evidence_of_places
from .nearness import same

_Function = Callable[[np.ndarray], np.ndarray]

#: By id: what the function of a result is called, and the function.
_OF_ENTRIES: dict[str, tuple[Message, _Function]] = {
    "exp": (Message("the exponential of {what}"), np.exp),
    "log": (Message("the logarithm of {what}"), np.log),
    "sqrt": (Message("the square root of {what}"), np.sqrt),
    "square": (Message("the square of {what}"), np.square),
    "1 over": (Message("1 over {what}"), lambda x: 1 / x),
    "1 minus": (Message("1 minus {what}"), lambda x: 1 - x),
    "abs": (Message("the absolute value of {what}"), np.abs),
    "relu": (Message("the positive part of {what}"), lambda x: np.maximum(x, 0)),
    "tanh": (Message("tanh of {what}"), np.tanh),
    "sigmoid": (Message("the sigmoid of {what}"), lambda x: 1 / (1 + np.exp(-x))),
    "log2": (Message("the logarithm to base 2 of {what}"), np.log2),
    "round": (Message("{what}, rounded"), np.round),
    "floor": (Message("{what}, rounded down"), np.floor),
    "trunc": (Message("{what}, without its decimals"), np.trunc),
    "clip at 0 and 1": (Message("{what}, cut off at 0 and 1"), lambda x: np.clip(x, 0, 1)),
    "clip at -1 and 1": (Message("{what}, cut off at −1 and 1"), lambda x: np.clip(x, -1, 1)),
    "arccos": (Message("the arc cosine of {what}"), np.arccos),
    "cos": (Message("the cosine of {what}"), np.cos),
}
#: Functions that many numbers have in common: from their result nothing is known of what went in.
_ROUNDING = ("round", "floor", "trunc")


def _mean(x: np.ndarray, axis: int) -> np.ndarray:
    """Return the mean along an axis, which stays; nan where it has no entry."""
    return x.sum(axis, keepdims=True) / np.float64(x.shape[axis])


def _log_softmax(x: np.ndarray, axis: int) -> np.ndarray:
    less = x - x.max(axis, keepdims=True)
    return less - np.log(np.exp(less).sum(axis, keepdims=True))


_OF_LINES: dict[str, tuple[Message, Callable[[np.ndarray, int], np.ndarray]]] = {
    "softmax": (Message("the softmax of {what} along axis {axis}"), lambda x, axis: np.exp(_log_softmax(x, axis))),
    "log softmax": (Message("the logarithm of the softmax of {what} along axis {axis}"), _log_softmax),
    "cumsum": (Message("the running sum of {what} along axis {axis}"), lambda x, axis: x.cumsum(axis)),
    "by norm": (
        Message("{what}, divided by its norm along axis {axis}"),
        lambda x, axis: x / np.linalg.norm(x, axis=axis, keepdims=True),
    ),
    "by sum": (Message("{what}, divided by its sum along axis {axis}"), lambda x, axis: x / x.sum(axis, keepdims=True)),
    "less mean": (Message("{what}, less its mean along axis {axis}"), lambda x, axis: x - _mean(x, axis)),
    "less max": (Message("{what}, less its largest entry along axis {axis}"), lambda x, axis: x - x.max(axis, keepdims=True)),
}

_REDUCED: dict[str, tuple[Message, Callable[[np.ndarray, int], np.ndarray]]] = {
    "sum": (Message("the sum of {what} over axis {axis}"), lambda x, axis: x.sum(axis)),
    "mean": (Message("the mean of {what} over axis {axis}"), lambda x, axis: _mean(x, axis).squeeze(axis)),
    "max": (Message("the largest entry of {what} over axis {axis}"), lambda x, axis: x.max(axis)),
    "min": (Message("the smallest entry of {what} over axis {axis}"), lambda x, axis: x.min(axis)),
    "norm": (Message("the norm of {what} over axis {axis}"), lambda x, axis: np.linalg.norm(x, axis=axis)),
    "first": (Message("the first entry of {what} along axis {axis}"), lambda x, axis: np.take(x, 0, axis)),
    "last": (Message("the last entry of {what} along axis {axis}"), lambda x, axis: np.take(x, -1, axis)),
    "argmax": (Message("the position of the largest entry of {what} along axis {axis}"), lambda x, axis: x.argmax(axis)),
}


def _yours_is(function: Message) -> Message:
    """Return the sentence that the other result is a function of the right one."""
    return Message("{Yours} is {function}.", function=function.fill(what=RIGHT))


def _right_is(function: Message) -> Message:
    """Return the sentence that the right result is a function of the other one."""
    return Message("{Right} is {function}.", function=function.fill(what=Message("yours")))


def function_of_each_entry(pair: Pair) -> Iterator[Claim]:
    """Yield a claim for each function that turns every entry of one result into that of the other."""
    if not pair.numbers or pair.right.shape != pair.other.shape or not pair.right.size:
        return
    for name, (words, function) in _OF_ENTRIES.items():
        weight = min(evidence(pair.right), max(evidence(pair.other), 1))
        if same(function(pair.right), pair.other):
            if name == "1 minus" and all(is_one(value) and dtype_name(value.dtype) == "bool" for value in pair.as_sent):
                says = Message("{Yours} is {right} with True and False exchanged.")
                yield Claim(("inverted",), says, None, evidence_of_places(pair.right))
            yield Claim(("entries", name), _yours_is(words), None, weight)
        elif name not in _ROUNDING and same(function(pair.other), pair.right):
            yield Claim(("entries back", name), _right_is(words), None, weight)


def function_of_lines(pair: Pair) -> Iterator[Claim]:
    """Yield a claim for each function along an axis that turns one result into the other."""
    if not pair.numbers or pair.right.shape != pair.other.shape:
        return
    for axis, size in enumerate(pair.right.shape):
        if size < 2 or evidence(pair.right) + evidence(pair.other) < ENOUGH + 1:
            continue
        for name, (words, function) in _OF_LINES.items():
            if same(function(pair.right, axis), pair.other):
                yield Claim(("lines", name, axis), _yours_is(words.fill(axis=Count(axis))))
            elif same(function(pair.other, axis), pair.right):
                yield Claim(("lines back", name, axis), _right_is(words.fill(axis=Count(axis))))


def reduced(pair: Pair) -> Iterator[Claim]:
    """Yield that an axis is gone that should be there, or is still there."""
    if not pair.numbers:
        return
    for long, short, is_mine in ((pair.right, pair.other, False), (pair.other, pair.right, True)):
        if long.ndim != short.ndim + 1:
            continue
        for axis, size in enumerate(long.shape):
            for name, (words, function) in _REDUCED.items():
                if same(function(long, axis), short):
                    says = (_right_is if is_mine else _yours_is)(words.fill(axis=Count(axis)))
                    weight = min(ENOUGH, evidence(short) + (short.size > 1)) if size > 1 else 0
                    yield Claim(("reduced", name, axis, is_mine), says, None, weight)


def softmax_over_another_axis(pair: Pair) -> Iterator[Claim]:
    """Yield a claim if both results are softmaxes of the same numbers, over two different axes.

    Each result then sums to 1 along its own axis. The difference of their logarithms is one number for each line of one axis
    plus one number for each line of the other.
    """
    if not pair.numbers or pair.right.shape != pair.other.shape or pair.right.ndim < 2:
        return
    axes = [_sums_to_one(pair.right), _sums_to_one(pair.other)]
    for axis in axes[0]:
        for theirs in axes[1]:
            if axis == theirs:
                continue
            apart = np.nan_to_num(np.log(pair.other) - np.log(pair.right), nan=0, posinf=0, neginf=0)
            rest = apart - _mean(apart, axis)
            rest = rest - _mean(rest, theirs)
            if bool((np.abs(rest) < 1e-3).all()) and evidence(pair.right) == ENOUGH:
                says = Message(
                    "{Yours} sums to 1 along axis {other}, {right} along axis {axis}: the softmax runs over another axis.",
                    other=Count(theirs),
                    axis=Count(axis),
                )
                step = Message("Look at the `{argument}` of the softmax: {axis}, or counted from the end.", axis=Count(axis))
                yield Claim(("softmax", axis, theirs), says, step.fill(argument=Code(AXIS)))


def _sums_to_one(x: np.ndarray) -> list[int]:
    axes = [axis for axis, size in enumerate(x.shape) if size > 1]
    return [axis for axis in axes if same(x.sum(axis), np.ones_like(x.sum(axis)))]
