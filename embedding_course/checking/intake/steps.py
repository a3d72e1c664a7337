"""What of a notebook with its answers runs when it is graded, statement by statement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .cells import Cell
from .statements import Statement, broken_parts, split

__all__ = ["Step", "steps"]


@dataclass(frozen=True)
class Step:
    """A statement that is run, or a whole cell; `answers` are the names of the exercises whose cell it stands in, if any, and
    `line` is its first line there. `undecorated` is run where a definition's decorator fails. `named` and `place` are those
    of its cell, for people."""

    source: str
    answers: tuple[str, ...] = ()
    line: int = 1
    defines: bool = False
    undecorated: str = ""
    named: str = ""
    place: int = 0


def steps(cells: Sequence[Cell], helpers: Iterable[tuple[Cell, Statement]] = ()) -> list[Step]:
    """What is run, in order: given cells whole; helpers and solutions statement by statement, so that one that fails costs none
    of the others. What is no Python is run too, to say what Python says of it: a part of a cell by itself behind the others, or
    the whole. A cell that answers several exercises runs once.

    `helpers` run before the first solution, as those do that stand in a cell of their own.
    """
    answered: dict[str, tuple[str, ...]] = {}
    for cell in cells:
        if cell.solution:
            answered[cell.source] = (*answered.get(cell.source, ()), _name_of(cell))
    found: list[Step] = []
    waiting = [_step(one, cell) for cell, one in helpers]
    for cell in cells:
        if cell.kind != "code":
            continue
        if cell.helpers:
            found += _statements(cell)
        elif cell.given:
            found.append(_whole(cell))
        elif cell.solution:
            found, waiting = found + waiting, []
            names = answered.pop(cell.source, ())
            if names and not _says_nothing(cell.source):
                found += _statements(cell, names) or [_whole(cell, names)]
    return found + waiting


def _name_of(cell: Cell) -> str:
    """The exercise's name in a label: `01-one_hot` gives `one_hot`."""
    return cell.grade_id.partition("-")[2]


def _says_nothing(source: str) -> bool:
    """Is it empty but for comments?"""
    return all(not line.strip() or line.lstrip().startswith("#") for line in source.split("\n"))


def _statements(cell: Cell, names: tuple[str, ...] = ()) -> list[Step]:
    found = [_step(one, cell, names) for one in split(cell.source)]
    broken = [Step(one.text, names, one.line, named=cell.named, place=cell.place) for one in broken_parts(cell.source)]
    return found + broken if found else []


def _step(one: Statement, cell: Cell, names: tuple[str, ...] = ()) -> Step:
    return Step(one.text, names, one.line, one.defines, one.undecorated, cell.named, cell.place)


def _whole(cell: Cell, names: tuple[str, ...] = ()) -> Step:
    return Step(cell.source, names, named=cell.named, place=cell.place)
