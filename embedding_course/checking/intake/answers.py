"""Which cell answers which exercise, and which statements of other cells these answers need. The grader's own rule."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from ..exercise import Exercise
from .cells import Cell
from .needed import needed
from .statements import Statement, bound_names, definitions
from .stubs import is_stub

__all__ = ["Choice", "choose", "helpers", "in_their_places"]


@dataclass(frozen=True)
class Choice:
    """Which cell answers an exercise, if any does; `real` are all that define its name and are no stub, `labelled` those that
    bear its label."""

    exercise: Exercise
    cell: Cell | None
    real: Sequence[Cell]
    labelled: Sequence[Cell]

    @property
    def by_name(self) -> bool:
        """Was it found by the name that it defines, in a cell without its label?"""
        return self.cell is not None and self.cell.grade_id != self.exercise.grade_id


def choose(cells: Iterable[Cell], exercises: Iterable[Exercise]) -> list[Choice]:
    """For each exercise the cell that answers it: the last that defines its name and is no stub, labelled ones first; else a
    labelled one that defines nothing (broken code is the learner's too); else a stub."""
    defining: dict[str, list[tuple[Cell, ast.stmt]]] = defaultdict(list)
    labelled: dict[str, list[Cell]] = defaultdict(list)
    for cell in _code(cells):
        labelled[cell.grade_id].append(cell)
        for name, definition in definitions(cell.source).items():
            defining[name].append((cell, definition))
    return [_choice(one, defining[one.name], labelled[one.grade_id]) for one in exercises]


def _choice(exercise: Exercise, found: Sequence[tuple[Cell, ast.stmt]], mine: Sequence[Cell]) -> Choice:
    defining = [cell for cell, _ in found]
    real = [cell for cell, definition in found if not is_stub(definition)]
    real_mine = [cell for cell in real if cell.grade_id == exercise.grade_id]
    places = {cell.place for cell in defining}
    odd = [cell for cell in mine if cell.place not in places and cell.source.strip()]
    picked = (real_mine or real or odd or defining or mine)[-1:]
    return Choice(exercise, picked[0] if picked else None, real, mine)


def helpers(cells: Iterable[Cell], choices: Collection[Choice], lesson: Iterable[Cell]) -> list[tuple[Cell, Statement]]:
    """The statements of other cells that the answers need, each with its cell, in the order in which they run.

    Nothing is taken from cells that stand in the `lesson` as they are; names that its given cells bind are not rebound.
    """
    lesson = _code(lesson)
    given = {name for cell in lesson if cell.given for name in bound_names(cell.source)}
    chosen = {choice.cell.source for choice in choices if choice.cell is not None}
    apart = chosen | {cell.source for cell in lesson}
    others = [cell for cell in _code(cells) if cell.source not in apart]
    names = {choice.exercise.name for choice in choices}
    return [(others[index], one) for index, one in needed([cell.source for cell in others], chosen, given, names)]


def in_their_places(choices: Iterable[Choice], lesson: Iterable[Cell]) -> list[Cell]:
    """The lesson's cells that run in grading, with the answers in the places of their exercises; empty where there is none."""
    answers = {choice.exercise.grade_id: choice.cell for choice in choices}
    return [_filled(cell, answers[cell.grade_id]) if cell.grade_id in answers else cell for cell in _code(lesson)]


def _filled(slot: Cell, answer: Cell | None) -> Cell:
    return replace(answer or replace(slot, source=""), grade_id=slot.grade_id, solution=True, given=False, helpers=False)


def _code(cells: Iterable[Cell]) -> list[Cell]:
    return [cell for cell in cells if cell.kind == "code"]
