"""What a cell's source defines and what it needs, read from its syntax tree without running it."""

from __future__ import annotations

import ast
from functools import lru_cache

from IPython.core.inputtransformer2 import TransformerManager

__all__ = ["bound_names", "definitions", "same_code", "statements", "used_names"]


@lru_cache(maxsize=512)
def statements(source: str) -> tuple[ast.stmt, ...]:
    """The top-level statements of a cell; none where it is no Python. Magics become plain calls."""
    lines = source.splitlines()
    while lines and lines[0].startswith("%%"):
        lines = lines[1:]
    try:
        plain = TransformerManager().transform_cell("\n".join(lines))
        return tuple(ast.parse(plain).body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def bound_names(node: ast.stmt) -> set[str]:
    """The names that a top-level statement gives a value."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    names: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            names.add(inner.id)
        elif isinstance(inner, ast.alias):
            names.add((inner.asname or inner.name).split(".")[0])
        elif isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
            names.add(inner.name)
    return names


def used_names(node: ast.AST) -> set[str]:
    """The names that a statement reads, wherever inside."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)}


@lru_cache(maxsize=512)
def definitions(source: str) -> dict[str, ast.stmt]:
    """Functions, classes and plain assignments at a cell's top level, by name; the last one of a name counts."""
    found: dict[str, ast.stmt] = {}
    for node in statements(source):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[node.name] = node
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            found.update(dict.fromkeys(bound_names(node), node))
    return found


def same_code(left: ast.AST | None, right: ast.AST | None) -> bool:
    """Are two definitions the same but for comments and layout?"""
    return left is not None and right is not None and _dump(left) == _dump(right)


@lru_cache(maxsize=512)
def _dump(node: ast.AST) -> str:
    return ast.dump(node)
