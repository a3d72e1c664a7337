"""What a file's cells say: which notebook of the course it is, and whether there are answers in it."""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any, cast

from embedding_course.checking.intake.cells import Cell, cells_of
from embedding_course.checking.intake.statements import definitions
from embedding_course.checking.intake.stubs import is_stub, own_text
from embedding_course.exercises.index import Entry, entries

from ...submission.bounds import check_cells, check_values, within_time
from ...submission.read import Unreadable, notebook_of

#: `check("03.renorm_rows")` and the heading of an exercise.
_NAMED = re.compile(r"""(?:check\(\s*["']|^#+\s*Exercise )(\d\d\.\w+)""", re.MULTILINE)
_WRITTEN = "-answer"


@dataclass(frozen=True)
class Content:
    """What was read of a file.

    `topics` are the notebooks to which most of its cells belong: usually one, several if they have equally many cells, none
    if no cell belongs to the course. `answered` are the notebooks for which the file holds an answer.
    """

    topics: tuple[str, ...] = ()
    answered: frozenset[str] = frozenset()


def is_notebook(content: bytes) -> bool:
    """Return True if this is a notebook, by the content alone."""
    begins = content[:4096].lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0")
    return begins.startswith(b"{") and (b"nbformat" in content or "nbformat".encode("utf-16-le") in content)


def content_of(content: bytes) -> Content:
    """Return what the cells of a file say.

    Raises
    ------
    Unreadable
        If the file is no notebook.
    """
    if not content:
        raise Unreadable("the file is empty")
    try:
        with within_time():
            cells = _cells(content)
            bare = [SimpleNamespace(cell_type=cell.kind, source=cell.source) for cell in cells]
            check_cells(cast(Any, SimpleNamespace(cells=bare)))
            return _content(cells)
    except (RecursionError, MemoryError, UnicodeError) as error:
        raise Unreadable(f"its cells cannot be read ({type(error).__name__}): something in them is nested too deeply") from None


def _cells(content: bytes) -> list[Cell]:
    """Return the cells of a file.

    An ordinary file is read as plain JSON, which is much faster. Any other file is read as it is for grading.
    """
    try:
        text = content.decode("utf-8")
        check_values(text)
        tree = json.loads(text)
    except ValueError:
        return cells_of(notebook_of(content))
    plain = isinstance(tree, dict) and tree.get("nbformat") == 4 and isinstance(tree.get("cells"), list)
    return cells_of(tree if plain else notebook_of(content))


def _content(cells: list[Cell]) -> Content:
    """Return which notebooks the cells belong to, and for which of them they hold answers.

    Cell labels decide. Without labels, the exercises that are checked, their headings and the defined names decide. What
    several notebooks share decides nothing.
    """
    labelled: dict[str, set[str]] = defaultdict(set)
    named: dict[str, set[str]] = defaultdict(set)
    answered: set[str] = set()
    for cell in cells:
        own = _by_label().get(cell.grade_id.removesuffix("-check"))
        if own is not None:
            labelled[own.lesson.topic].add(own.id)
        for exercise in (entries().get(name) for name in _NAMED.findall(cell.source)):
            if exercise is not None:
                named[exercise.lesson.topic].add(exercise.id)
        statements = definitions(cell.source) if cell.kind == "code" else {}
        for exercise in (_by_name()[name] for name in statements if name in _by_name()):
            named[exercise.lesson.topic].add(exercise.id)
            if not is_stub(statements[exercise.name]):
                answered.add(exercise.lesson.topic)
        if own is not None and not cell.grade_id.endswith("-check") and _is_own_work(cell, own, statements):
            answered.add(own.lesson.topic)
    most = labelled or named
    largest = max(map(len, most.values()), default=0)
    topics = tuple(sorted(topic for topic, exercises in most.items() if len(exercises) == largest))
    if any(cell.grade_id.endswith(_WRITTEN) and own_text(cell.source) for cell in cells):
        answered |= set(topics)
    return Content(topics, frozenset(answered))


def _is_own_work(cell: Cell, exercise: Entry, statements: Mapping[str, ast.stmt]) -> bool:
    """Return True if a cell with the label of an exercise holds something other than the stub.

    Code that is not Python counts as work too.
    """
    if exercise.name in statements or (statements and all(map(is_stub, statements.values()))):
        return False  # the first was looked at by its name
    return any(line.strip() and not line.lstrip().startswith("#") for line in cell.source.splitlines())


@cache
def _by_label() -> Mapping[str, Entry]:
    return {exercise.grade_id: exercise for exercise in entries().values()}


@cache
def _by_name() -> Mapping[str, Entry]:
    """Return the exercises by the names that they define, without names that two notebooks share."""
    exercises_by_name: dict[str, list[Entry]] = defaultdict(list)
    for exercise in entries().values():
        exercises_by_name[exercise.name].append(exercise)
    return {name: same[0] for name, same in exercises_by_name.items() if len(same) == 1}
