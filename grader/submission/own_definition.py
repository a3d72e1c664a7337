"""The definition that answers an exercise, cut out of its cell: what a person has to read of it."""

from __future__ import annotations

import ast
import io
import re
import tokenize

from embedding_course.checking.intake.statements import Statement, is_docstring, split

__all__ = ["definition_in", "shape_of", "without_comments"]

_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)
_BARE = re.compile(r"[ \t]*(#.*)?")


def definition_in(source: str, name: str) -> Statement | None:
    """The last function or class `name` at a cell's top level; None where there is none, or no Python."""
    named = [one for one in split(source) if isinstance(one.node, _DEFINITIONS) and one.node.name == name]
    return named[-1] if named else None


def without_comments(text: str) -> str:
    """A definition without docstrings, and without lines that hold nothing or a comment alone.

    >>> without_comments('def f(x):\\n    "Half."\\n\\n    # next\\n    return x / 2')
    'def f(x):\\n    return x / 2'
    """
    lines = text.split("\n")
    given = {number for node in ast.walk(ast.parse(text)) for number in _docstring_lines(node)}
    inside = _inside_texts(text)
    return "\n".join(
        line.rstrip() if number not in inside else line
        for number, line in enumerate(lines, 1)
        if number not in given and (number in inside or not _BARE.fullmatch(line))
    )


def shape_of(text: str) -> str:
    """The syntax tree of a definition as text, with its own names numbered: equal for answers that differ in names and layout.

    >>> shape_of("def f(x): return x + 1") == shape_of("def f(y):\\n    # one more\\n    return y + 1")
    True
    """
    tree = ast.parse(without_comments(text))
    bound = dict.fromkeys(node.arg for node in ast.walk(tree) if isinstance(node, ast.arg))
    stored = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    numbers = {name: f"v{place}" for place, name in enumerate(bound | dict.fromkeys(node.id for node in stored))}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.arg, node.annotation = numbers[node.arg], None
        elif isinstance(node, ast.Name):
            node.id = numbers.get(node.id, node.id)
    return ast.dump(tree)


def _docstring_lines(node: ast.AST) -> range:
    """A docstring on lines of its own, in a body that goes on after it."""
    body = node.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) else []
    if len(body) < 2 or not is_docstring(body[0]):
        return range(0)
    first, last = body[0].lineno, body[0].end_lineno or body[0].lineno
    return range(first, last + 1) if node.lineno < first and last < body[1].lineno else range(0)  # type: ignore[attr-defined]


def _inside_texts(text: str) -> set[int]:
    """The lines that a string of several lines goes on through, where a # opens no comment."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    parts = (tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING))
    return {number for token in tokens if token.type in parts for number in range(token.start[0] + 1, token.end[0] + 1)}
