"""Extract all that learners read: the sentences of the machinery, those of the warm-up, and those of each notebook.

A notebook's are those of its exercises, its catalogue of mistakes, its lesson and what is recorded for it. `translations.py`
compares them with the catalogues of each language.
"""

import ast
import inspect
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

from embedding_course.checking import expected
from embedding_course.checking.exercise import Exercise
from embedding_course.data.files import data_file
from embedding_course.exercises import exercises_of
from embedding_course.experiments import five_questions
from embedding_course.learner.glossary import GLOSSARY, LEDGER, claims, terms
from embedding_course.subject.course import course
from embedding_course.subject.lessons import Lesson

from ..course_source.catalogue_file import sentences
from ..course_source.lesson import read_cells
from ..course_source.lesson_messages import docstrings, lesson_messages
from ..course_source.start_here import NAME as START_HERE
from ..paths import ROOT, SOLUTIONS

#: Where sentences of the machinery are written; the grader's own commands and reports stay English.
_ROOMS = ("classroom", "course_source", "feedback", "marking", "submission")
_CODE = ("embedding_course", *(f"grader/{room}" for room in _ROOMS))
_TEMPLATES = ("grader/feedback/page.html.j2", "grader/feedback/term_page.html.j2")
#: Calls whose first text is a template; `plural` has one for a single thing and one for several, and `ask` and `finish` of
#: figures have the figure before it.
_CALLS = ("Message", "ask", "finish", "play", "plural", "say", "translatable", "translate")


@dataclass(frozen=True)
class Extracted:
    """A text for translators.

    Attributes
    ----------
    text, several : str
        The text, or the template for a single thing and the one for several things.
    path, line : str, int
        Where it stands, relative to the checkout.
    context : str
        The key of the lesson's cell, of its question, or the id of an exercise, since a word may mean something else there.
    has_slots : bool
        True if braces in it are slots.
    """

    text: str
    path: str
    line: int
    several: str = ""
    context: str = ""
    has_slots: bool = False


def machinery_messages() -> Iterator[Extracted]:
    """Yield the sentences of both packages, of the feedback page, and the labels on the course's map."""
    exercises = course().home / "exercises"
    for path in (path for folder in _CODE for path in sorted((ROOT / folder).rglob("*.py"))):
        if not path.is_relative_to(exercises) or path.parent == exercises:
            yield from python_messages(path)
    for name in _TEMPLATES:
        yield from template_messages(ROOT / name)
    for row in json.loads(data_file(five_questions.RECORD).read_bytes()).values():
        yield Extracted(row["engine"], f"data/{five_questions.RECORD}", 1)
    for edge in course().subject.carried:
        yield Extracted(edge.what, "embedding_course/subject.toml", 1)


def notebook_messages(lesson: Lesson) -> Iterator[Extracted]:
    """Yield the texts of one notebook: its title, its exercises, the mistakes in them, and the cells of its lesson."""
    yield from (Extracted(text, "embedding_course/subject.toml", 1) for text in (lesson.title, lesson.question))
    for path in sorted((course().home / "exercises" / lesson.topic).rglob("*.py")):
        yield from python_messages(path)
    for exercise in exercises_of(lesson.topic):
        yield from exercise_messages(exercise)
    for path in sorted((SOLUTIONS / lesson.topic / "mistakes").glob("*.py")):
        yield from (Extracted(sentence.text, _relative(path), sentence.line) for sentence in sentences(path))
    path = SOLUTIONS / lesson.topic / "lesson.py"
    for key, text, line in lesson_messages(path):
        yield Extracted(text, _relative(path), line, context=key or "", has_slots=key is None and bool(slots_of(text)))
    yield from recorded_messages(lesson)


