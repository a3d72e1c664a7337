"""The files of a new exercise, as far as they can be written for anybody; what is missing, the audit names."""

import ast
import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from embedding_course.checking.exercise import file_stem
from embedding_course.exercises import known
from embedding_course.subject.course import course
from embedding_course.subject.lessons import LESSONS, Lesson
from embedding_course.subject.tensors import TENSORS

from ..errors import UserError
from ..paths import ROOT

_TEMPLATES = Path(__file__).parent / "templates"


class CannotMake(UserError):
    """What was asked for cannot be made; the message says why, and nothing was written."""


def filled_in(text: str, facts: Mapping[str, str]) -> str:
    """Return the text with each `$name` replaced by its fact. Raise KeyError for a name without one.

    >>> filled_in("def $name():", {"name": "share"})
    'def share():'
    """
    return re.sub(r"\$([a-z_]+)", lambda match: facts[match[1]], text)


def template(name: str) -> str:
    """Return the text of a template, such as "notebook/lesson"."""
    return (_TEMPLATES / f"{name}.txt").read_text(encoding="utf-8")


def write_new(texts: Mapping[Path, str], root: Path) -> tuple[Path, ...]:
    """Write all of these files. CannotMake, before anything is written, where one is there already."""
    for path in texts:
        if path.exists():
            shown = path.relative_to(root) if path.is_relative_to(root) else path
            raise CannotMake(f"{shown} is there already: choose another name, or go on with that file.")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tuple(texts)


@dataclass(frozen=True)
class Scaffold:
    """What was made: the files in the order in which one fills them, and the cell for the lesson."""

    exercise: str
    files: tuple[Path, ...]
    registered_in: Path
    lesson: Path
    cell: str


def make(exercise_id: str, root: Path = ROOT) -> Scaffold:
    """Write the files of a new exercise, such as "07.my_exercise", and enter it in its notebook's list.

    Raises
    ------
    CannotMake
        If the name cannot be used, or if one of the files exists. Nothing is overwritten.
    """
    lesson, name = _checked(exercise_id)
    public = root / course().package / "exercises" / lesson.topic
    private = root / "solutions" / lesson.topic
    facts = {"id": exercise_id, "name": name, "number": lesson.number, "what": name.replace("_", " "), **_KINDS[TENSORS]}
    facts["engine"] = ".." if course().ours else "embedding_course"
    stem = file_stem(name)
    texts = {
        private / "mistakes" / f"{stem}.py": template("exercise/mistakes"),
        private / "reference" / f"{stem}.py": template("exercise/reference"),
        public / f"{stem}.py": template("exercise/public"),
    }
    listed = public / "__init__.py"
    entered = _entered(listed.read_text(encoding="utf-8"), name)
    write_new({path: filled_in(text, facts) for path, text in texts.items()}, root)
    listed.write_text(entered, encoding="utf-8")
    cell = f'# %% [markdown] exercise="{exercise_id}"\n# What to do, in a sentence or two.\n'
    return Scaffold(exercise_id, tuple(texts), listed, private / "lesson.py", cell)


def _checked(exercise_id: str) -> tuple[Lesson, str]:
    number, _, name = exercise_id.partition(".")
    lesson = next((candidate for candidate in LESSONS if candidate.number == number and candidate.written), None)
    if lesson is None:
        numbers = ", ".join(candidate.number for candidate in LESSONS if candidate.written)
        raise CannotMake(f"{exercise_id!r} begins with no notebook's number ({numbers}): say for example 07.my_exercise.")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise CannotMake(
            f"{name!r} cannot be a function's name here: small letters, digits and underscores, as in 07.my_exercise. "
            "For a class, begin with a function and look at 07.MultiHeadAttention."
        )
    other = next((candidate.id for candidate in known().values() if candidate.name == name), None)
    if other is not None:
        raise CannotMake(f"There is an exercise of that name already, {other}: names are unique over all notebooks.")
    return lesson, name


def _entered(text: str, name: str) -> str:
    """Return the notebook's `__init__.py` with the exercise imported and listed last."""
    tree = ast.parse(text)
    lines = text.splitlines()
    listed = next(
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "EXERCISES" and isinstance(node.value, ast.Tuple)
    )
    last = listed.elts[-1]
    row, column = (last.end_lineno or 0) - 1, last.end_col_offset
    if last.lineno == listed.lineno:
        lines[row] = f"{lines[row][:column]}, {name}{lines[row][column:].removeprefix(',')}"
    else:
        lines.insert(row + 1, f"    {name},")
    local = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.level == 1]
    after = [node for node in local if (node.module or "") < file_stem(name)]
    position = (after[-1].end_lineno or 0) if after else local[0].lineno - 1
    lines.insert(position, f"from .{file_stem(name)} import {name}")
    return "\n".join(lines) + "\n"


#: What differs between a course whose numbers are tensors and one whose numbers are arrays.
_KINDS = {
    True: {"import_line": "import torch", "array": "torch.Tensor", "kind": "tensor", "example": "torch.zeros(0, 3)"},
    False: {"import_line": "import numpy as np", "array": "np.ndarray", "kind": "array", "example": "np.zeros((0, 3))"},
}
