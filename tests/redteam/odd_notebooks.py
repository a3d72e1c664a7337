"""How an honest but odd notebook is declared: a full-mark notebook, and what a learner did to its cells.

`odd("01", "max is a number further down", after("train_bpe", "max = 0"))` enters one into `ODD`. The modules
`honest_names`, `honest_values`, `honest_files`, `honest_python`, `honest_magics` and `honest_cells` do so, by idea.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass

import nbformat
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of
from embedding_course.subject.lessons import lesson
from grader.course_source.catalogue import mistakes_of
from grader.course_source.notebook import release, source
from grader.quality.demo.personas import fill

Step = Callable[[NotebookNode], None]


@dataclass(frozen=True)
class Odd:
    """An odd notebook: the number of its lesson, what is odd, and what makes it so of a perfect one."""

    number: str
    name: str
    steps: tuple[Step, ...]

    @property
    def topic(self) -> str:
        return lesson(self.number).topic

    def make(self) -> NotebookNode:
        """Return the notebook, made anew."""
        notebook = nbformat.reads(
            fill(self.topic, release(source(self.topic)), "perfect", 0).content.decode("utf-8"), as_version=4
        )
        for step in self.steps:
            step(notebook)
        return notebook


ODD: list[Odd] = []


def odd(number: str, name: str, *steps: Step) -> None:
    """Enter an odd notebook into the catalogue."""
    ODD.append(Odd(number, name, steps))


def place_of(notebook: NotebookNode, name: str, ending: str = "") -> int:
    """Return the index of the answer's cell of the exercise `name`, or with the ending "-check" of its check cell."""
    for index, cell in enumerate(notebook.cells):
        grade_id = str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
        if grade_id.partition("-")[2] == f"{name}{ending}":
            return index
    raise LookupError(f"no cell of {name}{ending}")


def answer_of(notebook: NotebookNode, name: str) -> NotebookNode:
    return notebook.cells[place_of(notebook, name)]


def _code(texts: tuple[str, ...]) -> list[NotebookNode]:
    return [nbformat.v4.new_code_cell(text) for text in texts]


def above(name: str, *texts: str) -> Step:
    """Cells of the learner's own above an answer."""

    def step(notebook: NotebookNode) -> None:
        at = place_of(notebook, name)
        notebook.cells[at:at] = _code(texts)

    return step


def below(name: str, *texts: str) -> Step:
    """Cells of the learner's own between an answer and its check."""

    def step(notebook: NotebookNode) -> None:
        at = place_of(notebook, name) + 1
        notebook.cells[at:at] = _code(texts)

    return step


def after(name: str, *texts: str) -> Step:
    """Cells of the learner's own behind an exercise's check."""

    def step(notebook: NotebookNode) -> None:
        at = place_of(notebook, name, "-check") + 1
        notebook.cells[at:at] = _code(texts)

    return step


def top(*texts: str) -> Step:
    """Cells behind the lesson's imports."""

    def step(notebook: NotebookNode) -> None:
        at = next(at for at, cell in enumerate(notebook.cells) if cell.get("id") == "imports") + 1
        notebook.cells[at:at] = _code(texts)

    return step


def end(*texts: str) -> Step:
    """Cells at the end of the notebook."""
    return lambda notebook: notebook.cells.extend(_code(texts))


def answer(name: str, text: str) -> Step:
    """Put the learner's own text in place of the worked answer."""

    def step(notebook: NotebookNode) -> None:
        answer_of(notebook, name).source = text

    return step


def edit(name: str, old: str, new: str) -> Step:
    """Write a part of the worked answer otherwise.

    Raises
    ------
    LookupError
        If that part does not stand there.
    """

    def step(notebook: NotebookNode) -> None:
        cell = answer_of(notebook, name)
        if old not in cell.source:
            raise LookupError(f"{old!r} does not stand in the answer to {name}")
        cell.source = cell.source.replace(old, new)

    return step


def first(name: str, text: str) -> Step:
    """Lines above the definition, in the answer's cell."""

    def step(notebook: NotebookNode) -> None:
        cell = answer_of(notebook, name)
        cell.source = f"{text}\n{cell.source}"

    return step


def also(name: str, text: str) -> Step:
    """Lines below the definition, in the answer's cell."""

    def step(notebook: NotebookNode) -> None:
        cell = answer_of(notebook, name)
        cell.source = f"{cell.source}\n{text}"

    return step


def remove(name: str, ending: str = "") -> Step:
    """Delete the cell."""

    def step(notebook: NotebookNode) -> None:
        del notebook.cells[place_of(notebook, name, ending)]

    return step


def wrong(name: str) -> Step:
    """Put a wrong attempt, one of the known mistakes, into a cell of its own above the answer."""

    def step(notebook: NotebookNode) -> None:
        at = place_of(notebook, name)
        cell = copy.deepcopy(notebook.cells[at])
        cell.source = wrong_source(notebook, name)
        notebook.cells.insert(at, cell)

    return step


def wrong_source(notebook: NotebookNode, name: str) -> str:
    """Return the text of the first known mistake of an exercise."""
    label = str(answer_of(notebook, name).metadata["nbgrader"]["grade_id"])
    topic = lesson(label[:2]).topic
    exercise = next(candidate for candidate in exercises_of(topic) if candidate.grade_id == label)
    return mistakes_of(exercise)[0].source.rstrip()


def whole(change: Callable[[NotebookNode], None]) -> Step:
    """Any change of the notebook."""
    return change


def each(number: str, change: Callable[[NotebookNode, str], None]) -> Step:
    """Change every answer's cell, by the exercise's name."""

    def step(notebook: NotebookNode) -> None:
        for exercise in exercises_of(lesson(number).topic):
            change(notebook, exercise.name)

    return step
