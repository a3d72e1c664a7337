"""Training steps whose calls are missing or out of order: zero_grad, backward, step."""

import ast
from collections.abc import Iterator

from ...messages import Count, Message
from .answer_tree import Written, as_name, calls_in, method_of
from .slip import Slip

#: Methods and attributes by which a parameter is changed without an optimizer.
_BY_HAND = {"data", "grad", "sub_", "add_", "copy_", "addcmul_", "addcdiv_", "mul_"}


def training_order(written: Written) -> Iterator[Slip]:
    """Yield a missing `step()`, a step that finds no gradients, and a new optimizer in place of the one that is given."""
    for function in written.in_use.values():
        arguments = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
        if "optimizer" not in arguments:
            continue
        yield from _another_optimizer(function)
        lines = _lines(function)
        backward = lines.get("backward", [])
        if not backward or any(isinstance(node, (ast.For, ast.While)) for node in ast.walk(function)):
            continue
        steps = lines.get("step", [])
        if not steps:
            if not _by_hand(function):
                says = Message("Line {line} goes backward, and no line calls `optimizer.step()`.", line=Count(backward[-1]))
                yield Slip("training", says, Message("Call `optimizer.step()` after backward."), first=True)
        elif max(steps) < min(backward):
            says = Message(
                "Line {step} takes the step before line {line} goes backward: this batch has no gradients yet.",
                step=Count(steps[0]),
                line=Count(backward[0]),
            )
            yield Slip("training", says, Message("Call backward first, then `optimizer.step()`."), first=True)
        else:
            between = [line for line in lines.get("zero_grad", []) if max(backward) < line < min(steps)]
            if between:
                says = Message(
                    "Line {line} clears the gradients between backward and step: the step finds none.", line=Count(between[0])
                )
                yield Slip("training", says, Message("Clear them before backward."), first=True)


def _lines(function: ast.FunctionDef) -> dict[str, list[int]]:
    """Return the lines of the calls in the order of the text, by the name of the method."""
    lines: dict[str, list[int]] = {}
    for call in calls_in(function):
        lines.setdefault(method_of(call), []).append(call.lineno)
    return lines


def _by_hand(function: ast.FunctionDef) -> bool:
    """Return True if the function may change the parameters without an optimizer."""
    return any(
        isinstance(node, ast.AugAssign) or (isinstance(node, ast.Attribute) and node.attr in _BY_HAND)
        for node in ast.walk(function)
    )


def _another_optimizer(function: ast.FunctionDef) -> Iterator[Slip]:
    for call in calls_in(function):
        home, _, kind = as_name(call.func).rpartition(".")
        if home.rpartition(".")[2] == "optim" and kind[:1].isupper():
            says = Message("Line {line}: {code} makes a new optimizer, without the memory and the settings of the given one.")
            step = Message("Use the `optimizer` that is given.")
            yield Slip.at(call, "training", says, step, code=call.func, first=True)
