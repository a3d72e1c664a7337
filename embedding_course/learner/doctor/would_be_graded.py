"""What the grader would take of a notebook, by its own rules, read from the file without running it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...checking.intake.answers import Choice, choose, helpers, in_their_places
from ...checking.intake.cells import Cell
from ...checking.intake.steps import Step, steps
from ...exercises import exercises_of
from .saved import Saved

__all__ = ["Taken", "take"]


@dataclass
class Taken:
    """What would be run, and for each exercise by name which cells could answer it and which one does."""

    steps: list[Step]
    choices: dict[str, Choice]

    def cell(self, name: str) -> Cell | None:
        """The cell that answers an exercise."""
        return self.choices[name].cell


def take(saved: Saved, lesson: Sequence[Cell] = ()) -> Taken:
    """What grading would run. `lesson` are the cells of the lesson as it was handed out; where they are not at hand, what the
    file itself shows of it must do."""
    choices = choose(saved.cells, exercises_of(saved.lesson.topic))
    lesson = _with_places(lesson, saved) if lesson else _lesson_in(saved, choices)
    used = helpers(saved.cells, choices, lesson)
    return Taken(steps(in_their_places(choices, lesson), used), {choice.exercise.name: choice for choice in choices})


def _with_places(lesson: Sequence[Cell], saved: Saved) -> list[Cell]:
    """The lesson's cells by their places in the file: people count the cells of their own."""
    places = {cell.source: cell.place for cell in reversed(saved.code)}
    return [replace(cell, place=places.get(cell.source, 0)) for cell in lesson]


def _lesson_in(saved: Saved, choices: Sequence[Choice]) -> list[Cell]:
    """The given cells of a file and the places of its answers, in the order of the file."""
    slots: dict[int, list[Cell]] = {}
    for choice in choices:
        if choice.cell is not None:
            slot = replace(choice.cell, source="", grade_id=choice.exercise.grade_id)
            slots.setdefault(choice.cell.place, []).append(slot)
    return [one for cell in saved.code for one in slots.get(cell.place, [cell] * cell.given)]
