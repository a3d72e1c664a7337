"""Numbered hints, cheapest first."""

from __future__ import annotations

from ..checking.exercise import Exercise
from ..checking.render import Panel, code, show_panel, table_panel
from ..errors import CourseError
from ..exercises import exercises_of, find_exercise
from .progress.record import load, update
from .this_notebook import this_notebook
from .worked_solutions.part import find_text

__all__ = ["hint"]


def hint(name: str | None = None, which: int | None = None) -> None:
    """Show the next hint of an exercise, or the one with that number. Each call goes one further. Without a name, list what
    can be asked in this notebook.

    >>> hint("01.one_hot")  # doctest: +SKIP
    Hint 1 of 3 ...
    """
    if name is None:
        _list_all()
        return
    exercise = find_exercise(name)
    memory = load()
    seen = memory.hints.get(exercise.id, 0)
    which = which if which is not None else min(seen + 1, len(exercise.hints))
    if not 1 <= which <= len(exercise.hints):
        raise CourseError(f"{exercise.id} has hints 1 to {len(exercise.hints)}; there is no hint {which}.")
    memory.hints[exercise.id] = max(seen, which)
    update(memory)
    text = exercise.hints[which - 1]
    more = " Call it again for the next one." if which < len(exercise.hints) else _after_the_last(exercise)
    head = f"Hint {which} of {len(exercise.hints)} · {exercise.id}"
    show_panel(Panel(f"{head}\n  {text}{more}", f"<p><strong>{head}</strong><br>{code(text)}<small>{code(more)}</small></p>"))


def _list_all() -> None:
    seen = load().hints
    topic = this_notebook()
    rows = [
        [f'`hint("{entry.id}")`', entry.title, f"{seen.get(entry.id, 0)} of {len(entry.hints)} seen"]
        for entry in (exercises_of(topic) if topic else ())
    ]
    foot = "" if rows else 'Say of which exercise: `hint("01.one_hot")`.'
    show_panel(table_panel(["ask", "exercise", "hints"], rows, foot))


def _after_the_last(exercise: Exercise) -> str:
    """Where the worked solutions are installed, the last hint says how to come to them."""
    if find_text(exercise) is None:
        return ""
    return f' Still stuck after some tries? `from embedding_course import solution`, then `solution("{exercise.id}")`.'
