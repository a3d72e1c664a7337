"""Results that say little of the question: all zeros, one number throughout, an input as it came."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from .claim import ENOUGH, Claim, Pair
from .nearness import same

__all__ = ["an_input", "nearly_right", "one_number"]


def an_input(pair: Pair) -> Iterator[Claim]:
    """An argument comes back unchanged."""
    if not pair.numbers or not pair.other.numel():
        return
    for name, value in pair.given.items():
        if isinstance(value, torch.Tensor) and value.numel() > 1 and same(value.double(), pair.other):
            yield Claim(("input", name), f"{{yours}} is `{name}` as it was given", f"Where does `{name}` take part?", ENOUGH)


def one_number(pair: Pair) -> Iterator[Claim]:
    """All entries equal, where the right ones differ."""
    if not pair.numbers or pair.other.numel() < 3 or pair.right.unique().numel() < 3:
        return
    first = float(pair.other.flatten()[0])
    if bool((pair.other == first).all()):
        yield Claim(("all", first), "every entry of {yours} is one number, the same in every case", aside=f"{first:g}")
        yield Claim(("all equal",), "all entries of {yours} are equal; the right ones differ")
    elif same(torch.full_like(pair.other, first), pair.other):
        yield Claim(("all equal",), "all entries of {yours} are equal; the right ones differ")


def nearly_right(pair: Pair) -> Iterator[Claim]:
    """Right as float32 is, where float64 was asked for."""
    if pair.numbers and pair.precise and same(pair.right, pair.other):
        step = "Look for a step that is done in float32: `.float()`, a constant tensor, a buffer."
        says = "{yours} is right to four digits or so, but not as float64: something is rounded on the way"
        yield Claim(("rounding",), says, step)
