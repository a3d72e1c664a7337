"""How many minutes a cell of a lesson takes: counted from what stands in it, so that no one has to guess.

The numbers were calibrated on five notebooks that were worked through as a learner would (02, 05, 06, 09 and 10: 137, 160, 168,
170 and 160 minutes of core).

* Prose is read at 100 words a minute. A Chinese character counts half a word. What stands in a table or between fences is read
  at half that speed: it has to be compared, not only read. What is folded in `<details>` is not counted.
* An exercise takes the minutes that it declares; the text above it and its docstring are among them.
* A prediction, or a question of the self-test, takes a minute and a half: it asks for a thought before anything runs.
* A question that a person grades takes four minutes besides its text: a few sentences have to be written.
* A cell that draws a figure takes a minute and a half, any other demonstration three quarters of a minute. `seconds=40` on a
  cell of the lesson adds the time that it runs, as measured on one core.
* The setup cell, and cells that only import and set a constant, are run and not read: they take nothing.
"""

import ast
import re
from collections.abc import Iterable, Mapping

from .lesson import LessonCell

WORDS_A_MINUTE = 100
_QUESTION_MINUTES = 4
_THOUGHT_MINUTES = 1.5
_FIGURE_MINUTES = 1.5
_DEMONSTRATION_MINUTES = 0.75
_FOLDED = re.compile(r"<details>.*?</details>", re.DOTALL)
_ADDRESS = re.compile(r"\]\([^)\s]*\)")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\|.*$", re.MULTILINE)


def prose_minutes(text: str) -> float:
    """Return how long Markdown takes to read.

    >>> prose_minutes("word " * 100), prose_minutes("| word | word |")
    (1.0, 0.04)
    >>> prose_minutes("我爱") == prose_minutes("dog")
    True
    """
    text = _FOLDED.sub("", text)
    dense = [*_FENCED.findall(text), *_ROW.findall(_FENCED.sub("", text))]
    plain = _ROW.sub("", _FENCED.sub("", text))
    return (_words(plain) + 2 * sum(map(_words, dense))) / WORDS_A_MINUTE


def _words(text: str) -> float:
    text = _ADDRESS.sub("]", text)
    rest = _CHINESE.sub(" ", text)
    return sum(any(letter.isalnum() for letter in word) for word in rest.split()) + len(_CHINESE.findall(text)) / 2


def drawing_names(cells: Iterable[LessonCell]) -> frozenset[str]:
    """Return what a lesson imports from `embedding_course.plot`: a cell that uses one of these draws a figure."""
    names: set[str] = set()
    for cell in cells:
        for node in ast.walk(ast.parse(cell.source)) if cell.kind == "code" and cell.key != "setup" else ():
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("embedding_course.plot"):
                names |= {alias.asname or alias.name for alias in node.names}
    return frozenset(names)


def minutes_of(cell: LessonCell, declared: Mapping[str, int], drawing: frozenset[str]) -> float:
    """Return how many minutes one cell takes.

    Parameters
    ----------
    cell : LessonCell
    declared : mapping of str to int
        Minutes of each exercise, by id.
    drawing : frozenset of str
        Names whose use draws a figure, as `drawing_names` returns them.

    Examples
    --------
    >>> minutes_of(LessonCell("ask", "code", 'predict("01-a", "How many?")', {}), {}, frozenset())
    1.5
    >>> minutes_of(LessonCell("show", "code", "print(1)", {"seconds": 30}), {}, frozenset())
    1.25
    """
    if "exercise" in cell.meta:
        return float(declared[cell.meta["exercise"]])
    if cell.meta.get("model_answer"):
        return 0.0
    if cell.kind == "markdown":
        return prose_minutes(cell.source) + _QUESTION_MINUTES * ("reflection" in cell.meta)
    return (0.0 if cell.key == "setup" else _code_minutes(cell.source, drawing)) + float(cell.meta.get("seconds", 0)) / 60


def _code_minutes(source: str, drawing: frozenset[str]) -> float:
    tree = ast.parse(source)
    if all(isinstance(line, ast.Import | ast.ImportFrom) or _constant(line) for line in tree.body):
        return 0.0
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if names & {"predict", "ask"}:
        return _THOUGHT_MINUTES
    return _FIGURE_MINUTES if names & drawing else _DEMONSTRATION_MINUTES


def _constant(line: ast.stmt) -> bool:
    return isinstance(line, ast.Assign) and isinstance(line.value, ast.Constant)
