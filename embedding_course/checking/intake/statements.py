"""What a cell's source consists of and what it defines, read from its syntax tree without running it."""

from __future__ import annotations

import ast
import re
import symtable
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Protocol, TypeVar

from .effects import Effects, effects_of
from .magics import parsed
from .no_python import Broken, without_broken

__all__ = [
    "Part", "Statement", "bound_names", "broken_parts", "definitions", "first_line", "global_names", "is_docstring",
    "left_after", "looked_up", "same_code", "split", "statements",
]  # fmt: skip

#: Of longer cells only the last few are kept in memory: their trees are large.
_SHORT, _LONG, _SOME, _FEW = 2_000, 20_000, 16, 4
_COMMENT = re.compile(rb"[ \t]*#.*")


@dataclass(frozen=True, eq=False)
class Statement:
    """One top-level statement of a cell: its tree, its own text (decorators included), the line where it begins, and the
    `comment` that stands behind it on its last line."""

    node: ast.stmt
    text: str
    line: int = 1
    comment: str = ""

    @cached_property
    def effects(self) -> Effects:
        """What running it binds, changes and looks up."""
        return effects_of(self.node, looked_up(self.text, self.node))

    @property
    def defines(self) -> bool:
        """Is it a definition, an import or a plain assignment?"""
        return isinstance(self.node, (*_DEFINITIONS, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign))

    @property
    def undecorated(self) -> str:
        """The text of a definition without its decorators; empty where it has none."""
        if not getattr(self.node, "decorator_list", ()):
            return ""
        return "\n".join(self.text.split("\n")[self.node.lineno - first_line(self.node) :])

    @property
    def for_people(self) -> str:
        """The text with the comment behind it, as one would copy it."""
        return self.text + self.comment


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def split(source: str) -> tuple[Statement, ...]:
    """The top-level statements of a cell, of one that is no Python as a whole those that are. Magics become plain calls.

    >>> [(one.text, one.line) for one in split("import math; x = 1\\n\\n@cache\\ndef f(): pass")]
    [('import math', 1), ('x = 1', 1), ('@cache\\ndef f(): pass', 3)]
    """
    return _parts(source)[0]


def broken_parts(source: str) -> tuple[Broken, ...]:
    """What of a cell is no Python, where the rest of it is; nothing of a cell that is none as a whole."""
    return _parts(source)[1]


_Parts = tuple[tuple[Statement, ...], tuple[Broken, ...]]


def _parts(source: str) -> _Parts:
    read = _parts_of_short if len(source) < _SHORT else _parts_of_middling if len(source) < _LONG else _parts_of_long
    return read(source)


def _cut(source: str) -> _Parts:
    broken: tuple[Broken, ...] = ()
    try:
        try:
            text, tree, left_out = parsed(source)
        except SyntaxError:
            mended, broken = without_broken(source, parsed)
            text, tree, left_out = parsed(mended)
        lines = text.split("\n")
        return tuple(_statement(node, lines, left_out) for node in tree.body), broken
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return (), ()


_parts_of_short, _parts_of_middling = lru_cache(maxsize=512)(_cut), lru_cache(maxsize=_SOME)(_cut)
_parts_of_long = lru_cache(maxsize=_FEW)(_cut)


def _statement(node: ast.stmt, lines: list[str], left_out: int) -> Statement:
    """Cut a statement out of its cell. Columns count bytes; what a decorator stands before begins with its line."""
    first = first_line(node)
    column = node.col_offset if first == node.lineno else 0
    assert node.end_lineno is not None
    cut = lines[first - 1 : node.end_lineno]
    last = cut[-1].encode()
    cut[-1], comment = last[: node.end_col_offset].decode(), _COMMENT.match(last, node.end_col_offset or 0)
    cut[0] = cut[0].encode()[column:].decode()
    return Statement(node, "\n".join(cut), first + left_out, comment[0].decode().rstrip() if comment else "")


