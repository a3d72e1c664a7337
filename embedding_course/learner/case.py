"""The arguments of a public case, to play with."""

from __future__ import annotations

from typing import Any

from ..checking import expected
from ..checking.next_step import received
from ..checking.observe import fresh
from ..checking.render import show_panel, table_panel
from ..checking.show import show
from ..errors import CourseError, closest
from ..exercises import find_exercise

__all__ = ["case"]


def case(name: str, which: int | str | None = None) -> dict[str, Any] | None:
    """The arguments of a public case of an exercise, by their names: a copy of your own. Without `which`, a list of all cases.

    `which` is the case's number, from 1, or its name. CourseError where there is none.

    >>> one_hot(**case("01.one_hot", 1))  # doctest: +SKIP
    """
    exercise = find_exercise(name)
    cases = expected.load(exercise).cases
    if which is None:
        rows = [
            [number, one.name, ", ".join(f"{key}={show(value)}" for key, value in received(exercise, one).items())]
            for number, one in enumerate(cases, start=1)
        ]
        show_panel(table_panel(["", "case", "arguments"], rows, f'`case("{exercise.id}", 1)` returns those of the first.'))
        return None
    names = [one.name for one in cases]
    if isinstance(which, int) and 1 <= which <= len(cases):
        return fresh(received(exercise, cases[which - 1]))
    if which in names:
        return fresh(received(exercise, cases[names.index(str(which))]))
    if isinstance(which, int):
        raise CourseError(f"{exercise.id} has the cases 1 to {len(cases)}; there is no case {which}.")
    raise CourseError(f"{exercise.id} has no case {which!r}: {closest(which, names)}")
