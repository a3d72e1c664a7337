"""Find out where nan and inf come from, as far as the code of an answer shows it."""

import ast
import math
from collections.abc import Iterator

from ...messages import Code, Message
from .answer_tree import Written, as_name, assigned, assigned_values, calls_in, method_of, number_in
from .slip import Slip, quoted

_FILL = {"fill_diagonal_", "masked_fill", "masked_fill_", "full", "full_like"}
_LOGS = {"log", "log2", "log10"}
_SAFE = {"nan_to_num", "xlogy", "entr", "nansum", "clamp", "clip", "clamp_min", "clamp_"}
_LIMITS = {"clamp", "clip", "clamp_min", "maximum"}
#: What computes the logarithm of each function exactly, in one step.
_ONE_STEP = {"sigmoid": "F.logsigmoid", "softmax": "F.log_softmax"}
_SUMS = {"sum", "norm", "std", "vector_norm", "len", "count_nonzero", "numel"}


def zero_times_log_of_zero(written: Written) -> Iterator[Slip]:
    """Yield `p * p.log()` where nothing keeps p from being 0."""
    for function in written.in_use.values():
        words = {as_name(call.func).rpartition(".")[2] for call in calls_in(function)}
        if _SAFE & words:
            continue
        for node in _operations(function, ast.Mult):
            name = _times_its_log(node)
            if name and not _kept_above_zero(function, name):
                says = Message(
                    "Line {line}: where `{name}` is 0, {code} is 0 times -inf, which is nan, and every comparison with nan is "
                    "False.",
                    name=Code(name),
                )
                step = Message(
                    "Use `torch.special.entr({name})`, which is 0 there, or `torch.xlogy({name}, {name})`.", name=Code(name)
                )
                yield Slip.at(node, "0 log 0", says, step, instead=_made_zero(function))


def _times_its_log(node: ast.BinOp) -> str:
    """Return the name p in `p * p.log()` and `p * torch.log(p / q)`; empty for anything else."""
    for child, other in ((node.left, node.right), (node.right, node.left)):
        name = as_name(child.operand if isinstance(child, ast.UnaryOp) else child)
        if not name or not isinstance(other, ast.Call) or method_of(other) not in _LOGS:
            continue
        of: ast.AST = other.args[0] if other.args else getattr(other.func, "value", other)
        if isinstance(of, ast.BinOp) and isinstance(of.op, ast.Div):
            of = of.left
        if as_name(of) == name:
            return name
    return ""


def _kept_above_zero(function: ast.FunctionDef, name: str) -> bool:
    """Return True if it is compared with something, picked by a comparison, or made with a small number added."""
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and name in map(as_name, [node.left, *node.comparators]):
            return True
        for target, value in assigned(node):
            if as_name(target) == name and any(
                isinstance(child, ast.Compare) or 0 < abs(number_in(child) or 0) < 1e-3 for child in ast.walk(value)
            ):
                return True
    return False