def start_here_messages() -> Iterator[Extracted]:
    """Yield the texts of the warm-up; the docstrings of its functions have the keys of their cells as context."""
    path = SOLUTIONS / START_HERE / "start_here.py"
    for cell in read_cells(path):
        if cell.kind == "code" and cell.key != "setup":
            for text in docstrings(cell.source):
                yield Extracted(text, _relative(path), 1, context=cell.key)
    for key, text, line in lesson_messages(path):
        yield Extracted(text, _relative(path), line, context=key or "", has_slots=key is None and bool(slots_of(text)))


def glossary_messages() -> Iterator[Extracted]:
    """Yield what the glossary says of each term."""
    for term in terms():
        yield Extracted(term.meaning, f"docs/{GLOSSARY}", 1)


def ledger_messages() -> Iterator[Extracted]:
    """Yield each claim of the ledger, what was computed, and the verdict with what it depends on."""
    for claim in claims():
        heads = (claim.verdict.partition(":")[0], claim.verdict)
        for text in (claim.says, claim.computed, *dict.fromkeys(heads)):
            yield Extracted(text, f"docs/{LEDGER}", 1)


def recorded_messages(lesson: Lesson) -> Iterator[Extracted]:
    """Yield labels and data of the recorded curves of a notebook; its recorded figures are drawn in each language."""
    for path in sorted((ROOT / "data" / "curves").glob(f"{lesson.number}_*.json")):
        recorded = json.loads(path.read_text(encoding="utf-8"))
        for text in (*recorded.get("labels", {}).values(), recorded.get("data", "")):
            yield Extracted(text, _relative(path), 1)


def exercise_messages(exercise: Exercise) -> Iterator[Extracted]:
    """Yield what learners read of an exercise: title, purpose, hints, criteria, and the names and reasons of its cases."""
    path = Path(inspect.getfile(exercise.cases))
    lines = {
        node.value: node.lineno
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    texts = [exercise.title, exercise.why, *exercise.hints]
    texts += [text for criterion in exercise.criteria for text in (criterion.name, criterion.says)]
    texts += [text for case in expected.load(exercise).cases for text in (case.name, case.because)]
    for text in texts:
        yield Extracted(text, _relative(path), lines.get(text, 1))


def python_messages(path: Path) -> Iterator[Extracted]:
    """Yield the templates of a file of Python, as far as they are written out in the call."""
    yield from _of_tree(ast.parse(path.read_text(encoding="utf-8")), _relative(path))


def template_messages(path: Path) -> Iterator[Extracted]:
    """Yield the templates of a page that is made with Jinja."""
    from jinja2 import Environment, nodes

    for call in Environment().parse(path.read_text(encoding="utf-8")).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in _CALLS:
            texts = [argument.value for argument in call.args if isinstance(argument, nodes.Const)]
            several = texts[1] if call.node.name == "plural" else ""
            yield Extracted(texts[0], _relative(path), call.lineno, several, has_slots=bool(call.kwargs or several))


def _of_tree(tree: ast.AST, path: str) -> Iterator[Extracted]:
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        function = call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        texts = [argument.value for argument in call.args if isinstance(argument, ast.Constant)]
        if name in _CALLS and texts and isinstance(texts[0], str) and texts[0]:
            several = str(texts[1]) if name == "plural" else ""
            yield Extracted(texts[0], path, call.lineno, several, has_slots=bool(several or slots_of(texts[0])))


def slots_of(template: str) -> set[str]:
    """Return the names of a template's slots; none if its braces are no slots.

    Examples
    --------
    >>> sorted(slots_of("{part} has {axes:d} axes")), slots_of("`{word: count}`, `[{}]`")
    (['axes', 'part'], set())
    """
    try:
        fields = [field for _, field, *_ in Formatter().parse(template) if field is not None]
    except ValueError:
        return set()
    return set(fields) if all(field.isidentifier() for field in fields) else set()


def _relative(path: Path) -> str:
    return path.resolve().relative_to(ROOT).as_posix() if path.resolve().is_relative_to(ROOT) else path.name
