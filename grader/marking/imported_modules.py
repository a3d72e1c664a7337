"""Which of our own modules a module needs, read from the syntax trees: nothing is imported for it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from embedding_course.subject.course import course

from ..paths import ENGINE

#: The packages that are ours: the engine's, and that of the course in use.
HOMES = tuple(dict.fromkeys((ENGINE / "embedding_course", ENGINE / "grader", course().home)))
_DEFINITION = re.compile(r"^(?:def |class |@)", re.M)


def needed_by(*modules: str) -> frozenset[str]:
    """Return these modules and all that they import, directly or through one another, as far as they are ours.

    A package that is only passed through on the way to a module of it is not counted: ``from embedding_course.checking import
    codec`` needs `codec`, and not what a notebook imports from the package.

    >>> sorted(needed_by("embedding_course.checking.partial_credit", "grader.paths"))
    ['embedding_course.checking.partial_credit', 'grader.paths']
    """
    needed_modules: set[str] = set()
    left = list(modules)
    while left:
        module = left.pop()
        if module not in needed_modules:
            needed_modules.add(module)
            left += _imports(module)
    return frozenset(needed_modules)


def module_path(module: str) -> Path:
    """Return the file of a module of ours."""
    return _paths()[module]


@cache
def _paths() -> dict[str, Path]:
    paths = {}
    for home in HOMES:
        for path in home.rglob("*.py"):
            parts = path.relative_to(home.parent).with_suffix("").parts
            paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


@cache
def _imports(module: str) -> frozenset[str]:
    path = module_path(module)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    tree = _tree(path.read_text(encoding="utf-8"))
    named = (name for node in _statements(tree.body) for name in _named(node, package))
    return frozenset(name for name in named if name in _paths())


def _tree(text: str) -> ast.Module:
    """Return the syntax tree of the part of a module that can hold imports.

    Most files import only above their first definition, and parsing the whole of every file takes three times as long.
    """
    first = _DEFINITION.search(text)
    if first is None or "import" in text[first.start() :]:
        return ast.parse(text)
    try:
        return ast.parse(text[: first.start()])
    except SyntaxError:  # it stood in a string
        return ast.parse(text)


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield all statements, also those in functions and branches, without those that only a type checker sees."""
    for node in body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        yield node
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, name, None)
            if isinstance(inner, list):
                yield from _statements(inner)


def _named(node: ast.AST, package: str) -> Iterator[str]:
    """Yield the modules that an import names; for ``from x import y`` this is `x.y` if there is such a module, else `x`."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        base = ".".join([*above, *([node.module] if node.module else [])])
        for alias in node.names:
            inner = f"{base}.{alias.name}"
            yield inner if inner in _paths() else base