def _made_zero(function: ast.FunctionDef) -> bool:
    """Return True if the answer itself puts 0, or infinity, somewhere."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript) and _is_mark(node.value):
            return True
        if isinstance(node, ast.Call) and method_of(node) in _FILL and node.args and _is_mark(node.args[-1]):
            return True
    return False


def _is_mark(value: ast.expr) -> bool:
    number = number_in(value)
    return number is not None and (number == 0 or math.isinf(number))


def log_with_a_small_number(written: Written) -> Iterator[Slip]:
    """Yield `log(sigmoid(x) + 1e-9)` and `log(sigmoid(x).clamp(min=1e-7))`: exact for small scores only."""
    for function in written.in_use.values():
        made = assigned_values(function)
        for call in calls_in(function):
            if method_of(call) not in _LOGS:
                continue
            of: ast.AST = call.args[0] if call.args else getattr(call.func, "value", call)
            of = made.get(as_name(of), of)
            squashing = {
                method_of(inner)
                for node in ast.walk(of)
                for inner in calls_in(made.get(as_name(node), node))
                if method_of(inner) in _ONE_STEP
            }
            if squashing and any(_is_small(node) for node in ast.walk(of)):
                says = Message(
                    "Line {line}: the small number in {code} limits the logarithm, so large scores give a wrong value and no "
                    "gradient."
                )
                step = Message("Use `{name}`, which needs no such number.", name=Code(_ONE_STEP[min(squashing)]))
                yield Slip.at(call, "small number", says, step)


def _is_small(node: ast.AST) -> bool:
    """Return True for the small number in `x + 1e-9` and `x.clamp(min=1e-9)`."""
    numbers: list[ast.expr] = []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        numbers = [node.left, node.right]
    elif isinstance(node, ast.Call) and method_of(node) in _LIMITS:
        numbers = [*node.args, *(word.value for word in node.keywords)]
    return any(0 < (number_in(number) or 0) <= 1e-4 for number in numbers)


def causes_of_nan(written: Written) -> Slip | None:
    """Return the likeliest line that makes nan or inf; None where none is seen."""
    causes = (_infinite_factor, _zero_divisor, _log, _exponential, _softmax_of_nothing, _root)
    slips = (slip for function in written.in_use.values() for cause in causes for slip in cause(function))
    return next(zero_times_log_of_zero(written), None) or next(slips, None)


def _infinite_factor(function: ast.FunctionDef) -> Iterator[Slip]:
    for node in _operations(function, ast.Mult):
        if any(math.isinf(number_in(side) or 0) for side in (node.left, node.right)):
            says = Message("Line {line}: {code} is nan where the other factor is 0, since 0 times inf is nan.")
            yield Slip.at(node, "nan", says, Message("Choose with `torch.where` or `masked_fill`; do not multiply."))


def _zero_divisor(function: ast.FunctionDef) -> Iterator[Slip]:
    """Yield a division by a sum, a norm, a count or a standard deviation, to which nothing is added."""
    made = assigned_values(function)
    for node in _operations(function, ast.Div):
        divisor = made.get(as_name(node.right), node.right)
        methods = {method_of(call) for call in calls_in(divisor)}
        if methods & _SUMS and not methods & {*_SAFE, "maximum", "max"} and not list(_operations(divisor, ast.Add)):
            says = Message("Line {line}: {code} is nan or inf where {other} is 0.", other=quoted(node.right))
            step = Message("When is it 0, and what should come back then? A lower bound helps: `.clamp(min=…)`.")
            yield Slip.at(node, "nan", says, step)


def _log(function: ast.FunctionDef) -> Iterator[Slip]:
    for call in calls_in(function):
        inside = {method_of(node) for node in calls_in(call)}
        if method_of(call) in _LOGS and not inside & {*_SAFE, "softmax", "exp"} and not list(_operations(call, ast.Add)):
            says = Message("Line {line}: {code} is -inf where a 0 is given to it, and nan below 0.")
            step = Message("Is there a function that takes both steps at once, such as `logsigmoid` or `log_softmax`?")
            yield Slip.at(call, "nan", says, step)


def _exponential(function: ast.FunctionDef) -> Iterator[Slip]:
    for call in calls_in(function):
        if method_of(call) == "exp":
            says = Message("Line {line}: {code} is inf for numbers above 88 in float32, and inf / inf is nan.")
            step = Message("Subtract the largest number of each line first, or use torch's own function.")
            yield Slip.at(call, "nan", says, step)


def _softmax_of_nothing(function: ast.FunctionDef) -> Iterator[Slip]:
    softmax = any("softmax" in method_of(call) for call in calls_in(function))
    if softmax and any(math.isinf(number_in(node) or 0) for node in ast.walk(function)):
        says = Message("A softmax of a line in which every entry is -inf is nan.")
        yield Slip(
            "nan", says, Message("Say what comes back where everything is left out, and put it there behind the softmax.")
        )


def _root(function: ast.FunctionDef) -> Iterator[Slip]:
    for call in calls_in(function):
        if method_of(call) in ("sqrt", "norm", "vector_norm"):
            says = Message("Line {line}: {code} is nan below 0, and its gradient at 0 is inf or nan.")
            yield Slip.at(call, "nan", says, Message("Put a lower bound under what the root is taken of."))


def _operations(node: ast.AST, kind: type[ast.operator]) -> Iterator[ast.BinOp]:
    for child in ast.walk(node):
        if isinstance(child, ast.BinOp) and isinstance(child.op, kind):
            yield child
