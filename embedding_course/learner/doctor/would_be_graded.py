"""Determine what the grader would take from a notebook, by its own rules, without running it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...checking.intake.answers import Choice, choose
from ...checking.intake.cells import Cell
from ...checking.intake.graded_order import graded_order
from ...checking.intake.steps import Step, steps
from ...exercises import exercises_of
from .saved import Saved


@dataclass
class Taken:
    """Hold what would be run and checked, and for each exercise the candidate cells and the chosen one."""

    steps: list[Step]
    choices: dict[str, Choice]

    def cell(self, name: str) -> Cell | None:
        """Return the cell that answers an exercise."""
        return self.choices[name].cell


def take(saved: Saved, lesson: Sequence[Cell] = ()) -> Taken:
    """Return what grading would run.

    `lesson` are the cells of the lesson as it was handed out; without them, the roles that the file itself notes are used.
    """
    choices = choose(saved.cells, exercises_of(saved.lesson.topic))
    order = [placed.cell for placed in graded_order(lesson, saved.cells, choices)]
    return Taken(steps(order), {choice.exercise.name: choice for choice in choices})
