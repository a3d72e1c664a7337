"""What can be said of an answer from its text alone: how long, how it repeats, what it calls, what it changes."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from ...checking.intake.statements import is_docstring
from .excerpt import Excerpt

__all__ = ["Traits", "same_but_for_names", "traits"]

_SHAPE = re.compile(r"#.*?(\(\s*(?:\*?[\w. /*+-]+\s*,\s*)+[\w. /*+-]*\))")
_SILENT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
#: Comments that explain nothing to a reader: the stub's own, and those for tools.
_NOT_SAID = re.compile(r"#\s*(YOUR CODE HERE|fmt:|noqa|type:|pragma|pyright:|ruff:|mypy:|%%)")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Traits:
    """Facts about an answer. `lines` leaves out signatures, docstrings, comments and empty lines; `calls` are the last
    names of what is called (`torch.softmax` and `x.softmax` are both softmax), the answer's own helpers aside."""

    lines: int
    loops: int
    comprehensions: int
    branches: int
    calls: tuple[str, ...]
    helpers: tuple[str, ...]
    raises: tuple[str, ...]
    in_place: tuple[str, ...]
    comments: int
    shape: str


def traits(answer: Excerpt, name: str) -> Traits:
    """The facts about the answer called `name`."""
    parts = sorted((part for node in answer.nodes for part in ast.walk(node)), key=_end)
    functions = [part for part in parts if isinstance(part, (ast.FunctionDef, ast.Lambda))]
    own = {part.name for part in parts if isinstance(part, (ast.FunctionDef, ast.ClassDef))}
    local = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    local |= {entry.arg for part in functions for entry in ast.walk(part.args) if isinstance(entry, ast.arg)}
    raised = [_last(part.exc) for part in parts if isinstance(part, ast.Raise) and part.exc]
    called = [_last(part.func) for part in parts if isinstance(part, ast.Call)]
    comments = [token.string for token in _tokens(answer.code) if token.type == tokenize.COMMENT]
    comments = [said for said in comments if not _NOT_SAID.match(said)]
    shapes = [found[1] for found in map(_SHAPE.search, comments) if found]
    return Traits(
        lines=_lines(answer),
        loops=sum(isinstance(part, (ast.For, ast.While)) for part in parts),
        comprehensions=sum(isinstance(part, _COMPREHENSIONS) for part in parts),
        branches=sum(isinstance(part, (ast.If, ast.IfExp, ast.Match)) for part in parts),
        calls=_once(entry for entry in called if entry not in own | local | {*raised, "super", "__init__", ""}),
        helpers=_once(part.name for part in functions if isinstance(part, ast.FunctionDef) and _helper(part, answer, name)),
        raises=_once(raised),
        in_place=_once(entry for part in parts for entry in _changed(part)),
        comments=len(comments),
        shape=shapes[0] if shapes else "",
    )


def same_but_for_names(one: Excerpt, other: Excerpt) -> bool:
    """Do two answers differ in nothing but local names, annotations, comments and docstrings?"""
    return _plain(one) == _plain(other)


def _once(names: Iterator[str] | list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


def _last(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _end(node: ast.AST) -> tuple[int, int]:
    """In the order in which a reader meets them: of `x.view().mean()`, view first."""
    return getattr(node, "end_lineno", None) or 0, getattr(node, "end_col_offset", None) or 0


def _helper(function: ast.FunctionDef, answer: Excerpt, name: str) -> bool:
    """A function that the answer's author added: beside the one asked for, within it, or as a private method."""
    for node in answer.nodes:
        if getattr(node, "name", "") == name:
            if isinstance(node, ast.ClassDef) and function in node.body:
                return function.name.startswith("_") and not function.name.startswith("__")
            return function is not node
    return False


def _changed(node: ast.AST) -> Iterator[str]:
    """What a piece of code changes in place, as one would point at it."""
    if isinstance(node, ast.Call):
        called = _last(node.func)
        if called.endswith("_") and not called.startswith("_"):
            yield f"{called}()"
        yield from (f"{entry.arg}=" for entry in node.keywords if entry.arg in ("out", "inplace"))
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AugAssign) else []
    for target in targets:
        for part in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
            if isinstance(part, ast.Subscript):
                yield f"{_last(part.value) or '…'}[…] ="


def _tokens(code: str) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(code).readline)


def _lines(answer: Excerpt) -> int:
    full: set[int] = set()
    for token in _tokens(answer.code):
        if token.type not in _SILENT:
            full |= set(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(answer.code)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            inside = node.body[0]
            full -= set(range(node.lineno, inside.lineno))
            if is_docstring(inside):
                full -= set(range(inside.lineno, (inside.end_lineno or inside.lineno) + 1))
    return len(full)


class _Rename(ast.NodeTransformer):
    """Local names become v0, v1, ... in the order in which they are met; annotations and docstrings go."""

    def __init__(self, local: set[str]) -> None:
        self.local, self.names = local, {}

    def _new(self, name: str) -> str:
        return self.names.setdefault(name, f"v{len(self.names)}") if name in self.local else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self._new(node.id), node.ctx), node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.copy_location(ast.arg(self._new(node.arg)), node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns, node.body = None, [one for one in node.body if not is_docstring(one)] or [ast.Pass()]
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [one for one in node.body if not is_docstring(one)] or [ast.Pass()]
        return self.generic_visit(node)


def _plain(answer: Excerpt) -> str:
    tree = ast.parse(answer.code)
    stored = {part.id for part in ast.walk(tree) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    local = stored | {part.arg for part in ast.walk(tree) if isinstance(part, ast.arg)}
    return ast.unparse(ast.fix_missing_locations(_Rename(local).visit(tree)))
