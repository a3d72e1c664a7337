"""Extract one answer from a file: its definition, and the helpers, constants and imports that it needs."""

import ast
from collections.abc import Collection
from dataclasses import dataclass

from ...checking.intake.statements import Statement, is_docstring, split


@dataclass(frozen=True)
class Excerpt:
    """Hold an answer as text: the imports that it needs, and the definitions."""

    imports: str
    code: str

    @property
    def text(self) -> str:
        """Return imports and definitions as one text."""
        return f"{self.imports}\n\n\n{self.code}" if self.imports else self.code


def excerpt(text: str, name: str, leave: Collection[str] = ()) -> Excerpt:
    r"""Return the answer `name` in `text`. Names in `leave`, usually other exercises, are not followed.

    Raises
    ------
    LookupError
        If `text` does not define the name.

    Examples
    --------
    >>> excerpt("import math\nA = 2\nB = 3\ndef area(r):\n    return math.pi * r ** A\n", "area").code
    'A = 2\n\n\ndef area(r):\n    return math.pi * r ** A'
    """
    parts = [statement for statement in split(text) if statement.defines]
    where = {bound: statement for statement in parts for bound in statement.binds}
    if name not in where:
        raise LookupError(f"nothing called {name} is defined here")
    wanted, todo = set[Statement](), [name]
    while todo:
        part = where[todo.pop()]
        if part not in wanted:
            wanted.add(part)
            todo += [used for used in part.looks_up if used in where and used not in leave]
    imports = [
        statement for statement in parts if statement in wanted and isinstance(statement.node, (ast.Import, ast.ImportFrom))
    ]
    rest = [statement for statement in parts if statement in wanted and statement not in imports]
    head = "\n".join(ast.unparse(statement.node) for statement in imports)
    return Excerpt(head, "\n\n\n".join(statement.for_people for statement in rest))


def without_docstrings(code: str) -> str:
    r"""Return the code without docstrings, except where a body consists of nothing else.

    Examples
    --------
    >>> without_docstrings("def one():\n    'A number.'\n    return 1")
    'def one():\n    return 1'
    """
    lines: list[str | None] = list(code.splitlines())
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and is_docstring(node.body[0]) and len(node.body) > 1:
            text = node.body[0]
            end = text.end_lineno or text.lineno
            blank = isinstance(node, ast.ClassDef) and end < len(lines) and not (lines[end] or "x").strip()
            lines[text.lineno - 1 : end + blank] = [None] * (end + blank - text.lineno + 1)
    return "\n".join(line for line in lines if line is not None)
