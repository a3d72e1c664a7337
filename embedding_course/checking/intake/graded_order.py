"""Put the cells of a submission and of the lesson into the order in which the notebook is graded.

The order is that of the submission. A cell of the lesson that the submission lacks follows the lesson's cell before it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .answers import Choice
from .cells import Cell, says_nothing
from .statements import definitions, split
from .stubs import is_stub


@dataclass(frozen=True)
class Placed:
    """One cell with the cell of the lesson that it stands for.

    `lesson` is the index of that cell in the lesson, or None for a cell that the learner added.
    """

    cell: Cell
    lesson: int | None = None


def graded_order(lesson: Sequence[Cell], submitted: Sequence[Cell], choices: Sequence[Choice]) -> list[Placed]:
    """Return all cells of the lesson and the learner's own code cells, each with its role, in the order of the submission.

    Parameters
    ----------
    lesson : sequence of Cell
        The lesson as it was handed out. May be empty, as on a learner's machine without it; then roles come from the file.
    submitted : sequence of Cell
        The cells of the submission.
    choices : sequence of Choice
        Which of them answer the exercises.

    Notes
    -----
    An edited cell of the lesson is the learner's own. A given cell that was edited runs as the lesson has it, then as the
    learner has it. An untouched stub does not run where another cell answers its exercise; what else its cell holds does.
    Of several copies of a check cell the first one below the answer counts, else the last one.
    """
    return _Order(lesson, submitted, choices).result()


class _Order:
    def __init__(self, lesson: Sequence[Cell], submitted: Sequence[Cell], choices: Sequence[Choice]) -> None:
        self._lesson, self._submitted, self._choices = lesson, submitted, choices
        self._answers: dict[int, list[Choice]] = defaultdict(list)
        for choice in choices:
            if choice.cell is not None:
                self._answers[choice.cell.number].append(choice)
        self._names = {choice.exercise.name for choice in choices if choice.attempted}
        self._by_label = {cell.grade_id: index for index, cell in enumerate(lesson) if cell.grade_id}
        self._by_source = {cell.source.strip(): index for index, cell in reversed(list(enumerate(lesson)))}
        self._by_id = {cell.id: index for index, cell in enumerate(lesson) if cell.id}
        self._check_number = self._check_numbers()
        self._placed: list[Placed] = []
        self._index_of: dict[int, int] = {}

    def result(self) -> list[Placed]:
        for cell in self._submitted:
            self._place(cell)
        return self._with_missing()

    def _check_numbers(self) -> dict[str, int]:
        """Return for each check's label the place of the copy that counts."""
        answers = {
            f"{choice.exercise.grade_id}-check": choice.cell.number for choice in self._choices if choice.cell is not None
        }
        positions: dict[str, int] = {}
        for cell in self._submitted:
            label = self._check_label(cell)
            if label and positions.get(label, -1) < answers.get(label, 0):
                positions[label] = cell.number
        return positions

    def _place(self, cell: Cell) -> None:
        check = self._check_label(cell)
        if cell.number in self._answers:
            self._place_answer(cell)
            if not check:
                return
        if check:
            if cell.number not in self._answers and cell.source.strip() != self._check_source(check, cell):
                self._place_own(cell)
            if self._check_number[check] == cell.number:
                pristine = replace(cell, source=self._check_source(check, cell), grade_id=check, role="check")
                self._put(pristine, self._by_label.get(check))
            return
        index = self._by_source.get(cell.source.strip())
        if cell.kind != "code" or not cell.role:  # a written answer whose type was changed to code has no role
            if index is not None and index not in self._index_of and self._lesson[index].kind == cell.kind:
                self._put(replace(cell, role=""), index)
            return
        if cell.role == "demonstration" or (index is not None and self._lesson[index].role == "demonstration"):
            known = index if index not in self._index_of else None
            self._put(replace(cell, role="demonstration"), known)
        elif index is not None and self._lesson[index].role == "given":
            self._put(replace(cell, role="given"), None if index in self._index_of else index)
        elif cell.role == "given" and not self._lesson:
            self._put(cell, None)
        else:
            self._place_given_before(cell)
            self._place_own(self._without_spare_stubs(cell))

    def _place_answer(self, cell: Cell) -> None:
        """Put the answer's cell in place, once more for each further exercise that it answers."""
        for count, choice in enumerate(self._answers[cell.number]):
            assert choice.cell is not None
            role = "repeated" if count else "answer"
            slot = replace(choice.cell, grade_id=choice.exercise.grade_id, role=role)
            self._put(slot, self._by_label.get(choice.exercise.grade_id))

    def _place_given_before(self, cell: Cell) -> None:
        """Put the lesson's own cell before a given cell that the learner edited."""
        index = self._by_id.get(cell.id)
        if index is not None and self._lesson[index].role == "given" and index not in self._index_of:
            self._put(self._lesson[index], index)

    def _place_own(self, cell: Cell) -> None:
        if not says_nothing(cell.source):
            self._put(replace(cell, grade_id="", role="own"), None)

    def _without_spare_stubs(self, cell: Cell) -> Cell:
        """Return a cell with empty lines in place of untouched stubs of exercises that another cell answers."""
        nodes = definitions(cell.source)
        stubs = {name for name in self._names & nodes.keys() if is_stub(nodes[name])}
        lines = cell.source.split("\n")
        for statement in split(cell.source) if stubs else ():
            if getattr(statement.node, "name", "") in stubs:
                lines[statement.line - 1 : statement.last_line] = [""] * (statement.last_line - statement.line + 1)
        return replace(cell, source="\n".join(lines)) if stubs else cell

    def _check_label(self, cell: Cell) -> str:
        """Return the label of the check that a cell is, known by its label or its text; empty for any other cell."""
        if cell.kind != "code":
            return ""
        if cell.grade_id.endswith("-check"):
            return cell.grade_id
        index = self._by_source.get(cell.source.strip())
        return self._lesson[index].grade_id if index is not None and self._lesson[index].role == "check" else ""

    def _check_source(self, label: str, cell: Cell) -> str:
        index = self._by_label.get(label)
        return cell.source.strip() if index is None else self._lesson[index].source.strip()

    def _put(self, cell: Cell, lesson: int | None) -> None:
        if lesson is not None:
            self._index_of[lesson] = len(self._placed)
        self._placed.append(Placed(cell, lesson))

    def _with_missing(self) -> list[Placed]:
        """Add the lesson's cells that the submission lacks, and without the lesson the missing checks."""
        behind: dict[int, list[Placed]] = defaultdict(list)
        anchor = -1
        for index, cell in enumerate(self._lesson):
            if index in self._index_of:
                anchor = self._index_of[index]
            else:
                source = "" if cell.role == "answer" else cell.source
                behind[anchor].append(Placed(replace(cell, number=0, source=source), index))
        if not self._lesson:
            for index, placed in enumerate(self._placed):
                label = f"{placed.cell.grade_id}-check"
                if placed.cell.role in ("answer", "repeated") and label not in self._check_number:
                    behind[index].append(Placed(Cell(0, "code", "", label, "check")))
        return [*behind[-1], *_flat((placed, *behind[index]) for index, placed in enumerate(self._placed))]


def _flat(groups: Iterable[Iterable[Placed]]) -> list[Placed]:
    return [item for group in groups for item in group]
