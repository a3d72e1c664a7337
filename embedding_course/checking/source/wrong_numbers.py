"""Numbers that should not take part: a 0 for what is left out, a sum over all rows, lists that are paired unevenly."""

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from ...messages import Code, Count, Message
from .answer_tree import Written, as_name, assigned, assigned_values, calls_in, method_of, number_in
from .slip import Slip, quoted

_LARGEST = {"topk", "argmax", "max", "amax", "sort", "argsort", "softmax", "log_softmax"}
#: A number of this size serves for infinity.
_AS_GOOD_AS_INF = 1e4
_FLAT = {"flatten", "ravel"}
_COSINES = {"cosine_similarity", "normalize", "norm", "vector_norm"}


def left_out_by_a_number(written: Written) -> Iterator[Slip]:
    """Yield a 0 or -1 for what is to be left out, before the largest is taken, or a softmax."""
    for function in written.in_use.values():
        marks = dict(_marks(function))
        for call in calls_in(function):
            method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
            of_torch = isinstance(call.func, ast.Attribute) and as_name(call.func.value) in ("torch", "F")
            what = (call.args[0] if call.args else None) if of_torch else getattr(call.func, "value", None)
            number, line = _marked_directly(what) or marks.get(as_name(what), (None, 0))
            if number is None or (line > call.lineno):
                continue
            rising = any(word.arg in ("largest",) and _is_false(word.value) for word in call.keywords)
            falling = any(word.arg == "descending" for word in call.keywords)
            if (method in ("sort", "argsort") and not falling) or rising or method not in _LARGEST:
                continue
            if number <= -1 and "softmax" not in method and any(method_of(inner) in _COSINES for inner in calls_in(function)):
                continue  # no cosine lies below -1
            if "softmax" in method:
                says = Message(
                    "Line {line} puts {number} where something is to be left out, and line {other} takes a softmax: "
                    "{number} is a "
                    "score like any other, and gets its share."
                )
            else:
                says = Message(
                    "Line {line} puts {number} where something is to be left out, and line {other} takes the largest: "
                    "{number} is "
                    "above every number that is smaller, so what is left out may win."
                )
            says = says.fill(line=Count(line), other=Count(call.lineno), number=Code(f"{number:g}"))
            yield Slip("left out", says, Message('Use `float("-inf")`, below which no score lies.'))


def _marks(function: ast.FunctionDef) -> Iterator[tuple[str, tuple[float, int]]]:
    """Yield the names whose entries are set to a finite number, with that number and the line."""
    for node in ast.walk(function):
        for target, value in assigned(node):
            number = number_in(value)
            if isinstance(target, ast.Subscript) and number is not None and abs(number) < _AS_GOOD_AS_INF:
                if as_name(target.value) and not isinstance(target.slice, ast.Slice):
                    yield as_name(target.value), (number, target.lineno)
            elif _marked_directly(value) and as_name(target):
                yield as_name(target), _marked_directly(value) or (0.0, 0)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            mark = _marked_directly(node.value)
            if mark and isinstance(node.value.func, ast.Attribute) and node.value.func.attr.endswith("_"):
                yield as_name(node.value.func.value), mark


def _marked_directly(node: ast.AST | None) -> tuple[float, int] | None:
    """Return the number and the line in `x.masked_fill(mask, 0)` and `torch.where(mask, x, 0)`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return None
    if node.func.attr not in ("masked_fill", "masked_fill_", "fill_diagonal_", "where"):
        return None
    number = next((value for child in node.args if (value := number_in(child)) is not None), None)
    return (number, node.lineno) if number is not None and abs(number) < _AS_GOOD_AS_INF else None


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False


def one_sum_for_all(written: Written, given: Mapping[str, Any]) -> Iterator[Slip]:
    """Yield a softmax that is normalised over a whole matrix: `e / e.sum()`, `softmax(x.flatten(), 0)`."""
    matrices = {name for name, value in given.items() if getattr(value, "ndim", 0) > 1}
    for function in written.in_use.values():
        made = assigned_values(function)
        in_loop = any(isinstance(child, (ast.For, ast.comprehension)) for child in ast.walk(function))
        for node in [] if in_loop else ast.walk(function):
            code = _divided_by_its_sum(node)
            if code is not None and isinstance(node, ast.BinOp) and _is_exp_of(code, made, matrices):
                says = Message("Line {line}: the sum in {code} runs over all entries, those of all rows together.")
                step = Message("Which numbers should sum to 1? Sum over their axis: `.sum(dim=-1, keepdim=True)`.")
                yield Slip.at(node, "one sum", says, step)
            if (
                isinstance(node, ast.Call)
                and as_name(node.func).rpartition(".")[2] in ("softmax", "log_softmax")
                and any(_is_flattened(child, matrices) for child in [*node.args, getattr(node.func, "value", None)])
            ):
                says = Message("Line {line}: {code} sums to 1 over all entries, those of all rows together.")
                step = Message("Which numbers should sum to 1? Give their axis, and leave the matrix as it is.")
                yield Slip.at(node, "one sum", says, step)


def _divided_by_its_sum(node: ast.AST) -> ast.expr | None:
    """Return e if the node is `e / e.sum()` or `e / torch.sum(e)`, else None."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div) or not isinstance(node.right, ast.Call):
        return None
    call = node.right
    if as_name(call.func) == "torch.sum" and len(call.args) == 1 and not call.keywords:
        below: ast.expr = call.args[0]
    elif isinstance(call.func, ast.Attribute) and call.func.attr == "sum" and not call.args and not call.keywords:
        below = call.func.value
    else:
        return None
    return node.left if ast.dump(below) == ast.dump(node.left) else None


def _is_exp_of(code: ast.expr, made: Mapping[str, ast.expr], matrices: set[str]) -> bool:
    """Return True for the exponential of a whole matrix that was given."""
    code = made.get(as_name(code), code)
    if not isinstance(code, ast.Call):
        return False
    method = code.func.attr if isinstance(code.func, ast.Attribute) else as_name(code.func)
    names = {node.id for node in ast.walk(code) if isinstance(node, ast.Name)}
    return method == "exp" and bool(names & matrices) and not any(isinstance(node, ast.Subscript) for node in ast.walk(code))


def _is_flattened(node: ast.AST | None, matrices: set[str]) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or as_name(node.func.value) not in matrices:
        return False
    flat = node.func.attr in ("reshape", "view") and len(node.args) == 1 and number_in(node.args[0]) == -1
    return flat or (node.func.attr in _FLAT and not node.args)


def zipped_unevenly(written: Written, given: Mapping[str, Any]) -> Iterator[Slip]:
    """Yield a slip for `zip(ids.flatten(), rows)` if rows has more than two axes."""
    matrices = {name for name, value in given.items() if getattr(value, "ndim", 0) > 1}
    for call in calls_in(written.node):
        if as_name(call.func) != "zip":
            continue
        flat = [node for node in call.args if _is_flattened(node, matrices)]
        whole = [node for node in call.args if as_name(node) in matrices and getattr(given[as_name(node)], "ndim", 0) > 2]
        if flat and whole:
            name = as_name(whole[0])
            says = Message(
                "Line {line}: {code} meets the entries of {other} with the first axis of `{name}`.",
                other=quoted(flat[0]),
                name=Code(name),
            )
            step = Message("Flatten both: `{name}.reshape(-1, {name}.shape[-1])`.", name=Code(name))
            yield Slip.at(call, "zipped", says, step, instead=True)