def first_line(node: ast.stmt) -> int:
    """Where a statement begins: with its first decorator, if it has any."""
    return min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])


def is_docstring(node: ast.stmt) -> bool:
    """Is this statement a text that stands for itself?"""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def statements(source: str) -> tuple[ast.stmt, ...]:
    """The trees of a cell's top-level statements; none where it is no Python."""
    return tuple(one.node for one in split(source))


def bound_names(source: str) -> set[str]:
    """The names that a cell's statements give a value when it runs."""
    return {name for one in split(source) for name in one.effects.binds if "." not in name}


def looked_up(text: str, node: ast.stmt) -> frozenset[str]:
    """The names that a top-level statement looks up outside of itself, wherever inside; local variables are not among them.

    >>> sorted(split("def f(x):\\n    y = x\\n    return g(y)")[0].effects.looks_up)
    ['g']
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # told when the cell runs
            return frozenset(global_names(symtable.symtable(text, "statement", "exec")))
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # too deep for the compiler, or an await by itself
        return frozenset(one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def global_names(table: symtable.SymbolTable) -> Iterator[str]:
    """The names that code looks up outside of itself; local variables and attributes are not among them."""
    outermost = table.get_type() == "module"
    for symbol in table.get_symbols():
        outside = not symbol.is_assigned() if outermost else symbol.is_global()
        if symbol.is_referenced() and outside:
            yield symbol.get_name()
    for inner in table.get_children():
        yield from global_names(inner)


def definitions(source: str) -> dict[str, ast.stmt]:
    """Functions, classes and plain assignments at a cell's top level, under conditions too; the last one of a name counts."""
    return _definitions_in_short(source) if len(source) < _SHORT else _definitions(source)


def _definitions(source: str) -> dict[str, ast.stmt]:
    found: dict[str, ast.stmt] = {}
    for one in split(source):
        if isinstance(one.node, (*_DEFINITIONS, ast.Assign, ast.AnnAssign, ast.If, ast.Try, ast.With)):
            found.update(dict.fromkeys(one.effects.binds, one.node))
    return found


_definitions_in_short = lru_cache(maxsize=512)(_definitions)


class Part(Protocol):
    """A statement that is run by itself: the exercises whose cell it stands in, if any, and whether it defines something."""

    @property
    def answers(self) -> tuple[str, ...]: ...

    @property
    def defines(self) -> bool: ...


_Part = TypeVar("_Part", bound=Part)


def left_after(parts: Sequence[_Part], index: int, ended: set[tuple[str, ...]]) -> list[_Part]:
    """What is still run after the part at `index` ended its process: all but that one, and of the same answer's cell its
    definitions only. Where that cell did so before, which `ended` remembers, nothing more of it.

    >>> from types import SimpleNamespace as N
    >>> cell = [N(answers=("f",), defines=defines) for defines in (True, False, False)]
    >>> ended = set()
    >>> [one.defines for one in left_after(cell, 1, ended)], ended
    ([True], {('f',)})
    """
    cell = parts[index].answers
    left = [part for place, part in enumerate(parts) if place != index]
    if not cell:
        return left
    again = cell in ended
    ended.add(cell)
    return [part for part in left if part.answers != cell or (part.defines and not again)]


def same_code(left: ast.AST | None, right: ast.AST | None) -> bool:
    """Are two definitions the same but for comments and layout? However deep they are nested."""
    if left is None or right is None:
        return False
    pairs: list[tuple[object, object]] = [(left, right)]
    while pairs:
        one, other = pairs.pop()
        if isinstance(one, ast.AST):
            if type(one) is not type(other):
                return False
            pairs += [(getattr(one, name, None), getattr(other, name, None)) for name in one._fields]
        elif isinstance(one, list):
            if not isinstance(other, list) or len(one) != len(other):
                return False
            pairs += zip(one, other, strict=True)
        elif one != other or type(one) is not type(other):
            return False
    return True
