"""List what is run when a notebook is graded, cell by cell, and where its checks are made."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .cells import Cell, says_nothing
from .magics import is_python
from .mending import misspelt_name
from .statements import FUNCTIONS, Statement, bound_names, split


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
    named, number : str, int
        How a message names the cell, and where it stands in the learner's file.
    """

    kind: Literal["given", "demonstration", "own", "answer", "check"]
    source: str
    answers: tuple[str, ...] = ()
    mended: tuple[tuple[str, str], ...] = ()
    named: str = ""
    number: int = 0

    @property
    def naming(self) -> str:
        """Return code that gives the right name to answers whose name is misspelt, or an empty string if there are none."""
        return "\n".join(f"if {name!r} not in globals(): {name} = {written}" for name, written in self.mended)


def steps(cells: Sequence[Cell]) -> list[Step]:
    """Return what is run and checked, in order.

    Demonstrations are left out, but for those that bind a name which a later cell of the learner's, or a demonstration that
    such a cell needs, reads before anything else binds it. What a function of the learner's reads may be bound anywhere: it is
    read when the function is called.
    """
    names = {cell.exercise for cell in cells if cell.role in ("answer", "repeated")}
    answered: dict[int, list[str]] = {}
    for cell in cells:
        if cell.role in ("answer", "repeated"):
            answered.setdefault(cell.number, []).append(cell.exercise)
    mine = [cell.source for cell in cells if cell.role in ("own", "answer")]
    unbound = names - {name for source in mine for name in bound_names(source)}
    given = {name for cell in cells if cell.role == "given" for name in bound_names(cell.source)}
    on_call = {name for source in mine for name in _read_on_call(source)} - given - names
    reversed_steps: list[Step] = []
    read: set[str] = set()
    for cell in reversed(cells):
        if cell.role == "check":
            reversed_steps.append(Step("check", "", (cell.exercise,), named=cell.named, number=cell.number))
        elif cell.role == "given":
            reversed_steps.append(Step("given", cell.source, named=cell.named, number=cell.number))
            read -= _surely_bound(cell.source)
        elif cell.role == "own" or (cell.role == "answer" and not says_nothing(cell.source)):
            reversed_steps.append(_of_learner(cell, tuple(answered.get(cell.number, ())), unbound, names))
            read = (read - _surely_bound(cell.source)) | _read_in(cell.source)
        elif cell.role == "demonstration" and (read | on_call) & bound_names(cell.source):
            reversed_steps.append(Step("demonstration", cell.source, named=cell.named, number=cell.number))
            read = (read - _surely_bound(cell.source)) | _read_in(cell.source)
    return reversed_steps[::-1]


def rest_to_run(source: str, line: int) -> list[tuple[str, str]]:
    """Return what of a cell still runs after an exception in one of its lines, statement by statement.

    What fails here may have worked on the learner's machine, so that the statements below it run too. What would bind a name
    again that stands above it does not: where the exception came on the learner's machine as well, it did not run there.

    Parameters
    ----------
    source : str
        The text of the cell.
    line : int
        The line of the exception, 0 where it is not known. Of a cell that is no Python as a whole, what of it is runs.

    Returns
    -------
    list of (str, str)
        The text to run, and what to run where it fails: a definition without its decorators, else "".
    """
    every = split(source)
    if not is_python(source):
        line = 0
    bound = {name for statement in every if statement.last_line < line for name in statement.binds}
    remaining = []
    for statement in every:
        if statement.line <= line <= statement.last_line:
            remaining += [(statement.undecorated, "")] if statement.undecorated else []
        elif statement.line > line and not statement.binds & bound:
            remaining.append((statement.text, statement.undecorated))
    return remaining


def _of_learner(cell: Cell, answers: tuple[str, ...], unbound: set[str], names: set[str]) -> Step:
    """Return the step of a cell of the learner's. `unbound` are the names of answers that no cell of theirs defines."""
    if cell.role == "own":
        return Step("own", cell.source, named=cell.named, number=cell.number)
    near = {name: misspelt_name(cell.source, name, names) for name in answers if name in unbound}
    mended = tuple((name, written) for name, written in near.items() if written)
    return Step("answer", cell.source, answers, mended, cell.named, cell.number)


def _read_in(source: str) -> set[str]:
    """Return the names that a cell reads and does not bind before."""
    unbound, bound = set[str](), set[str]()
    for statement in split(source):
        unbound |= (statement.looks_up | _changed(statement)) - bound
        bound |= statement.binds
    return unbound


def _changed(statement: Statement) -> set[str]:
    """Return the names that a statement reads and binds again, as `x += 1` and `x = x[:3]` do."""
    node = statement.node
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return set()
    changed = [inner.target for inner in ast.walk(node) if isinstance(inner, ast.AugAssign)]
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        changed += [inner for inner in ast.walk(node.value) if isinstance(inner, ast.Name)]
    return {inner.id for inner in changed if isinstance(inner, ast.Name)} & statement.binds


def _read_on_call(source: str) -> set[str]:
    """Return the names that the functions and classes of a cell read."""
    return {
        name
        for statement in split(source)
        if isinstance(statement.node, (*FUNCTIONS, ast.ClassDef))
        for name in statement.looks_up
    }


def _surely_bound(source: str) -> set[str]:
    """Return the names that a cell binds under no condition."""
    return {name for statement in split(source) if statement.defines for name in statement.binds}
