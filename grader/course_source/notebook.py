"""Assemble notebooks: the instructor's source from the lesson, the learner's release from the source.

The release is cut by nbgrader's own preprocessors, the ones that `nbgrader generate_assignment` runs, so that there
is one producer and the two can never differ.
"""

from dataclasses import replace
from functools import cache, partial
from gettext import NullTranslations
from typing import Any

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat.notebooknode import NotebookNode, from_dict
from nbgrader.preprocessors import ClearMarkScheme, ClearOutput, ClearSolutions, ComputeChecksums, LockCells

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.intake.cells import KEY, digest_of
from embedding_course.exercises import exercises_of
from embedding_course.learner.glossary import GLOSSARY, LEDGER
from embedding_course.messages import ENGLISH, Message, in_language, translate, translate_within

from ..paths import ROOT
from .catalogue import reference_source
from .exercise_facts import facts
from .half_made import HalfMade
from .lesson import LessonCell, read_lesson
from .links import alone, links
from .setting import Setting, read_setting
from .setup_cell import language_line
from .sittings import FOLDED, sittings
from .stub import definition, mark_text, solution_source, with_docstrings

_SCHEMA = 3


def source(topic: str, setting: Setting | None = None, *, linked: bool = False) -> NotebookNode:
    """Return the instructor's notebook.

    Parameters
    ----------
    topic
        The notebook's name.
    setting
        Where the course is published; read from the course if it is not given.
    linked
        Keep the links to other files of the course, for the site.

    Raises
    ------
    HalfMade
        If the lesson and the exercises do not name the same set.
    """
    setting = setting or read_setting()
    exercises = {exercise.id: exercise for exercise in exercises_of(topic)}
    badges = links(setting, topic)
    cells: list[NotebookNode] = [_cell("markdown", "open-elsewhere", badges)] if badges else []
    placed: list[str] = []
    lesson = sittings(
        read_lesson(topic, setting), {timed_exercise.id: timed_exercise.minutes for timed_exercise in exercises.values()}
    ).cells()
    for index, cell in enumerate(lesson):
        if "exercise" in cell.meta:
            placed.append(cell.meta["exercise"])
            if placed[-1] not in exercises:
                raise HalfMade(f"the lesson of {topic} places {placed[-1]}, which is not defined")
            cells += _exercise_cells(cell, exercises[placed[-1]])
        elif "reflection" in cell.meta:
            following = lesson[index + 1] if index + 1 < len(lesson) else None
            if following is None or not following.meta.get("model_answer"):
                raise HalfMade(f"the lesson of {topic}: after {cell.key} a cell with model_answer=true is missing")
            cells += _reflection_cells(cell, following)
        elif not cell.meta.get("model_answer"):
            added = _words(topic) if cell.key == "title" else language_line() if cell.key == "setup" else ""
            cells.append(_ordinary(replace(cell, source=cell.source + added)))
    if sorted(placed) != sorted(exercises):
        raise HalfMade(f"the lesson of {topic} places {sorted(placed)}, defined are {sorted(exercises)}")
    for cell in cells if not linked else ():
        if cell.cell_type == "markdown":
            cell.source = alone(cell.source)
    notebook = nbformat.v4.new_notebook(cells=cells)
    notebook.metadata = NotebookNode(
        kernelspec={"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        language_info={"name": "python"},
    )
    nbformat.validate(notebook)
    return notebook


def translated(topic: str, translations: str | NullTranslations, setting: Setting | None = None) -> NotebookNode:
    """Return the instructor's notebook in another language; its code is the same but for `language_line`.

    Parameters
    ----------
    topic : str
        Name of the notebook.
    translations : str or NullTranslations
        Code of a language, or the catalogue in which the text is looked up: Markdown by the key of its cell, docstrings of
        stubs by the id of the exercise.
    setting : Setting, optional
        Where the course is published; by default what `read_setting` returns.
    """
    with in_language(translations):
        return source(topic, setting)


def release(notebook: NotebookNode) -> NotebookNode:
    """Return the learner's notebook, cut from the instructor's by nbgrader."""
    exporter = NotebookExporter()
    exporter._preprocessors = []
    for step in (LockCells, ClearSolutions, ClearOutput, ComputeChecksums, ClearMarkScheme, ComputeChecksums):
        exporter.register_preprocessor(step(), enabled=True)
    text, _ = exporter.from_notebook_node(notebook, {"metadata": {}})
    return nbformat.reads(text, as_version=4)


@cache
def released(topic: str, language: str = ENGLISH) -> NotebookNode:
    """Return an edition of the learner's notebook as it is now published, made once in a process. It must not be changed."""
    return release(translated(topic, language))


def _cell(kind: str, key: str, source: str, **metadata: Any) -> NotebookNode:
    """Make a cell like nbformat.v4.new_code_cell, without its validation: the notebook is validated as a whole."""
    fields = {"id": key, "cell_type": kind, "metadata": metadata, "source": source}
    cell: Any = from_dict(fields | ({"execution_count": None, "outputs": []} if kind == "code" else {}))
    return cell


def _marked(grade_id: str, kind: str, **flags: Any) -> dict[str, Any]:
    marks = {"grade": False, "locked": False, "solution": False, "task": False, **flags}
    return {"cell_type": kind, "grade_id": grade_id, "schema_version": _SCHEMA, **marks}


def _ordinary(cell: LessonCell) -> NotebookNode:
    metadata: dict[str, Any] = {}
    if cell.meta.get("given"):
        metadata[KEY] = {"given": True}
    elif cell.kind == "code":
        metadata[KEY] = {"demonstration": digest_of(cell.source)}
    if cell.meta.get("tags"):
        metadata["tags"] = cell.meta["tags"]
    metadata |= {name: value for name, value in FOLDED.items() if cell.meta.get(name)}
    return _cell(cell.kind, cell.key, cell.source, **metadata)


def _words(topic: str) -> str:
    """Return what the title says of the pages that `glossary` and `ledger` open, in a course that has both."""
    if not all((ROOT / "docs" / page).exists() for page in (GLOSSARY, LEDGER)):
        return ""
    message = Message(
        'A word you do not know? `glossary("embedding")` explains it, and so does `glossary("嵌入")`. '
        '`ledger("{number}")` lists the claims that this notebook puts to the test.'
    )
    return f"\n\n{message.fill(number=topic[:2])}"


def _exercise_cells(cell: LessonCell, exercise: Exercise) -> list[NotebookNode]:
    text = with_docstrings(definition(reference_source(exercise), exercise.name), partial(translate_within, exercise.id))
    solution = _marked(exercise.grade_id, "code", solution=True)
    points = exercise.points if exercise.core else 0.0
    check = _marked(f"{exercise.grade_id}-check", "code", grade=True, locked=True, points=points)
    return [
        _cell("markdown", f"{cell.key}-task", _header(exercise, cell.source)),
        _cell("code", cell.key, solution_source(text), nbgrader=solution),
        _cell("code", f"{cell.key}-check", f'check("{exercise.id}")', nbgrader=check),
    ]


def _header(exercise: Exercise, prose: str) -> str:
    title = Message("Exercise {exercise} · {title}", exercise=exercise.id, title=translate(exercise.title))
    why = Message("**Why it matters.** {why}", why=translate(exercise.why))
    parts = [f"### {title}", facts(exercise), str(why)]
    return "\n\n".join([*parts, prose] if prose.strip() else parts)


def _reflection_cells(cell: LessonCell, model: LessonCell) -> list[NotebookNode]:
    points = float(cell.meta["reflection"])
    marks = _marked(f"{cell.key}-answer", "markdown", grade=True, solution=True, points=points)
    return [
        _cell("markdown", cell.key, cell.source),
        _cell("markdown", f"{cell.key}-answer", mark_text(model.source), nbgrader=marks),
    ]
