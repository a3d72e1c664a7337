"""Relations with a factor or an offset: the right result times a number, or plus one, as a whole or line by line."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...messages import Code, Count, Message
from .claim import ENOUGH, WEAK, Claim, Pair, evidence
from .nearness import close, named_numbers, same, same_number, sizes

_POWERS = {"{}": 1.0, "√{}": 0.5, "{}²": 2.0}
_MEAN = Message("Is a sum asked for where you take a mean, or the other way round?")


_IT_IS, _HERE = Message("It is {number}."), Message("In this case it is {number}.")
_BY = {
    "larger": Message("Every entry of {yours} is larger than that of {right} by {number}."),
    "smaller": Message("Every entry of {yours} is smaller than that of {right} by {number}."),
}


def times_a_number(pair: Pair) -> Iterator[Claim]:
    """Yield that all entries are multiplied by one number, with its name where it has one."""
    if not pair.numbers or pair.right.shape != pair.other.shape:
        return
    factor = _factor(pair.right, pair.other)
    if factor is None:
        return
    weight = evidence(pair.right)
    if same_number(factor, -1):
        yield Claim(("negated",), Message("{Yours} is {right} with the opposite sign."), Message("Look for a minus."), weight)
        return
    for name, value in named_numbers(pair.given):
        yield from _by_name(name, value, factor, weight)
    yield from _by_a_quotient(pair, factor, weight)
    always = Message("{Yours} is {right} times one number, the same in every case.")
    digits = 8 if _is_whole(pair.right) and _is_whole(pair.other) else 3  # counts carry no rounding errors
    yield Claim(("times", round(factor, digits)), always, None, weight, _IT_IS.fill(number=f"{factor:.4g}"))
    varies = Message("{Yours} is {right} times one number, another one in each case.")
    step = Message("Something is divided or multiplied that should not be, or is not.")
    yield Claim(("times one number",), varies, step, weight // ENOUGH, _HERE.fill(number=f"{factor:.4g}"))


def _by_name(name: str, value: float, factor: float, weight: int) -> Iterator[Claim]:
    if value <= 0 or same_number(value, 1):
        return
    for form, power in _POWERS.items():
        number, of_the_case = Code(form.format(name)), "`" in name
        here = Message("In this case {name} is {number}.", name=Code(name), number=f"{value:g}") if of_the_case else None
        step = _MEAN if power == 1 and of_the_case else None
        if same_number(factor, value**power):
            says = Message("{Yours} is {right} times {number}.", number=number)
            yield Claim(("times", form, name), says, step, weight, here)
        if same_number(factor, value**-power):
            says = Message("{Yours} is {right} divided by {number}.", number=number)
            yield Claim(("divided", form, name), says, step, weight, here)


def _by_a_quotient(pair: Pair, factor: float, weight: int) -> Iterator[Claim]:
    """Yield that one size stands in place of another."""
    positive_sizes = [(name, value) for name, value in sizes(pair.given) if value > 0]
    for name, value in positive_sizes:
        for other, divisor in positive_sizes:
            if value != divisor and same_number(factor, value / divisor):
                says = Message("{Yours} is {right} times {name} over {other}.", name=Code(name), other=Code(other))
                here = _HERE.fill(number=f"{value:g} / {divisor:g}")
                yield Claim(("quotient", name, other), says, Message("Which number is to be divided by?"), weight, here)


def _factor(right: np.ndarray, other: np.ndarray) -> float | None:
    """Return the one number by which all entries are multiplied; None where there is none, or it is 1 or 0."""
    some = np.isfinite(right) & (right != 0)
    if not some.any():
        return None
    spot = np.where(some, np.abs(right), 0.0).argmax()
    factor = float(other.flatten()[spot] / right.flatten()[spot])
    if not math.isfinite(factor) or factor == 0 or same_number(factor, 1) or not same(right * factor, other):
        return None
    return factor


def _is_whole(values: np.ndarray) -> bool:
    """Return True if all entries are whole numbers."""
    return bool((values == np.round(values)).all())


def plus_a_number(pair: Pair) -> Iterator[Claim]:
    """Yield that every entry is too large, or too small, by the same amount."""
    if not pair.numbers or pair.right.shape != pair.other.shape or pair.right.size == 0:
        return
    by = float((pair.other - pair.right).flatten()[0])
    if not math.isfinite(by) or by == 0 or not same(pair.right + by, pair.other):
        return
    weight = ENOUGH if pair.right.size > 2 else WEAK
    more = "larger" if by > 0 else "smaller"
    for name, value in (("1", 1.0), *named_numbers(pair.given)):
        if same_number(abs(by), value):
            yield Claim(("plus", name, more), _BY[more].fill(number=Code(name)), None, weight)
    always = _BY[more].fill(number=Message("one number, the same in every case"))
    yield Claim(("plus", round(by, 4)), always, None, weight, _IT_IS.fill(number=f"{abs(by):.4g}"))
    varies = _BY[more].fill(number=Message("one number, another one in each case"))
    yield Claim(("plus one number", more), varies, None, weight // ENOUGH, _HERE.fill(number=f"{abs(by):.4g}"))


def times_a_number_a_line(pair: Pair) -> Iterator[Claim]:
    """Yield that each line along an axis is multiplied by a number of its own, or moved by one."""
    if not pair.numbers or pair.right.shape != pair.other.shape or pair.right.ndim < 2:
        return
    for axis, size in enumerate(pair.right.shape):
        right, other = np.moveaxis(pair.right, axis, -1), np.moveaxis(pair.other, axis, -1)
        if not right.size:
            continue
        weight = WEAK if size > 1 and evidence(right) == ENOUGH and right.size > 3 else 0
        any_number = 0 if _at_one_index(right, other) else weight
        factor = _factors(right, other)
        zeroed = (factor.squeeze(-1) == 0) & (right != 0).any(axis=-1)
        if not zeroed.any() and same(right * factor, other):
            yield from _times(factor.squeeze(-1), axis, pair.given, weight, any_number)
        moved = (other - right).mean(axis=-1, keepdims=True)
        if np.isfinite(moved).all() and same(right + moved, other):
            says = Message(
                "Each line of {yours} along axis {axis} is the right one plus a number of its own.", axis=Count(axis)
            )
            step = Message("Is something subtracted from, or added to, whole lines along axis {axis}?", axis=Count(axis))
            yield Claim(("lines plus", axis), says, step, any_number)


def _at_one_index(right: np.ndarray, other: np.ndarray) -> bool:
    """Return True if all lines (…, n) that differ have the same index along another axis, while other lines agree.

    Then the error lies at that index and tells nothing about lines in general.
    """
    lines = ~np.all(close(right, other), axis=-1)
    return any(
        lines.shape[axis] > 1 and int(np.moveaxis(lines, axis, 0).reshape(lines.shape[axis], -1).any(axis=1).sum()) <= 1
        for axis in range(lines.ndim)
    )


_LINES_BY_ONES = {
    "times": Message("Each line of {yours} along axis {axis} is the right one times the number of ones in `{name}`."),
    "divided by": Message("Each line of {yours} along axis {axis} is the right one divided by the number of ones in `{name}`."),
}
_LINES_BY_OCCURRENCE = {
    "times": Message("Each line of {yours} along axis {axis} is the right one times how often its index occurs in `{name}`."),
    "divided by": Message(
        "Each line of {yours} along axis {axis} is the right one divided by how often its index occurs in `{name}`."
    ),
}


def _times(factor: np.ndarray, axis: int, given: Mapping[str, Any], weight: float, any_number: float) -> Iterator[Claim]:
    if same(np.abs(factor), np.ones_like(factor)):
        says = Message("{Yours} is {right} up to the sign of its lines along axis {axis}.", axis=Count(axis))
        yield Claim(("signs", axis), says, None, weight)
    for name, value in given.items():
        if isinstance(value, np.ndarray) and value.ndim == 2 and bool(((value == 0) | (value == 1)).all()):
            count = value.sum(1, dtype=np.float64)
            for what, number in (("times", count), ("divided by", 1 / count)):
                if number.shape == factor.shape and same(np.where(factor == 0, number, factor), number):
                    says = _LINES_BY_ONES[what].fill(axis=Count(axis), name=Code(name))
                    yield Claim(("lines by", what, name, axis), says, _MEAN, weight)
    for name, count in _occurrences(given, factor):
        for what, number in (("times", count), ("divided by", 1 / count)):
            if same(np.where(factor == 0, number, factor), number):
                says = _LINES_BY_OCCURRENCE[what].fill(axis=Count(axis), name=Code(name))
                yield Claim(("lines by occurrence", what, name, axis), says, _MEAN, weight)
    says = Message("Each line of {yours} along axis {axis} is the right one times a number of its own.", axis=Count(axis))
    step = Message("Is every line along axis {axis} divided by its own sum, norm or largest entry?", axis=Count(axis))
    yield Claim(("lines times", axis), says, step, any_number)


def _occurrences(given: Mapping[str, Any], factor: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Yield how often each index of the lines occurs in each array of ids."""
    for name, value in given.items():
        ids = isinstance(value, np.ndarray) and value.dtype == np.int64 and value.size and factor.ndim == 1
        if ids and int(value.min()) >= 0 and int(value.max()) < len(factor):
            yield name, np.bincount(value.ravel(), minlength=len(factor)).astype(np.float64)


def _factors(right: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the factor at the largest entry of each line, (…, 1)."""
    spot = np.nan_to_num(np.abs(right), nan=0, posinf=0, neginf=0).argmax(axis=-1, keepdims=True)
    return np.nan_to_num(np.take_along_axis(other, spot, -1) / np.take_along_axis(right, spot, -1), nan=0, posinf=0, neginf=0)
