"""Keep the learner's own answers when they pass, for use in later notebooks.

`check` calls `keep`; a later notebook calls `own("07.TransformerBlock")` and gets the learner's class, or None if none is
kept. Answers are kept as text, one file for each exercise beside the progress record: the definitions of the cell and every
helper, import and plain constant that they name, so that the file runs by itself.
"""

import __future__

import ast
import linecache
import os
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ..checking.intake.statements import split
from ..files import keep as write
from ..files import state_file
from ..messages import Message

_PLAIN = (str, int, float, bool, type(None))
_KEPT = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_FUTURE = "from __future__ import annotations"
#: Tables with longer texts are not kept.
_MAX_CHARACTERS = 20_000


def _file(exercise: str) -> Path:
    return state_file().parent / "pieces" / f"{exercise.replace('.', '_')}.py"


def keep(exercise: str, candidate: Callable[..., Any]) -> bool:
    """Keep the source of an answer that passed. Return False if there is none, for example if it was not typed into a cell."""
    try:
        parts = [part for part in dict.fromkeys(_needed(candidate, set())) if not part.startswith("from __future__")]
        text = "\n\n".join([_FUTURE, *parts] if _has_later_annotations(candidate) else parts) + "\n"
        compile(text, exercise, "exec")
        return write(_file(exercise), text.encode())
    except Exception:  # Keeping an answer is optional and must never break a check.
        return False


def source_of(exercise: str) -> str | None:
    """Return the kept source of an exercise, or None."""
    try:
        return _file(exercise).read_text(encoding="utf-8")
    except OSError:
        return None


def own(exercise: str) -> Any:
    """Return the learner's own function or class of an earlier exercise, and print where it comes from.

    Return None if none is kept or if it no longer runs.

    Examples
    --------
    >>> own("07.no_such_exercise") is None
    No `no_such_exercise` of notebook 07 is kept here.
    True
    """
    number, _, name = exercise.partition(".")
    text, path = source_of(exercise), _file(exercise)
    if text is None:
        print(Message("No `{name}` of notebook {number} is kept here.", name=name, number=number))
        return None
    slots = {"name": name, "number": number, "file": _short(path)}
    module = types.ModuleType(f"own_{exercise.replace('.', '_')}")
    sys.modules[module.__name__] = module  # Classes look up their module by name.
    try:
        exec(compile(text, str(path), "exec"), vars(module))
        answer = vars(module)[name]
    except Exception as error:
        message = Message("Your `{name}` of notebook {number} ({file}) does not run here: {type}: {error}.", **slots)
        print(message.fill(type=type(error).__name__, error=error))
        return None
    passed = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
    print(Message("Your `{name}` of notebook {number}, as it passed its check on {time} ({file}).", **slots, time=passed))
    return answer


def _short(path: Path) -> str:
    """Return a path relative to the current folder, if that is shorter."""
    try:
        return min(str(path), os.path.relpath(path), key=len)
    except ValueError:  # The path is on another drive of Windows.
        return str(path)


def _codes(candidate: Any) -> list[types.CodeType]:
    members = vars(candidate).values() if isinstance(candidate, type) else ()
    return [code for member in (candidate, *members) if (code := getattr(member, "__code__", None)) is not None]


def _has_later_annotations(candidate: Any) -> bool:
    """Return whether it was defined without evaluating annotations, which may then contain undefined names."""
    return any(code.co_flags & __future__.annotations.compiler_flag for code in _codes(candidate))


def cell_of(candidate: Any) -> str:
    """Return the text of the cell that defined a function or class; empty if it is unknown."""
    for code in _codes(candidate):
        lines = linecache.getlines(code.co_filename)
        if lines:
            return "".join(lines)
    return ""


def _needed(candidate: Any, seen: set[str]) -> Iterator[str]:
    """Yield the parts of the file in executable order: first what the cell's definitions need, then the definitions."""
    name = getattr(candidate, "__name__", "")
    if name in seen:
        return
    seen.add(name)
    text = cell_of(candidate)
    if not text:
        raise ValueError("no source")
    kept = [statement for statement in split(text) if isinstance(statement.node, _KEPT) or _plain_assignment(statement.node)]
    here = {statement.node.name for statement in kept if isinstance(statement.node, (ast.FunctionDef, ast.ClassDef))}
    if name not in here:
        raise ValueError(f"{name} is not defined in its cell")
    seen |= here
    scope = getattr(candidate, "__globals__", None) or vars(sys.modules[candidate.__module__])
    bound = {name for statement in kept for name in statement.binds}
    for wanted in sorted({name for statement in kept for name in statement.looks_up} - bound):
        if wanted in scope:
            yield from _import_or_source(wanted, scope[wanted], seen)
    yield from (statement.for_people for statement in kept)


def _plain_assignment(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and all(not isinstance(part, ast.Call) for part in ast.walk(node.value))


def _is_table(value: Any) -> bool:
    """Return whether the value is a list, dictionary, tuple or set of plain values that its own text restores."""
    try:
        text = repr(value) if isinstance(value, (list, dict, tuple, set)) else ""
        return 0 < len(text) <= _MAX_CHARACTERS and ast.literal_eval(text) == value
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False


def _import_or_source(name: str, value: Any, seen: set[str]) -> Iterator[str]:
    """Yield the import or the source that brings a global of the notebook into the file."""
    if isinstance(value, types.ModuleType):
        yield f"import {value.__name__} as {name}" if "." in value.__name__ or value.__name__ != name else f"import {name}"
    elif isinstance(value, _PLAIN) or _is_table(value):
        yield f"{name} = {value!r}"
    elif getattr(value, "__module__", None) == "__main__":
        yield from _needed(value, seen)
    elif hasattr(value, "__module__") and hasattr(value, "__name__"):
        yield f"from {value.__module__} import {value.__name__}" + ("" if value.__name__ == name else f" as {name}")
