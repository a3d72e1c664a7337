"""Results that are right except for one part, or except for one or two cases."""

from collections.abc import Sequence

from ..compare import Mismatch

#: So many cases may fail for an answer to be called right but for them, and so many times as many must be right.
_FEW, _TIMES = 2, 4


def all_but_one_part(wrong_parts: Sequence[Sequence[str]], parts: Sequence[Sequence[str]]) -> str:
    """Return the one part that is wrong wherever something is, while others are right there; empty where there is none.

    >>> all_but_one_part([["gradient"], ["gradient"]], [["result", "gradient"], ["gradient"]])
    'gradient'
    """
    if not wrong_parts or any(len(wrong) != 1 or wrong != wrong_parts[0] for wrong in wrong_parts):
        return ""
    return wrong_parts[0][0] if any(len(here) > 1 for here in parts) else ""


def all_but_some_cases(faults: Sequence[Mismatch | None], names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the cases that fail, where they are few and the others many; else none.

    >>> from embedding_course.messages import Message
    >>> all_but_some_cases([None] * 8 + [Mismatch("values", Message(""))], [*"abcdefgh", "no rows"])
    ('no rows',)
    """
    failing = tuple(name for fault, name in zip(faults, names, strict=True) if fault)
    return failing if len(failing) <= _FEW and len(faults) >= (_TIMES + 1) * len(failing) else ()
