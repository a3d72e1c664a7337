"""Read a file of `solutions/NN_topic/mistakes/`: wrong answers by name, unusual right ones, and reasons.

Such a file holds many functions of one name, each exactly as a learner would type it, so nobody ever runs it: it is read
by its syntax tree. What the decorators say of an answer are texts, tuples of texts, or names that the file gives to texts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from embedding_course.checking.compare import STAGES

__all__ = ["CannotRead", "Entry", "Few", "Mistake", "RightForm", "Survivor", "read_entries"]

#: Where the decorators come from: an import that no answer needs.
_OURS = "grader.course_source.catalogue"

_Said = str | tuple[str, ...]


class CannotRead(ValueError):
    """The file says something that is no part of a catalogue; the message names the file and the line."""


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


@dataclass(frozen=True)
class Few:
    """Why an exercise has fewer than five mistakes or three right forms (`what`)."""

    exercise: str
    what: str
    reason: str


Entry = Mistake | RightForm | Survivor | Few


def read_entries(path: Path) -> tuple[Entry, ...]:
    """All that the file says, in its order. CannotRead where it holds anything else."""
    text = path.read_text(encoding="utf-8")
    body = ast.parse(text, str(path)).body
    imports = "\n".join(ast.unparse(node) for node in body if _is_import(node) and getattr(node, "module", "") != _OURS)
    lines = text.splitlines()
    names: dict[str, str] = {}
    found: list[Entry] = []
    for node in body:
        try:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                answer = "\n".join(lines[node.lineno - 1 : node.end_lineno])
                found.append(_answer(node, f"{imports}\n\n\n{answer}\n".lstrip(), names))
            elif isinstance(node, ast.Assign):
                names |= _named(node)
            elif not _is_import(node) and not _is_text(node):
                found += _remarks(node, names)
        except (TypeError, ValueError) as error:
            raise CannotRead(f"{'/'.join(path.parts[-4:])}, line {node.lineno}: {error}") from error
    return tuple(found)


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _named(node: ast.Assign) -> dict[str, str]:
    """A name for a text: the exercise's id, mostly."""
    (target,), value = node.targets, node.value
    if not (isinstance(target, ast.Name) and isinstance(value, ast.Constant) and isinstance(value.value, str)):
        raise ValueError(f"only texts are given names here, not `{ast.unparse(node)}`")
    return {target.id: value.value}


def _answer(node: ast.FunctionDef | ast.ClassDef, source: str, names: Mapping[str, str]) -> Mistake | RightForm:
    """What the one decorator of an answer makes of its source."""
    makers = {"mistake": _mistake, "right_form": _right_form}
    called = _call(node.decorator_list[0]) if len(node.decorator_list) == 1 else None
    if called is None or called[0] not in makers:
        raise ValueError(f"{node.name} has one decorator, @mistake(...) or @right_form(...), and no other")
    name, call = called
    return makers[name](source, *_arguments(call, names), **_options(call, names))


def _remarks(node: ast.stmt, names: Mapping[str, str]) -> Iterator[Survivor | Few]:
    """What a call at the top of the file says of an exercise."""
    makers = {"survivor": _survivors, "few": _few}
    called = _call(node.value) if isinstance(node, ast.Expr) else None
    if called is None or called[0] not in makers:
        wanted = "imports, names of texts, decorated answers, survivor(...) and few(...)"
        raise ValueError(f"a catalogue holds {wanted}, not `{ast.unparse(node).splitlines()[0]}`")
    name, call = called
    return makers[name](*_arguments(call, names), **_options(call, names))


def _call(node: ast.expr) -> tuple[str, ast.Call] | None:
    return (node.func.id, node) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def _arguments(call: ast.Call, names: Mapping[str, str]) -> list[_Said]:
    return [_said(argument, names) for argument in call.args]


def _options(call: ast.Call, names: Mapping[str, str]) -> dict[str, _Said]:
    return {option.arg or "**": _said(option.value, names) for option in call.keywords}


def _said(node: ast.expr, names: Mapping[str, str]) -> _Said:
    if isinstance(node, ast.Tuple):
        return tuple(_text(part, names) for part in node.elts)
    return _text(node, names)


def _text(node: ast.expr, names: Mapping[str, str]) -> str:
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError(f"`{ast.unparse(node)}` is neither a text nor a name that this file gives to one")


def _mistake(source: str, exercise: str, slug: str, *, stage: _Said, diagnosis: str, next_step: str) -> Mistake:
    stages = _several(stage)
    if not set(stages) <= set(STAGES):
        raise ValueError(f"{exercise} {slug}: there is no stage {stage!r}; there are {', '.join(STAGES)}")
    return Mistake(exercise, slug, stages, diagnosis, next_step, source)


def _right_form(source: str, exercise: str, slug: str) -> RightForm:
    return RightForm(exercise, slug, source)


def _survivors(exercise: str, change: _Said, reason: str) -> Iterator[Survivor]:
    return (Survivor(exercise, one, reason) for one in _several(change))


def _few(exercise: str, what: str, reason: str) -> Iterator[Few]:
    return iter((Few(exercise, what, reason),))


def _several(said: _Said) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else said
