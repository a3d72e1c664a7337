"""What of a notebook runs when it is graded, cell by cell, and where its checks are made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .cells import Cell, says_nothing
from .mending import misspelt_name
from .statements import bound_names, split

__all__ = ["Step", "steps"]


@dataclass(frozen=True)
class Step:
    """One cell that is run, or one check that is made.

    Attributes
    ----------
    kind : str
        "given" and "demonstration" are the lesson's own cells, "own" and "answer" the learner's; at a "check" nothing is run.
    answers : tuple of str
        The names of the exercises that the cell answers, or of the one that is checked.
    mended : tuple of (str, str)
        For each answer whose name is misspelt in the cell the right name, and the name by which the cell defines it.
    named, place : str, int
        How a message names the cell, and where it stands in the learner's file.
    """

    kind: Literal["given", "demonstration", "own", "answer", "check"]
    source: str
    answers: tuple[str, ...] = ()
    mended: tuple[tuple[str, str], ...] = ()
    named: str = ""
    place: int = 0

    @property
    def naming(self) -> str:
        """Code that gives answers whose name is misspelt their right one; empty where none is."""
        return "\n".join(f"if {name!r} not in globals(): {name} = {written}" for name, written in self.mended)

    @property
    def of_learner(self) -> bool:
        return self.kind in ("own", "answer")


def steps(cells: Sequence[Cell]) -> list[Step]:
    """Return what is run and checked, in order.

    Demonstrations are left out, but for those that bind a name which a later cell of the learner's, or a demonstration that
    such a cell needs, reads.
    """
    names = {cell.exercise for cell in cells if cell.role in ("answer", "repeated")}
    answered: dict[int, list[str]] = {}
    for cell in cells:
        if cell.role in ("answer", "repeated"):
            answered.setdefault(cell.place, []).append(cell.exercise)
    bound = {name for cell in cells if cell.role in ("own", "answer") for name in bound_names(cell.source)}
    found: list[Step] = []
    read: set[str] = set()
    for cell in reversed(cells):
        if cell.role == "check":
            found.append(Step("check", "", (cell.exercise,), named=cell.named, place=cell.place))
        elif cell.role == "given":
            found.append(Step("given", cell.source, named=cell.named, place=cell.place))
        elif cell.role == "own" or (cell.role == "answer" and not says_nothing(cell.source)):
            found += _of_learner(cell, tuple(answered.get(cell.place, ())), names - bound, names)
            read |= _read_in(cell.source)
        elif cell.role == "demonstration" and read & bound_names(cell.source):
            found.append(Step("demonstration", cell.source, named=cell.named, place=cell.place))
            read |= _read_in(cell.source)
    return found[::-1]


def _of_learner(cell: Cell, answers: tuple[str, ...], unbound: set[str], names: set[str]) -> list[Step]:
    """Return the step of a cell of the learner's. `unbound` are the names of answers that no cell of theirs defines."""
    if cell.role == "own":
        return [Step("own", cell.source, named=cell.named, place=cell.place)]
    near = {name: misspelt_name(cell.source, name, names) for name in answers if name in unbound}
    mended = tuple((name, written) for name, written in near.items() if written)
    return [Step("answer", cell.source, answers, mended, cell.named, cell.place)]


def _read_in(source: str) -> set[str]:
    """Return the names that a cell reads and does not bind itself."""
    return {name for one in split(source) for name in one.looks_up} - bound_names(source)
