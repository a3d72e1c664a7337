"""Find the cell that answers each exercise, by the name that it defines, then by its label. No code is run."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..exercise import Exercise
from .cells import Cell, says_nothing
from .mending import misspelt_name
from .statements import definitions
from .stubs import is_stub

_FENCED = re.compile(r"^(```+|~~~+)[^\n`]*\n(.*?)^\1[ \t]*$", re.M | re.S)


@dataclass(frozen=True)
class Choice:
    """The cell that answers an exercise.

    Attributes
    ----------
    cell : Cell or None
        The cell, with the code that it holds where its type was changed to Markdown or raw.
    real : sequence of Cell
        All cells that define the exercise's name and are no stub.
    labelled : sequence of Cell
        All cells that bear the exercise's label.
    retyped : str
        What the cell's type was changed to ("markdown" or "raw"), else "".
    """

    exercise: Exercise
    cell: Cell | None
    real: Sequence[Cell]
    labelled: Sequence[Cell]
    retyped: str = ""

    @property
    def by_name(self) -> bool:
        """Return True if the answer was found in a cell without its label."""
        return self.cell is not None and self.cell.grade_id != self.exercise.grade_id

    @property
    def attempted(self) -> bool:
        """Return True if the cell holds work of the learner: it is neither empty nor an untouched stub."""
        if self.cell is None or says_nothing(self.cell.source):
            return False
        definition = definitions(self.cell.source).get(self.exercise.name)
        return definition is None or not is_stub(definition)


def choose(cells: Iterable[Cell], exercises: Iterable[Exercise]) -> list[Choice]:
    """Return for each exercise the cell that answers it.

    It is the last cell that defines the exercise's name and is no stub, labelled ones first; else a labelled cell that defines
    something else (broken code is the learner's too); else a stub. Where no code cell answers, a Markdown or raw cell counts as
    the code that it holds, and then a cell of the learner's own that defines a name which is nearly the exercise's.
    """
    cells = list(cells)
    code = [cell for cell in cells if cell.kind == "code"]
    defining: dict[str, list[tuple[Cell, ast.stmt]]] = defaultdict(list)
    labelled: dict[str, list[Cell]] = defaultdict(list)
    for cell in code:
        labelled[cell.grade_id].append(cell)
        for name, definition in definitions(cell.source).items():
            defining[name].append((cell, definition))
    choices = [_choice(exercise, defining[exercise.name], labelled[exercise.grade_id]) for exercise in exercises]
    texts = [cell for cell in cells if cell.kind in ("markdown", "raw")]
    own = [cell for cell in code if cell.role == "own"]
    names = {choice.exercise.name for choice in choices}
    return [
        choice if choice.attempted else _retyped(choice, texts) or _misspelt(choice, own, names) or choice for choice in choices
    ]


def _choice(exercise: Exercise, candidates: Sequence[tuple[Cell, ast.stmt]], mine: Sequence[Cell]) -> Choice:
    defining = [cell for cell, _ in candidates]
    real = [cell for cell, definition in candidates if not is_stub(definition)]
    real_mine = [cell for cell in real if cell.grade_id == exercise.grade_id]
    positions = {cell.number for cell in defining}
    odd = [cell for cell in mine if cell.number not in positions and cell.source.strip()]
    picked = (real_mine or real or odd or defining or mine)[-1:]
    return Choice(exercise, picked[0] if picked else None, real, mine)


def _retyped(choice: Choice, texts: Sequence[Cell]) -> Choice | None:
    """Look for an answer in cells whose type a key changed."""
    exercise = choice.exercise
    for text in reversed(texts):
        mine = text.grade_id == exercise.grade_id
        if not mine and exercise.name not in text.source:
            continue
        code = as_code(text.source)
        definition = definitions(code).get(exercise.name)
        if (definition is None and not (mine and code.strip())) or is_stub(definition):
            continue
        cell = replace(text, kind="code", source=code)
        return Choice(exercise, cell, [*choice.real, cell], choice.labelled, text.kind)
    return None


def _misspelt(choice: Choice, own: Sequence[Cell], names: set[str]) -> Choice | None:
    """Look for an answer under a misspelt name in a cell beside the stub."""
    cell = next(
        (candidate for candidate in reversed(own) if misspelt_name(candidate.source, choice.exercise.name, names)), None
    )
    return Choice(choice.exercise, cell, choice.real, choice.labelled) if cell else None


def as_code(text: str) -> str:
    r"""Return the code that a text cell holds: its fenced blocks where it has any, else all of it.

    >>> as_code("My answer:\n```python\nx = 1\n```")
    'x = 1\n'
    """
    blocks = [match[2] for match in _FENCED.finditer(text)]
    return "\n".join(blocks) if blocks else text
