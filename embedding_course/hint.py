"""Numbered hints, cheapest first."""

from __future__ import annotations

from .errors import CourseError
from .exercises import exercise as find
from .render import Panel, code, show_panel
from .store import load, update

__all__ = ["hint"]


def hint(name: str, which: int | None = None) -> None:
    """Show the next hint of an exercise, or the one with that number. Each call goes one further.

    >>> hint("01.one_hot")  # doctest: +SKIP
    Hint 1 of 3 ...
    """
    exercise = find(name)
    memory = load()
    seen = memory.hints.get(exercise.id, 0)
    which = which if which is not None else min(seen + 1, len(exercise.hints))
    if not 1 <= which <= len(exercise.hints):
        raise CourseError(f"{exercise.id} has hints 1 to {len(exercise.hints)}; there is no hint {which}.")
    memory.hints[exercise.id] = max(seen, which)
    update(memory)
    text = exercise.hints[which - 1]
    more = "" if which == len(exercise.hints) else " Call it again for the next one."
    head = f"Hint {which} of {len(exercise.hints)} · {exercise.id}"
    show_panel(Panel(f"{head}\n  {text}{more}", f"<p><strong>{head}</strong><br>{code(text)}<small>{more}</small></p>"))
