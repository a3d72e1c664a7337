"""Expressions in which Python computes in another order than the line suggests."""

import ast
from collections.abc import Iterator

from ...messages import Message
from .answer_tree import Written
from .slip import Slip, quoted

_MEANS, _DEVIATIONS = ("mean", "mu", "avg", "average"), ("std", "sigma", "sqrt", "var")


def computed_in_another_order(written: Written) -> Iterator[Slip]:
    """Yield a slip where brackets are probably missing: `x - mean / std`, `a + b / 2`, `x / 2 * eps` and `base ** i / d`."""
    for function in written.in_use.values():
        for node in ast.walk(function):
            if isinstance(node, ast.BinOp):
                yield from _only_the_last_is_divided(node)
                yield from _divided_and_multiplied(node)
                yield from _power_first(node)


def always_true_or_false(written: Written) -> Iterator[Slip]:
    """Yield a slip for `x != a or x != b`, which is always true, and for `x == a and x == b`, which never is."""
    for node in ast.walk(written.node):
        if not isinstance(node, ast.BoolOp):
            continue
        either = isinstance(node.op, ast.Or)
        kind = ast.NotEq if either else ast.Eq
        compared = [part for part in node.values if isinstance(part, ast.Compare) and len(part.ops) == 1]
        pairs = [(part.left, part.comparators[0]) for part in compared if isinstance(part.ops[0], kind)]
        numbers = {repr(right.value) for _, right in pairs if isinstance(right, ast.Constant)}
        lefts = {ast.dump(left) for left, _ in pairs}
        if len(pairs) != len(node.values) or len(numbers) != len(pairs) or len(lefts) != 1:
            continue
        left = pairs[0][0]
        says = (
            Message("Line {line}: {code} is true for every {left}, since no value equals both.")
            if either
            else Message("Line {line}: {code} is never true, since no value of {left} equals both.")
        )
        words = ast.Tuple([right for _, right in pairs], ast.Load())
        meant = ast.Compare(left, [ast.NotIn() if either else ast.In()], [words])
        step = Message("Write {code}.", code=quoted(meant))
        yield Slip.at(node, "always", says.fill(left=quoted(left)), step, instead=True)


def _only_the_last_is_divided(node: ast.BinOp) -> Iterator[Slip]:
    """Yield a slip for `x - mean / std`, and for `a + b / 2` if a and b are of one kind."""
    right = node.right
    while isinstance(right, ast.BinOp) and isinstance(right.op, ast.Mult):
        right = right.left
    if not isinstance(right, ast.BinOp) or not isinstance(right.op, ast.Div):
        return
    minus = isinstance(node.op, ast.Sub) and isinstance(node.left, ast.Name) and _a_deviation(right)
    plus = isinstance(node.op, ast.Add) and _is(right.right, 2) and _alike(node.left, right.left)
    if not minus and not plus:
        return
    whole = ast.BinOp(node.left, node.op, right)
    says = Message("Line {line}: in {code} Python divides first, and only {other} is divided.", other=quoted(right.left))
    meant = quoted(ast.BinOp(ast.BinOp(node.left, node.op, right.left), ast.Div(), right.right))
    yield Slip.at(node, "divided first", says, Message("Is {code} meant? Brackets say so.", code=meant), code=whole)


def _a_deviation(quotient: ast.BinOp) -> bool:
    """Return True if a mean is divided, or the divisor is called a standard deviation."""
    above, below = ast.unparse(quotient.left).lower(), ast.unparse(quotient.right).lower()
    return any(word in above for word in _MEANS) or any(word in below for word in _DEVIATIONS)


def _alike(first: ast.expr, second: ast.expr) -> bool:
    """Return True for two names, two calls or two entries: the mean of two such things is often asked for."""
    return type(first) is type(second) and isinstance(first, (ast.Name, ast.Call, ast.Subscript, ast.Attribute))


def _is(node: ast.expr, number: float) -> bool:
    return isinstance(node, ast.Constant) and node.value == number


def _divided_and_multiplied(node: ast.BinOp) -> Iterator[Slip]:
    """Yield a slip for `x / 2 * eps`."""
    left = node.left
    if not isinstance(node.op, ast.Mult) or not isinstance(left, ast.BinOp) or not isinstance(left.op, ast.Div):
        return
    if not isinstance(left.right, ast.Constant) or isinstance(node.right, ast.Constant):
        return
    says = Message(
        "Line {line}: {code} divides by {other} and then multiplies by {third}.",
        other=quoted(left.right),
        third=quoted(node.right),
    )
    meant = quoted(ast.BinOp(left.left, ast.Div(), ast.BinOp(left.right, ast.Mult(), node.right)))
    yield Slip.at(node, "multiplied last", says, Message("Is {code} meant? Brackets say so.", code=meant))


def _power_first(node: ast.BinOp) -> Iterator[Slip]:
    """Yield a slip for `base ** i / d`, also after another division: the power is computed before the division."""
    if not isinstance(node.op, ast.Div):
        return
    power = node.left
    if isinstance(power, ast.BinOp) and isinstance(power.op, (ast.Div, ast.Mult)):
        power = power.right
    if not isinstance(power, ast.BinOp) or not isinstance(power.op, ast.Pow) or _exponent_is_a_number(power.right):
        return
    if isinstance(power.left, ast.Constant) and power.left.value == 2:  # 2 ** i / n is a share more often than a power
        return
    says = Message("Line {line}: in {code} Python takes the power {other} first, and then divides.", other=quoted(power))
    meant = quoted(ast.BinOp(power.left, ast.Pow(), ast.BinOp(power.right, ast.Div(), node.right)))
    yield Slip.at(node, "power first", says, Message("Is {code} meant? Brackets say so.", code=meant))


def _exponent_is_a_number(exponent: ast.expr) -> bool:
    inner = exponent.operand if isinstance(exponent, ast.UnaryOp) else exponent
    return isinstance(inner, ast.Constant)
