"""The learner's own answers, kept when they pass and used by later notebooks.

`check` calls `keep`; a later notebook asks `own("07.TransformerBlock")` and gets the learner's class, or None where nothing
was kept. What is kept is text, a file for each exercise beside the progress record: the definitions of the cell, and with
them every helper, import and plain constant that they name, so that the file runs by itself.
"""

from __future__ import annotations
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

__all__ = ["cell_of", "keep", "own", "source_of"]

_PLAIN = (str, int, float, bool, type(None))
_KEPT = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_FUTURE = "from __future__ import annotations"
#: Tables with longer texts are not kept.
_LONGEST = 20_000


def _file(exercise: str) -> Path:
    return state_file().parent / "pieces" / f"{exercise.replace('.', '_')}.py"


def keep(exercise: str, candidate: Callable[..., Any]) -> bool:
    """Keep the source of an answer that passed; False where it cannot be found (it was not typed into a cell, say)."""
    try:
        parts = [part for part in dict.fromkeys(_needed(candidate, set())) if not part.startswith("from __future__")]
        text = "\n\n".join([_FUTURE, *parts] if _has_later_annotations(candidate) else parts) + "\n"
        compile(text, exercise, "exec")
        return write(_file(exercise), text.encode())
    except Exception:  # a convenience must never break a check
        return False


def source_of(exercise: str) -> str | None:
    """What was kept of an exercise, as text."""
    try:
        return _file(exercise).read_text(encoding="utf-8")
    except OSError:
        return None


def own(exercise: str) -> Any:
    """Return the learner's own function or class of an earlier exercise, and say in a line where it comes from; None where
    none was kept or it no longer runs.

    >>> own("07.no_such_exercise") is None
    No `no_such_exercise` of notebook 07 is kept here.
    True
    """
    number, _, name = exercise.partition(".")
    what, text = f"`{name}` of notebook {number}", source_of(exercise)
    if text is None:
        print(f"No {what} is kept here.")
        return None
    path = _file(exercise)
    module = types.ModuleType(f"own_{exercise.replace('.', '_')}")
    sys.modules[module.__name__] = module  # classes look their module up
    try:
        exec(compile(text, str(path), "exec"), vars(module))
        found = vars(module)[name]
    except Exception as error:
        print(f"Your {what} ({_short(path)}) does not run here: {type(error).__name__}: {error}.")
        return None
    passed = time.strftime("%Y-%m-%d %H:%M", time.localtime(path.stat().st_mtime))
    print(f"Your {what}, as it passed its check on {passed} ({_short(path)}).")
    return found


def _short(path: Path) -> str:
    """Return a path as seen from here, where that is shorter."""
    try:
        return min(str(path), os.path.relpath(path), key=len)
    except ValueError:  # on another drive of Windows
        return str(path)


def _codes(candidate: Any) -> list[types.CodeType]:
    members = vars(candidate).values() if isinstance(candidate, type) else ()
    return [code for one in (candidate, *members) if (code := getattr(one, "__code__", None)) is not None]


def _has_later_annotations(candidate: Any) -> bool:
    """Was it defined where annotations are not looked up? They may name what is not there."""
    return any(code.co_flags & __future__.annotations.compiler_flag for code in _codes(candidate))


def cell_of(candidate: Any) -> str:
    """The text of the cell that defined a function or class; empty where nobody knows it."""
    for code in _codes(candidate):
        lines = linecache.getlines(code.co_filename)
        if lines:
            return "".join(lines)
    return ""


def _needed(candidate: Any, seen: set[str]) -> Iterator[str]:
    """The parts of the file, in an order in which they run: first what the cell's definitions name, then these."""
    name = getattr(candidate, "__name__", "")
    if name in seen:
        return
    seen.add(name)
    text = cell_of(candidate)
    if not text:
        raise ValueError("no source")
    kept = [one for one in split(text) if isinstance(one.node, _KEPT) or _plain_assignment(one.node)]
    here = {one.node.name for one in kept if isinstance(one.node, (ast.FunctionDef, ast.ClassDef))}
    if name not in here:
        raise ValueError(f"{name} is not defined in its cell")
    seen |= here
    scope = getattr(candidate, "__globals__", None) or vars(sys.modules[candidate.__module__])
    bound = {name for one in kept for name in one.binds}
    for wanted in sorted({name for one in kept for name in one.looks_up} - bound):
        if wanted in scope:
            yield from _import_or_source(wanted, scope[wanted], seen)
    yield from (one.for_people for one in kept)


def _plain_assignment(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and all(not isinstance(part, ast.Call) for part in ast.walk(node.value))


def _is_table(value: Any) -> bool:
    """A list, dictionary, tuple or set of plain values, as a cell filled it, that its own text brings back?"""
    try:
        text = repr(value) if isinstance(value, (list, dict, tuple, set)) else ""
        return 0 < len(text) <= _LONGEST and ast.literal_eval(text) == value
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False


def _import_or_source(name: str, value: Any, seen: set[str]) -> Iterator[str]:
    """How a global of the notebook gets into the file."""
    if isinstance(value, types.ModuleType):
        yield f"import {value.__name__} as {name}" if "." in value.__name__ or value.__name__ != name else f"import {name}"
    elif isinstance(value, _PLAIN) or _is_table(value):
        yield f"{name} = {value!r}"
    elif getattr(value, "__module__", None) == "__main__":
        yield from _needed(value, seen)
    elif hasattr(value, "__module__") and hasattr(value, "__name__"):
        yield f"from {value.__module__} import {value.__name__}" + ("" if value.__name__ == name else f" as {name}")
