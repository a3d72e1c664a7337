"""Lines whose result is lost: thrown away, never called, None; and words that an argument never is."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Collection, Iterator, Mapping

from ...subject.tensors import torch
from ..grammar import in_a_row
from .slip import Slip, quoted
from .written import Written, as_name

__all__ = ["lost_results", "words_never_passed"]

#: Methods that return something new and leave what they are called on as it is, whatever has a method of that name.
_OF_TENSORS = {
    "clamp", "clip", "masked_fill", "to", "float", "double", "long", "int", "bool", "half", "squeeze", "unsqueeze", "view",
    "reshape", "flatten", "transpose", "permute", "contiguous", "exp", "log", "sqrt", "abs", "softmax", "log_softmax", "tanh",
    "sigmoid", "relu", "index_add", "index_copy", "index_fill", "scatter", "scatter_add", "masked_scatter", "detach", "clone",
    "sub", "mul", "div", "neg", "round", "floor", "ceil", "flip", "roll", "cumsum", "sum", "mean", "norm", "tril", "triu",
    "expand", "repeat", "astype", "topk", "argsort", "gather", "normalize", "where", "cat", "stack",
}  # fmt: skip
_OF_TEXTS = {"lower", "upper", "strip", "rstrip", "lstrip", "replace", "split", "join", "casefold", "title", "removesuffix"}
_OF_SETS = {"union", "intersection", "difference"}
#: Methods that change something and return None.
_RETURN_NONE = {"append", "extend", "insert", "reverse", "update", "remove", "discard", "clear", "shuffle"}
#: An argument with more different words than this is a text and no choice.
_MOST_WORDS = 8
_NEAR = 0.7


def lost_results(written: Written) -> Iterator[Slip]:
    """Statements that compute something and keep nothing of it."""
    for function in written.functions.values():
        for node in ast.walk(function):
            if isinstance(node, ast.Expr):
                yield from _of_a_statement(node)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                method = node.value.func
                if isinstance(method, ast.Attribute) and method.attr in _RETURN_NONE and as_name(method.value):
                    says = f"Line {node.lineno}: {quoted(node.value)} changes {quoted(method.value)} and returns None."
                    yield Slip("none", says, f"Write {quoted(node.value)} alone, without `=`.", instead=True)


def _of_a_statement(node: ast.Expr) -> Iterator[Slip]:
    value = node.value
    if isinstance(value, ast.Call):
        yield from _of_a_call(value)
    elif isinstance(value, ast.Attribute):
        says = f"Line {node.lineno} names {quoted(value)} and does not call it."
        yield Slip("not called", says, f"Write `{as_name(value)}()`.", first=True)
    elif isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.Eq):
        says = f"Line {node.lineno}: {quoted(value)} compares, and nothing is done with the result."
        yield Slip("compared", says, "To give something a value, write one `=`.", first=True)
    elif isinstance(value, ast.BinOp):
        says = f"Line {node.lineno}: {quoted(value)} is computed, and the result is thrown away."
        yield Slip("thrown away", says, "Give the result a name, and go on with that.", first=True)


def _of_a_call(call: ast.Call) -> Iterator[Slip]:
    name = as_name(call.func)
    method = call.func.attr if isinstance(call.func, ast.Attribute) else name
    if any(word.arg in ("out", "inplace") for word in call.keywords):
        return
    kind = "tensor" if method in _OF_TENSORS else "text" if method in _OF_TEXTS else "set" if method in _OF_SETS else ""
    if name in ("sorted", "reversed"):
        kind = "list"
    if not kind or (not isinstance(call.func, ast.Attribute) and kind != "list"):
        return
    says = f"Line {call.lineno}: {quoted(call)} returns a new {kind}, which is thrown away here."
    step = f"Keep the result: `… = {quoted(call).strip('`')}`."
    if kind == "tensor" and hasattr(torch.Tensor, f"{method}_") and name.partition(".")[0] not in ("torch", "F"):
        step = f"Keep the result, or call `{method}_`, which changes the tensor itself."
    yield Slip("thrown away", says, step, first=True)


def words_never_passed(written: Written, passed: Mapping[str, Collection[str]]) -> Iterator[Slip]:
    """Comparisons of an argument with a word that it never is, where a word that it is does not occur in the answer. `passed`
    are the words that each argument may be."""
    texts = {one.value for one in ast.walk(written.node) if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    for node in ast.walk(written.node):
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.NotIn)):
            continue
        sides = [node.left, node.comparators[0]]
        name = next((as_name(side).rpartition(".")[2] for side in sides if as_name(side)), "")
        words = passed.get(name, ())
        if not 0 < len(words) <= _MOST_WORDS:
            continue
        for word in (found for side in sides for found in _words_in(side)):
            missed = difflib.get_close_matches(_plain(word), [_plain(one) for one in words], n=1, cutoff=_NEAR)
            if word in words or not missed or any(_plain(one) == missed[0] and one in texts for one in words):
                continue
            listed = in_a_row([f'"{one}"' for one in sorted(words)])
            says = f"Line {node.lineno} compares `{name}` with {word!r}, which is never passed; the words are {listed}."
            yield Slip("never passed", says, "Write the word as the docstring does, letter by letter.", instead=True)


def _words_in(node: ast.expr) -> Iterator[str]:
    for one in node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value


def _plain(word: str) -> str:
    return re.sub(r"[\W_]", "", word.lower())
