"""Automatic mutants of a right answer: small changes that should each be caught by the check.

A mutant that survives is either equal to the original (its reason is written down as `# survivor`) or shows a
hole in the check.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Mutant", "mutants"]

_COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """A changed source; `change` says what was changed, in code."""

    change: str
    source: str


def mutants(source: str, name: str) -> Iterator[Mutant]:
    """Yield all single changes of the function or class `name` in a source text, each of them once."""
    tree = ast.parse(source)
    seen = {ast.unparse(tree)}
    position = next(index for index, node in enumerate(tree.body) if getattr(node, "name", "") == name)
    count = sum(1 for _ in ast.walk(tree.body[position]))
    names: dict[str, int] = {}
    said_only = _messages(tree.body[position])
    for index in range(count):
        if index in said_only:
            continue
        for variant in range(_variants(_node(tree, position, index))):
            changed = copy.deepcopy(tree)
            description = _change(changed, position, index, variant)
            if not description:
                continue
            text = ast.unparse(ast.fix_missing_locations(changed))
            if text in seen:
                continue
            seen.add(text)
            names[description] = names.get(description, 0) + 1
            yield Mutant(description if names[description] == 1 else f"{description} ({names[description]})", text)


def _messages(definition: ast.AST) -> set[int]:
    """Return the positions of nodes that only make messages or annotations.

    These are all nodes inside a `raise`, an f-string or an annotation.
    """
    message_ids = {
        id(inner)
        for node in ast.walk(definition)
        if isinstance(node, (ast.Raise, ast.JoinedStr))
        for inner in ast.walk(node)
        if inner is not node
    }
    for node in ast.walk(definition):
        for note in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            message_ids.update(id(inner) for inner in (ast.walk(note) if note else ()))
    return {at for at, node in enumerate(ast.walk(definition)) if id(node) in message_ids}


def _node(tree: ast.Module, position: int, index: int) -> ast.AST:
    for at, node in enumerate(ast.walk(tree.body[position])):
        if at == index:
            return node
    raise IndexError(index)


def _variants(node: ast.AST) -> int:
    if isinstance(node, (ast.BinOp, ast.Constant)):
        return 3
    return 1


def _change(tree: ast.Module, position: int, index: int, variant: int) -> str:
    """Change one node in place, and return a description; the empty string if this variant does not apply."""
    node = _node(tree, position, index)
    before = "" if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else _text(node)
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS:
        node.ops[0] = _COMPARISONS[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp) and variant == 0 and type(node.op) in _ARITHMETIC:
        node.op = _ARITHMETIC[type(node.op)]()
    elif isinstance(node, ast.BinOp) and variant in (1, 2):
        return _replace(tree, node, node.left if variant == 1 else node.right, before)
    elif isinstance(node, ast.Constant) and type(node.value) is int and variant < 2:
        node.value += 1 if variant == 0 else -1
    elif isinstance(node, ast.Constant) and type(node.value) is bool and variant == 0:
        node.value = not node.value
    elif isinstance(node, ast.Constant) and type(node.value) is float and variant == 0:
        node.value = node.value * 2 + 1
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub, ast.Invert)):
        return _replace(tree, node, node.operand, before)
    elif isinstance(node, ast.IfExp):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.AugAssign) and type(node.op) in _ARITHMETIC:
        node.op = _ARITHMETIC[type(node.op)]()
    else:
        return _drop_statement(node)
    return f"{before} → {_text(node)}"


def _text(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0] if isinstance(node, (ast.expr, ast.stmt)) else ""


def _replace(tree: ast.Module, old: ast.AST, new: ast.AST, before: str) -> str:
    class Swap(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return new if node is old else self.generic_visit(node)

    Swap().visit(tree)
    return f"{before} → {_text(new)}"


def _drop_statement(node: ast.AST) -> str:
    """Drop the last statement of a node's block that is no return, docstring or definition, and return a description."""
    block = getattr(node, "body", None)
    if not isinstance(block, list) or isinstance(node, (ast.ClassDef, ast.Module)):
        return ""
    for at in range(len(block) - 1, -1, -1):
        if isinstance(block[at], (ast.Assign, ast.AugAssign, ast.If, ast.Raise, ast.For)) or (
            isinstance(block[at], ast.Expr) and not isinstance(block[at].value, ast.Constant)
        ):
            dropped = _text(block[at])
            block[at] = ast.Pass()
            return f"{dropped} → pass"
    return ""
