"""Cut one answer out of a file: its definition, and the helpers, constants and imports that it names."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass

__all__ = ["Excerpt", "excerpt", "is_docstring", "without_docstrings"]


@dataclass(frozen=True)
class Excerpt:
    """An answer as text: the imports that it needs, and the definitions. `nodes` are those definitions, parsed."""

    imports: str
    code: str
    nodes: tuple[ast.stmt, ...]

    @property
    def text(self) -> str:
        return f"{self.imports}\n\n\n{self.code}" if self.imports else self.code


def excerpt(text: str, name: str, leave: Collection[str] = ()) -> Excerpt:
    """The answer `name` in `text`. Names in `leave`, other exercises as a rule, are not followed.

    LookupError when nothing of that name is defined there.

    >>> excerpt("import math\\nA = 2\\nB = 3\\ndef area(r):\\n    return math.pi * r ** A\\n", "area").code
    'A = 2\\n\\n\\ndef area(r):\\n    return math.pi * r ** A'
    """
    tree = ast.parse(text)
    where = {bound: node for node in tree.body for bound in _bound(node)}
    if name not in where:
        raise LookupError(f"nothing called {name} is defined here")
    wanted, todo = set(), [name]
    while todo:
        node = where[todo.pop()]
        if node not in wanted:
            wanted.add(node)
            todo += [one for one in _named(node) if one in where and one not in leave]
    kept = [node for node in tree.body if node in wanted]
    imports = [node for node in kept if isinstance(node, (ast.Import, ast.ImportFrom))]
    rest = [node for node in kept if node not in imports]
    lines = text.splitlines()
    parts = ("\n".join(lines[_first(node) - 1 : node.end_lineno]) for node in rest)
    return Excerpt("\n".join(map(ast.unparse, imports)), "\n\n\n".join(parts), tuple(rest))


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top of a file defines."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for entry in node.names:
            yield entry.asname or entry.name.partition(".")[0]
    elif isinstance(node, (ast.Assign, ast.AnnAssign)):
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                yield part.id


def _named(node: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _first(node: ast.stmt) -> int:
    return min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", ()))])


def is_docstring(node: ast.stmt) -> bool:
    """Is this statement a text that stands for itself?"""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def without_docstrings(code: str) -> str:
    """The same code, easier to lay beside another: docstrings go, unless a body is nothing else.

    >>> without_docstrings("def one():\\n    'A number.'\\n    return 1")
    'def one():\\n    return 1'
    """
    lines: list[str | None] = list(code.splitlines())
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and is_docstring(node.body[0]) and len(node.body) > 1:
            text = node.body[0]
            end = text.end_lineno or text.lineno
            blank = isinstance(node, ast.ClassDef) and end < len(lines) and not (lines[end] or "x").strip()
            lines[text.lineno - 1 : end + blank] = [None] * (end + blank - text.lineno + 1)
    return "\n".join(line for line in lines if line is not None)
