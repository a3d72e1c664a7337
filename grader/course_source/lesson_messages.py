"""Extract what a lesson says to its readers: Markdown, questions, printed templates, labels of figures, docstrings."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from embedding_course.checking.intake.statements import is_docstring
from embedding_course.composed_labels import NUMBER
from embedding_course.exercises import find_exercise

from .catalogue import reference_source
from .lesson import LessonCell, read_cells
from .minutes import drawing_names
from .stub import definition

#: Calls beside the figures' that show the texts which they are given: tables, and the progress of a training.
_SHOWING = frozenset(("show_table", "five_questions", "train"))
_WORDS = re.compile(r"[A-Za-z]{2}")


def lesson_messages(path: Path) -> Iterator[tuple[str | None, str, int]]:
    """Yield context, English text and line of each text of a lesson, in the order of the file.

    The context is the key of a Markdown cell, the key of a question of `predict`, or, for a docstring of a stub, the id of the
    exercise. It is None where a text is looked up without a context: what `say` prints, and labels that figures show.
    """
    cells = read_cells(path)
    lines = [number for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if line.startswith("# %%")]
    drawing = drawing_names(cells)
    for cell, line in zip(cells, lines, strict=True):
        if cell.kind == "markdown":
            if cell.source.strip():
                yield cell.key, cell.source, line
            if "exercise" in cell.meta:
                exercise = find_exercise(cell.meta["exercise"])
                for docstring in docstrings(definition(reference_source(exercise), exercise.name)):
                    yield cell.meta["exercise"], docstring, line
        elif cell.key != "setup":
            for context, text, number in _texts(cell, drawing):
                yield context, text, line + number


def docstrings(source: str) -> Iterator[str]:
    """Yield the docstrings of functions and classes, as `with_docstrings` looks them up."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and is_docstring(node.body[0]):
            yield inspect.cleandoc(ast.literal_eval(ast.unparse(node.body[0])))


def _texts(cell: LessonCell, drawing: frozenset[str]) -> list[tuple[str | None, str, int]]:
    """Return the texts of a code cell with their contexts and lines: questions, what is printed, and what may be a label.

    A label is a key of a dictionary, an item of what a loop runs over, the `title=` of any call, or an argument of a call that
    draws or shows, written there or in a list that the cell names. Of an f-string there is a sign for each value, as
    `translate` looks it up.
    """
    texts: dict[int, tuple[str | None, str, int]] = {}

    def add(node: ast.AST, context: str | None = None) -> None:
        if isinstance(node, ast.JoinedStr):
            text = "".join(NUMBER.sub("#", str(part.value)) if isinstance(part, ast.Constant) else "#" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            for part in ast.iter_child_nodes(node):
                add(part, context)
            return
        if _WORDS.search(text):
            texts.setdefault(id(node), (context, text, node.lineno))

    nodes = list(ast.walk(ast.parse(cell.source)))
    named = {
        target.id: node.value
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Tuple, ast.List, ast.Constant, ast.JoinedStr))
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    questions = [node for node in nodes if isinstance(node, ast.Call) and _name_of(node) == "predict"]
    inside = {id(part) for question in questions for part in ast.walk(question)}
    for question in questions:
        add(question.args[1], ast.literal_eval(question.args[0]))
        for choices in (keyword.value for keyword in question.keywords if isinstance(keyword.value, ast.Dict)):
            for words in choices.values:
                add(words, ast.literal_eval(question.args[0]))
    for node in nodes:
        if isinstance(node, ast.Call) and _name_of(node) == "say":
            add(node.args[0])
        elif isinstance(node, ast.Call) and _name_of(node) in drawing | _SHOWING:
            add(node)
            for part in ast.walk(node):
                if isinstance(part, ast.Name) and part.id in named:
                    add(named[part.id])
        elif isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg == "title":
                    add(keyword.value)
        elif isinstance(node, ast.Dict) and id(node) not in inside:
            for key in filter(None, node.keys):
                add(key)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            add(node.slice)
        elif isinstance(node, ast.DictComp):
            add(node.key)
        elif isinstance(node, ast.For):
            add(node.iter)
    return sorted(texts.values(), key=lambda text: text[2])


def _name_of(call: ast.Call) -> str:
    """Return the name that a call begins with: that of the function, or of the module that holds it."""
    function = call.func
    while isinstance(function, ast.Attribute):
        function = function.value
    return function.id if isinstance(function, ast.Name) else ""
