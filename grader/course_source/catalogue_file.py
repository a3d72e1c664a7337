"""Read a file of `solutions/NN_topic/mistakes/`: wrong answers by name, unusual right ones, and reasons.

Such a file holds many functions of one name, each exactly as a learner would type it, so nobody ever runs it: it is read
by its syntax tree. What is said of an answer are texts, tuples of texts, or names that the file gives to texts. Where many
answers differ from one in a few words, that one is written out once and `altered` says what each of them changes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from embedding_course.checking.compare import STAGES

from .catalogue_entries import Entry, Few, Mistake, RightForm, Survivor

__all__ = ["CannotRead", "changed", "read_entries"]

#: Where the decorators come from: an import that no answer needs.
_OURS = "grader.course_source.catalogue"

_HOLDS = "imports, names of texts, decorated answers, altered(...), survivor(...) and few(...)"


class CannotRead(ValueError):
    """The file says something that is no part of a catalogue; the message names the file and the line."""


def read_entries(path: Path) -> tuple[Entry, ...]:
    """All that the file says, in its order. CannotRead where it holds anything else."""
    reader = _Reader(path.read_text(encoding="utf-8"), str(path))
    found: list[Entry] = []
    for node in reader.body:
        try:
            found += reader.entries(node)
        except (TypeError, ValueError) as error:
            raise CannotRead(f"{'/'.join(path.parts[-4:])}, line {node.lineno}: {error}") from error
    return tuple(found)


class _Reader:
    """One file, read from top to bottom: `names` are those of texts, `answers` those that may be altered."""

    def __init__(self, text: str, path: str) -> None:
        self.body = ast.parse(text, path).body
        self.lines = text.splitlines()
        self.imports = "\n".join(ast.unparse(node) for node in self.body if _is_import(node) and not _is_ours(node))
        self.names: dict[str, str] = {}
        self.answers: dict[str, str] = {}

    def entries(self, node: ast.stmt) -> Iterable[Entry]:
        """What one statement at the top of the file says."""
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            return self._written_out(node)
        if isinstance(node, ast.Assign):
            self.names |= _named(node)
            return ()
        if _is_import(node) or _is_text(node):
            return ()
        return self._said_of_it(node)

    def _written_out(self, node: ast.FunctionDef | ast.ClassDef) -> Iterable[Entry]:
        text = "\n".join(self.lines[node.lineno - 1 : node.end_lineno])
        makers = {"mistake": self._mistake, "right_form": self._right_form, "base": self._base}
        called = _call(node.decorator_list[0]) if len(node.decorator_list) == 1 else None
        if called is None or called[0] not in makers:
            raise ValueError(f"{node.name} has one decorator, @mistake(...), @right_form(...) or @base(...), and no other")
        return self._made(makers[called[0]], called[1], text)

    def _said_of_it(self, node: ast.stmt) -> Iterable[Entry]:
        makers = {"altered": self._altered, "survivor": _survivors, "few": _few}
        called = _call(node.value) if isinstance(node, ast.Expr) else None
        if called is None or called[0] not in makers:
            raise ValueError(f"a catalogue holds {_HOLDS}, not `{ast.unparse(node).splitlines()[0]}`")
        return self._made(makers[called[0]], called[1])

    def _made(self, maker: Callable[..., Iterable[Entry]], call: ast.Call, *first: str) -> Iterable[Entry]:
        said = [_said(argument, self.names) for argument in call.args]
        return maker(*first, *said, **{option.arg or "**": _said(option.value, self.names) for option in call.keywords})

    def _mistake(self, text: str, exercise: str, slug: str, **options: Any) -> tuple[Mistake]:
        return (_mistake(self._whole(slug, text), exercise, slug, **options),)

    def _right_form(self, text: str, exercise: str, slug: str) -> Iterable[Entry]:
        return (RightForm(exercise, slug, self._whole(slug, text)),)

    def _base(self, text: str, slug: str) -> Iterable[Entry]:
        self._whole(slug, text)
        return ()

    def _altered(self, exercise: str, slug: str, base: str, changes: Mapping[str, str], **options: Any) -> Iterable[Entry]:
        if base not in self.answers:
            raise ValueError(f"{slug} alters {base!r}, and no answer above has that name")
        (made,) = self._mistake(changed(self.answers[base], changes), exercise, slug, **options)
        return (replace(made, base=self.answers[base], changes=changes),)

    def _whole(self, slug: str, text: str) -> str:
        """The answer with the file's imports above it, as a notebook would have it."""
        self.answers[slug] = text
        return f"{self.imports}\n\n\n{text}\n".lstrip()


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _is_ours(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == _OURS


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _named(node: ast.Assign) -> dict[str, str]:
    """A name for a text: the exercise's id, mostly."""
    (target,), value = node.targets, node.value
    if not (isinstance(target, ast.Name) and isinstance(value, ast.Constant) and isinstance(value.value, str)):
        raise ValueError(f"only texts are given names here, not `{ast.unparse(node)}`")
    return {target.id: value.value}


def _call(node: ast.expr) -> tuple[str, ast.Call] | None:
    return (node.func.id, node) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def _said(node: ast.expr, names: Mapping[str, str]) -> str | tuple[str, ...] | dict[str, str]:
    if isinstance(node, ast.Tuple):
        return tuple(_text(part, names) for part in node.elts)
    if isinstance(node, ast.Dict) and all(node.keys):
        return {_text(old, names): _text(new, names) for old, new in zip(node.keys, node.values, strict=True) if old}
    return _text(node, names)


def _text(node: ast.expr, names: Mapping[str, str]) -> str:
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError(f"`{ast.unparse(node)}` is neither a text nor a name that this file gives to one")


def changed(text: str, changes: Mapping[str, str]) -> str:
    """The text with each old passage replaced. ValueError where one is not there exactly once, or nothing sound is left.

    >>> changed("x.sum(dim=1)", {"sum": "mean", "1": "0"})
    'x.mean(dim=0)'
    """
    for old in changes:
        if text.count(old) != 1:
            raise ValueError(f"`{old}` stands {text.count(old)} times in what is altered; it has to stand there once")
    changed = re.sub("|".join(map(re.escape, changes)), lambda found: changes[found[0]], text)
    try:
        ast.parse(changed)
    except SyntaxError as error:
        raise ValueError(f"what the change leaves is not Python: {error.msg}") from None
    return changed


def _mistake(source: str, exercise: str, slug: str, *, stage: Any, diagnosis: str, next_step: str) -> Mistake:
    stages = _several(stage)
    if not set(stages) <= set(STAGES):
        raise ValueError(f"{exercise} {slug}: there is no stage {stage!r}; there are {', '.join(STAGES)}")
    return Mistake(exercise, slug, stages, diagnosis, next_step, source)


def _survivors(exercise: str, change: str | tuple[str, ...], reason: str) -> Iterable[Entry]:
    return [Survivor(exercise, one, reason) for one in _several(change)]


def _few(exercise: str, what: str, reason: str) -> Iterable[Entry]:
    return (Few(exercise, what, reason),)


def _several(said: str | tuple[str, ...]) -> tuple[str, ...]:
    return (said,) if isinstance(said, str) else said
