"""The catalogues in `solutions/`: right answers, wrong answers by name, and unusual right ones.

A file in `mistakes/` holds many functions of one name, each exactly as a learner would type it. They are therefore kept
as source and run each in a namespace of its own, never as attributes of their module.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from embedding_course.compare import STAGES
from embedding_course.exercise import Exercise
from embedding_course.exercises import exercises_of

from .paths import SOLUTIONS

__all__ = [
    "Mistake", "RightForm", "Survivor", "few", "mistake", "mistakes_of", "reference", "reference_source", "references",
    "right_form", "right_forms_of", "survivor", "survivors_of",
]  # fmt: skip

_Any = TypeVar("_Any")


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that learners give: `stages` are the rungs of the ladder on which it may be caught. One, as a
    rule; where wrong ids are sometimes more and sometimes fewer than the right ones, "shape" and "values"."""

    exercise: str
    slug: str
    stages: tuple[str, ...]
    diagnosis: str
    next_step: str
    source: str


@dataclass(frozen=True)
class RightForm:
    """An unusual answer that is right and must pass."""

    exercise: str
    slug: str
    source: str


@dataclass(frozen=True)
class Survivor:
    """A mutant of the reference that passes every check, and why that is right: it computes the same."""

    exercise: str
    change: str
    reason: str


_collected: list[Mistake | RightForm | Survivor] = []
_few: dict[tuple[str, str], str] = {}


def mistake(
    exercise: str, slug: str, *, stage: str | tuple[str, ...], diagnosis: str, next_step: str
) -> Callable[[_Any], _Any]:
    """Register the decorated function or class as a wrong answer to `exercise`."""
    stages = (stage,) if isinstance(stage, str) else stage
    if not set(stages) <= set(STAGES):
        raise ValueError(f"{exercise} {slug}: there is no stage {stage!r}; there are {', '.join(STAGES)}")

    def register(answer: _Any) -> _Any:
        _collected.append(Mistake(exercise, slug, stages, diagnosis, next_step, _source(answer)))
        return answer

    return register


def right_form(exercise: str, slug: str) -> Callable[[_Any], _Any]:
    """Register the decorated function or class as an unusual right answer to `exercise`."""

    def register(answer: _Any) -> _Any:
        _collected.append(RightForm(exercise, slug, _source(answer)))
        return answer

    return register


def survivor(exercise: str, change: str, reason: str) -> None:
    """Say why a mutant of the reference is no wrong answer. `change` is as the audit prints it."""
    _collected.append(Survivor(exercise, change, reason))


def few(exercise: str, what: str, reason: str) -> None:
    """Say why an exercise has fewer than five mistakes or three right forms (`what`)."""
    _few[exercise, what] = reason


def why_few(exercise: str, what: str) -> str:
    return _few.get((exercise, what), "")


def _source(answer: Any) -> str:
    """The answer's own text without its decorators, behind the imports of its module."""
    module = inspect.getmodule(answer)
    assert module is not None and module.__file__ is not None
    text = _class_text(answer, module) if isinstance(answer, type) else textwrap.dedent(inspect.getsource(answer))
    node = ast.parse(text).body[0]
    body = "\n".join(text.splitlines()[node.lineno - 1 :])
    return f"{_imports(Path(module.__file__))}\n\n\n{body}\n".lstrip()


def _class_text(answer: type, module: ModuleType) -> str:
    """The text of a class. `inspect` looks for its name and finds the first of many; its methods know their lines."""
    own = [entry for entry in vars(answer).values() if getattr(entry, "__module__", "") == module.__name__]
    lines = [inspect.unwrap(entry).__code__.co_firstlineno for entry in own if inspect.isfunction(entry)]
    text = Path(str(module.__file__)).read_text(encoding="utf-8")
    classes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef) and node.name == answer.__name__]
    for node in classes:
        if any(node.lineno <= line <= (node.end_lineno or 0) for line in lines):
            return textwrap.dedent("\n".join(text.splitlines()[node.lineno - 1 : node.end_lineno]))
    return textwrap.dedent(inspect.getsource(answer))


@cache
def _imports(path: Path) -> str:
    kept = [
        ast.unparse(node)
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, (ast.Import, ast.ImportFrom)) and getattr(node, "module", "") != "grader.catalogue"
    ]
    return "\n".join(kept)


def _module(topic: str, name: str) -> ModuleType:
    path = SOLUTIONS / topic / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"solutions_{topic}_{name.replace('/', '_')}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # inspect finds the source of a class through sys.modules
    import sys

    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@cache
def _catalogue(topic: str) -> tuple[Mistake | RightForm | Survivor, ...]:
    before = len(_collected)
    for path in sorted((SOLUTIONS / topic / "mistakes").glob("*.py")):
        _module(topic, f"mistakes/{path.stem}")
    mine = tuple(_collected[before:])
    names = {exercise.id for exercise in exercises_of(topic)}
    for entry in mine:
        if entry.exercise not in names:
            raise LookupError(f"solutions/{topic}/mistakes speaks of {entry.exercise}, which is no exercise")
    return mine


def mistakes_of(exercise: Exercise) -> list[Mistake]:
    """The known wrong answers to an exercise."""
    found = _catalogue(exercise.lesson.topic)
    return [entry for entry in found if isinstance(entry, Mistake) and entry.exercise == exercise.id]


def right_forms_of(exercise: Exercise) -> list[RightForm]:
    """The known unusual right answers to an exercise."""
    found = _catalogue(exercise.lesson.topic)
    return [entry for entry in found if isinstance(entry, RightForm) and entry.exercise == exercise.id]


def survivors_of(exercise: Exercise) -> list[Survivor]:
    """The mutants of the reference that are known to be right."""
    found = _catalogue(exercise.lesson.topic)
    return [entry for entry in found if isinstance(entry, Survivor) and entry.exercise == exercise.id]


@cache
def _references(topic: str) -> dict[str, tuple[Any, str]]:
    """Name -> (right answer, text of its file), over the files of a notebook's `reference/` folder."""
    found: dict[str, tuple[Any, str]] = {}
    for path in sorted((SOLUTIONS / topic / "reference").glob("*.py")):
        module = _module(topic, f"reference/{path.stem}")
        text = path.read_text(encoding="utf-8")
        for name, value in vars(module).items():
            if getattr(value, "__module__", "") == module.__name__:
                found[name] = (value, text)
    return found


def references(topic: str) -> dict[str, Any]:
    """The right answers of a notebook by name."""
    return {name: value for name, (value, _) in _references(topic).items()}


def reference(exercise: Exercise) -> Callable[..., Any]:
    """The right answer to an exercise. LookupError when none is written."""
    return _reference(exercise)[0]


def reference_source(exercise: Exercise) -> str:
    """The text of the file that holds the right answer to an exercise."""
    return _reference(exercise)[1]


def _reference(exercise: Exercise) -> tuple[Any, str]:
    found = _references(exercise.lesson.topic)
    if exercise.name not in found:
        raise LookupError(f"solutions/{exercise.lesson.topic}/reference defines no {exercise.name}")
    return found[exercise.name]


def callable_of(source: str, exercise: Exercise) -> Callable[..., Any]:
    """Run a catalogue entry's source beside the notebook's references and return what it defines."""
    scope: dict[str, Any] = {name: value for name, (value, _) in _references(exercise.lesson.topic).items()}
    scope["__name__"] = f"catalogue_{exercise.grade_id}"
    exec(compile(source, f"<{exercise.id}>", "exec"), scope)
    return scope[exercise.name]
