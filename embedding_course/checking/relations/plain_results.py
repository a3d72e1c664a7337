"""Results that hardly depend on the input: one number throughout, an unchanged input, another part of the result."""

from collections.abc import Iterator

import numpy as np

from ...messages import Code, Message
from .claim import ENOUGH, Claim, Pair
from .nearness import same

_ONE_NUMBER = Message("Every entry of {yours} is one number, the same in every case.")
_EQUAL = Message("All entries of {yours} are equal; the right ones differ.")


def an_input(pair: Pair) -> Iterator[Claim]:
    """Yield that an argument comes back unchanged."""
    if not pair.numbers or not pair.other.size:
        return
    for name, value in pair.given.items():
        if isinstance(value, np.ndarray) and value.size > 1 and same(value.astype(np.float64), pair.other):
            yield Claim(
                ("input", name),
                Message("{Yours} is `{name}` as it was given.", name=Code(name)),
                Message("Where does `{name}` take part?", name=Code(name)),
                ENOUGH,
            )


def one_number(pair: Pair) -> Iterator[Claim]:
    """Yield that all entries are equal, where the right ones differ."""
    if not pair.numbers or pair.other.size < 3 or np.unique(pair.right).size < 3:
        return
    first = float(pair.other.flatten()[0])
    if bool((pair.other == first).all()):
        yield Claim(("all", first), _ONE_NUMBER, None, 1, Message("It is {number}.", number=f"{first + 0.0:g}"))
        yield Claim(("all equal",), _EQUAL, evidence=1)
    elif same(np.full_like(pair.other, first), pair.other):
        yield Claim(("all equal",), _EQUAL, evidence=1)


def another_part(pair: Pair) -> Iterator[Claim]:
    """Yield that the result is what another part should be."""
    for name, value in pair.other_parts.items():
        if isinstance(value, np.ndarray) and value.size > 1 and pair.numbers and same(value.astype(np.float64), pair.other):
            yield Claim(
                ("part", name),
                Message("{Yours} is what the {name} should be.", name=Code(name)),
                Message("Look at the order in which you return."),
            )


def the_other_answer(pair: Pair) -> Iterator[Claim]:
    """Yield a claim if the answer is True where False is right, or False where True is right."""
    right, other = pair.as_sent
    if isinstance(right, bool) and isinstance(other, bool) and right is not other:
        says = Message(
            "Wherever {yours} is wrong, it is {other} and should be {expected}.", other=Code(other), expected=Code(right)
        )
        step = Message("For which of the cases is it {other}, and which line decides that?", other=Code(other))
        yield Claim(("answer", other), says, step, 1)
