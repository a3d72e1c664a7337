"""What the grader would take of a notebook, by the same rules, read from the file without running it."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass, field

from ..exercise import Exercise
from ..exercises import exercises_of
from ..statements import bound_names, definitions, needed, statements
from .saved import Cell, Saved

__all__ = ["Step", "Taken", "is_stub", "take"]


@dataclass(frozen=True)
class Step:
    """Source that is run, in order; `answers` names the exercise whose answer it holds, if any."""

    source: str
    named: str
    place: int
    answers: str = ""


@dataclass
class Taken:
    """The steps, and for each exercise by name the cell that answers it, all cells that could, and those labelled so."""

    steps: list[Step] = field(default_factory=list)
    chosen: dict[str, Cell] = field(default_factory=dict)
    rivals: dict[str, list[Cell]] = field(default_factory=dict)
    labelled: dict[str, list[Cell]] = field(default_factory=dict)


def is_stub(node: ast.stmt | None) -> bool:
    """Does a definition still raise the stub's NotImplementedError anywhere?"""
    raised = [inner.exc for inner in ast.walk(node) if isinstance(inner, ast.Raise)] if node else []
    bare = [one.func if isinstance(one, ast.Call) and not one.args else one for one in raised]
    return any(isinstance(one, ast.Name) and one.id == "NotImplementedError" for one in bare)


def take(saved: Saved, untouched: Collection[str] = ()) -> Taken:
    """What grading would run. `untouched` are sources of the lesson itself, from which nothing but given cells is taken."""
    taken = Taken()
    exercises = exercises_of(saved.lesson.topic)
    for exercise in exercises:
        _choose(exercise, saved.code, taken)
    answering = {cell.place: name for name, cell in taken.chosen.items()}
    given = [cell for cell in saved.code if cell.given]
    reserved = {exercise.name for exercise in exercises}
    reserved |= {name for cell in given for node in statements(cell.source) for name in bound_names(node)}
    spare = [
        cell
        for cell in saved.code
        if cell.place not in answering and not cell.given and not cell.check and cell.source not in untouched
    ]
    chosen = {cell.source for cell in taken.chosen.values()}
    from_others = {id(node) for node in needed([cell.source for cell in spare], chosen, reserved)}
    first = min(answering, default=0)
    taken.steps += [Step(cell.source, cell.named, cell.place) for cell in given if cell.place <= first]
    for cell in spare:
        taken.steps += [
            Step(ast.unparse(node), cell.named, cell.place) for node in statements(cell.source) if id(node) in from_others
        ]
    names = {place: [name for name in taken.chosen if taken.chosen[name].place == place] for place in answering}
    for cell in saved.code:
        if cell.place in answering:
            taken.steps.append(Step(cell.source, cell.named, cell.place, names[cell.place][0]))
        elif cell.given and cell.place > first:
            taken.steps.append(Step(cell.source, cell.named, cell.place))
    return taken


def _choose(exercise: Exercise, code: list[Cell], taken: Taken) -> None:
    """The cell that answers an exercise: the last that defines its name and is no stub, labelled ones first; else a
    labelled one that defines nothing; else a stub."""
    name = exercise.name
    mine = [cell for cell in code if cell.grade_id == exercise.grade_id]
    defining = [cell for cell in code if name in definitions(cell.source)]
    real = [cell for cell in defining if not is_stub(definitions(cell.source)[name])]
    real_mine = [cell for cell in real if cell in mine]
    odd = [cell for cell in mine if cell not in defining and cell.source.strip()]
    picked = (real_mine or real or odd or defining or mine)[-1:]
    if picked:
        taken.chosen[name] = picked[0]
    taken.rivals[name] = real
    taken.labelled[name] = mine
