"""Results that say little of the question: one number throughout, an input as it came, another part of what was asked for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .claim import ENOUGH, Claim, Pair
from .nearness import same

__all__ = ["an_input", "another_part", "one_number", "the_other_answer"]


def an_input(pair: Pair) -> Iterator[Claim]:
    """An argument comes back unchanged."""
    if not pair.numbers or not pair.other.size:
        return
    for name, value in pair.given.items():
        if isinstance(value, np.ndarray) and value.size > 1 and same(value.astype(np.float64), pair.other):
            yield Claim(("input", name), f"{{yours}} is `{name}` as it was given", f"Where does `{name}` take part?", ENOUGH)


def one_number(pair: Pair) -> Iterator[Claim]:
    """All entries equal, where the right ones differ."""
    if not pair.numbers or pair.other.size < 3 or np.unique(pair.right).size < 3:
        return
    first = float(pair.other.flatten()[0])
    if bool((pair.other == first).all()):
        yield Claim(("all", first), "every entry of {yours} is one number, the same in every case", "", 1, f"{first + 0.0:g}")
        yield Claim(("all equal",), "all entries of {yours} are equal; the right ones differ", evidence=1)
    elif same(np.full_like(pair.other, first), pair.other):
        yield Claim(("all equal",), "all entries of {yours} are equal; the right ones differ", evidence=1)


def another_part(pair: Pair) -> Iterator[Claim]:
    """What belongs under another name."""
    for name, value in pair.other_parts.items():
        if isinstance(value, np.ndarray) and value.size > 1 and pair.numbers and same(value.astype(np.float64), pair.other):
            yield Claim(("part", name), f"{{yours}} is what the {name} should be", "Look at the order in which you return.")


def the_other_answer(pair: Pair) -> Iterator[Claim]:
    """True for False, or False for True."""
    right, other = pair.as_sent
    if isinstance(right, bool) and isinstance(other, bool) and right is not other:
        says = f"wherever {{yours}} is wrong, it is {other} and should be {right}"
        yield Claim(("answer", other), says, f"For which of the cases does it say {other}, and which line decides that?", 1)
