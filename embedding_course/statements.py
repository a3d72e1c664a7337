"""What a cell's source defines and what it needs, read from its syntax tree without running it."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any

__all__ = ["bound_names", "definitions", "global_names", "looked_up", "needed", "same_code", "statements"]


@cache
def _magics() -> Any:
    """What turns magics into plain calls. A front end brings IPython; importing the course does not wait for it."""
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager()


@lru_cache(maxsize=512)
def statements(source: str) -> tuple[ast.stmt, ...]:
    """The top-level statements of a cell; none where it is no Python. Magics become plain calls."""
    lines = source.splitlines()
    while lines and lines[0].startswith("%%"):
        lines = lines[1:]
    try:
        plain = _magics().transform_cell("\n".join(lines))
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


@lru_cache(maxsize=2048)
def looked_up(node: ast.stmt) -> frozenset[str]:
    """The names that a top-level statement looks up outside of itself, wherever inside; local variables are not among them.

    >>> sorted(looked_up(statements("def f(x):\\n    y = x\\n    return g(y)")[0]))
    ['g']
    """
    try:
        return frozenset(global_names(symtable.symtable(ast.unparse(node), "statement", "exec")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()


def global_names(table: symtable.SymbolTable) -> Iterator[str]:
    """The names that code looks up outside of itself; local variables and attributes are not among them."""
    outermost = table.get_type() == "module"
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (symbol.is_global() or (outermost and not symbol.is_assigned())):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from global_names(inner)


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


def needed(others: Sequence[str], chosen: Collection[str], reserved: Collection[str]) -> list[ast.stmt]:
    """The statements of other cells that the answers need, directly or through one another, in their order.

    Names that the course itself gives (`reserved`) are not taken over from such cells, imports apart: an experiment that
    rebinds one would spoil the answers.

    >>> [ast.unparse(node) for node in needed(["import math; x = 1", "print(2)"], {"y = math.pi"}, set())]
    ['import math']
    """
    pool = [node for source in others for node in statements(source)]
    wanted: set[str] = set()
    for source in chosen:
        wanted |= {name for node in statements(source) for name in looked_up(node)}
    kept: set[int] = set()
    grew = True
    while grew:
        grew = False
        for index, node in enumerate(pool):
            imports = isinstance(node, (ast.Import, ast.ImportFrom))
            names = bound_names(node) - (set() if imports else set(reserved))
            if index not in kept and not isinstance(node, (ast.For, ast.While)) and names & wanted:
                kept.add(index)
                wanted |= looked_up(node)
                grew = True
    return [pool[index] for index in sorted(kept)]


def same_code(left: ast.AST | None, right: ast.AST | None) -> bool:
    """Are two definitions the same but for comments and layout?"""
    return left is not None and right is not None and _dump(left) == _dump(right)


@lru_cache(maxsize=512)
def _dump(node: ast.AST) -> str:
    return ast.dump(node)
