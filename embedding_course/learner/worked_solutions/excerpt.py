"""Cut one answer out of a file: its definition, and the helpers, constants and imports that it names."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass

from ...checking.intake.statements import Statement, is_docstring, split

__all__ = ["Excerpt", "excerpt", "without_docstrings"]


@dataclass(frozen=True)
class Excerpt:
    """An answer as text: the imports that it needs, and the definitions."""

    imports: str
    code: str

    @property
    def text(self) -> str:
        return f"{self.imports}\n\n\n{self.code}" if self.imports else self.code


def excerpt(text: str, name: str, leave: Collection[str] = ()) -> Excerpt:
    """The answer `name` in `text`. Names in `leave`, other exercises as a rule, are not followed.

    LookupError when nothing of that name is defined there.

    >>> excerpt("import math\\nA = 2\\nB = 3\\ndef area(r):\\n    return math.pi * r ** A\\n", "area").code
    'A = 2\\n\\n\\ndef area(r):\\n    return math.pi * r ** A'
    """
    parts = [one for one in split(text) if one.defines]
    where = {bound: one for one in parts for bound in one.binds}
    if name not in where:
        raise LookupError(f"nothing called {name} is defined here")
    wanted, todo = set[Statement](), [name]
    while todo:
        part = where[todo.pop()]
        if part not in wanted:
            wanted.add(part)
            todo += [one for one in part.looks_up if one in where and one not in leave]
    imports = [one for one in parts if one in wanted and isinstance(one.node, (ast.Import, ast.ImportFrom))]
    rest = [one for one in parts if one in wanted and one not in imports]
    head = "\n".join(ast.unparse(one.node) for one in imports)
    return Excerpt(head, "\n\n\n".join(one.for_people for one in rest))


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
