"""Lines whose result is lost (thrown away, never called, None), and strings that an argument never is."""

import ast
import difflib
import re
from collections.abc import Collection, Iterator, Mapping

from ...messages import Code, Count, Listing, Message
from ...subject.tensors import torch
from .answer_tree import Written, as_name
from .slip import Slip, quoted

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
_MAX_WORDS = 8
_NEAR = 0.7


_THROWN_AWAY = {
    "tensor": Message("Line {line}: {code} returns a new tensor, which is thrown away here."),
    "text": Message("Line {line}: {code} returns a new text, which is thrown away here."),
    "set": Message("Line {line}: {code} returns a new set, which is thrown away here."),
    "list": Message("Line {line}: {code} returns a new list, which is thrown away here."),
}


def lost_results(written: Written) -> Iterator[Slip]:
    """Yield statements that compute something and keep nothing of it."""
    for function in written.functions.values():
        for node in ast.walk(function):
            if isinstance(node, ast.Expr):
                yield from _of_a_statement(node)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                method = node.value.func
                if isinstance(method, ast.Attribute) and method.attr in _RETURN_NONE and as_name(method.value):
                    says = Message("Line {line}: {code} changes {other} and returns None.", other=quoted(method.value))
                    step = Message("Write {code} alone, without `=`.", code=quoted(node.value))
                    yield Slip.at(node, "none", says, step, instead=True, code=node.value)


def _of_a_statement(node: ast.Expr) -> Iterator[Slip]:
    value = node.value
    if isinstance(value, ast.Call):
        yield from _of_a_call(value)
    elif isinstance(value, ast.Attribute):
        says = Message("Line {line} names {code} and does not call it.")
        yield Slip.at(node, "not called", says, Message("Write `{code}()`.", code=Code(as_name(value))), first=True, code=value)
    elif isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.Eq):
        says = Message("Line {line}: {code} compares, and nothing is done with the result.")
        yield Slip.at(node, "compared", says, Message("To give something a value, write one `=`."), first=True, code=value)
    elif isinstance(value, ast.BinOp):
        says = Message("Line {line}: {code} is computed, and the result is thrown away.")
        step = Message("Give the result a name, and go on with that.")
        yield Slip.at(node, "thrown away", says, step, first=True, code=value)


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
    step = Message("Keep the result: `… = {code}`.", code=Code(quoted(call).strip("`")))
    if kind == "tensor" and hasattr(torch.Tensor, f"{method}_") and name.partition(".")[0] not in ("torch", "F"):
        step = Message("Keep the result, or call `{code}_`, which changes the tensor itself.", code=Code(method))
    yield Slip.at(call, "thrown away", _THROWN_AWAY[kind], step, first=True)


def words_never_passed(written: Written, passed: Mapping[str, Collection[str]]) -> Iterator[Slip]:
    """Yield a slip for each comparison of an argument with a string that is never passed for it.

    This is reported only if a similar string is passed and does not occur in the answer. `passed` holds the strings that each
    argument may be.
    """
    texts = {
        child.value for child in ast.walk(written.node) if isinstance(child, ast.Constant) and isinstance(child.value, str)
    }
    for node in ast.walk(written.node):
        if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], (ast.Eq, ast.NotEq, ast.In, ast.NotIn)):
            continue
        sides = [node.left, node.comparators[0]]
        name = next((as_name(side).rpartition(".")[2] for side in sides if as_name(side)), "")
        words = passed.get(name, ())
        if not 0 < len(words) <= _MAX_WORDS:
            continue
        for word in (candidate for side in sides for candidate in _words_in(side)):
            missed = difflib.get_close_matches(_plain(word), [_plain(passed_word) for passed_word in words], n=1, cutoff=_NEAR)
            if word in words or not missed or any(_plain(near) == missed[0] and near in texts for near in words):
                continue
            says = Message(
                "Line {line} compares `{name}` with {word}, which is never passed; the words are {words}.",
                line=Count(node.lineno),
                name=Code(name),
                word=Code(repr(word)),
                words=Listing([Code(f'"{passed_word}"') for passed_word in sorted(words)]),
            )
            yield Slip("never passed", says, Message("Write the word as the docstring does, letter by letter."), instead=True)


def _words_in(node: ast.expr) -> Iterator[str]:
    for child in node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]:
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child.value


def _plain(word: str) -> str:
    return re.sub(r"[\W_]", "", word.lower())
