"""Name the cause of an exception that the line which raised it shows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...messages import Code, Message
from .answer_tree import Written, as_name
from .slip import Slip, quoted

if TYPE_CHECKING:
    from ..observation import Raised

_LAYERS = "Embedding|Linear|LayerNorm|Dropout|LSTM|ModuleList|Sequential"


def cause_in_the_line(raised: Raised, written: Written | None) -> Iterator[Slip]:
    """Yield the cause of an exception, if its message or the line that raised it shows it beyond doubt."""
    if not raised.own_cell:
        return
    message = raised.message
    number = re.search(r"\b(sqrt|exp|log|sin|cos)\(\): argument 'input' .*must be Tensor, not (?:int|float)", message)
    layer = re.search(rf"unsupported operand type.*'({_LAYERS})'", message)
    if number:
        says = Message("`torch.{name}` takes a tensor, and this is a number.", name=Code(number[1]))
        yield Slip("number", says, Message("Use `math.{name}`.", name=Code(number[1])), instead=True)
    elif layer:
        says = Message("A layer, {name}, is used as if it were a tensor.", name=Code(f"nn.{layer[1]}"))
        yield Slip("layer", says, Message("Call the layer, and use what it returns."), instead=True)
    elif 'Module [ModuleList] is missing the required "forward"' in message:
        says = Message("An nn.ModuleList is a list of modules: it cannot be called.")
        yield Slip("list of modules", says, Message("Loop over it, and call its modules one by one."), instead=True)
    elif written is None:
        return
    elif "Boolean value of Tensor with more than one" in message:
        yield from _none_or_a_tensor(raised, written)
    elif re.search(r"must be tuple of ints,\s?but got float|'float' object cannot be interpreted as an integer", message):
        yield from _floating_size(raised, written)
    elif re.search(r"shape of the mask .* does not match|too many indices for tensor", message):
        yield from _mask_as_an_index(raised, written)


def _nodes(raised: Raised, written: Written) -> Iterator[ast.AST]:
    """Yield the nodes that begin in the line that raised; all of them if the line is not known."""
    for node in ast.walk(written.node):
        if not raised.place.line or getattr(node, "lineno", 0) == raised.place.line:
            yield node


def _optional(written: Written) -> set[str]:
    """Return the names of all parameters whose default is None."""
    names: set[str] = set()
    for function in written.functions.values():
        arguments = [*function.args.posonlyargs, *function.args.args]
        defaults = function.args.defaults
        pairs = [*zip(arguments[len(arguments) - len(defaults) :], defaults, strict=True)]
        pairs += [
            (name, value) for name, value in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True) if value
        ]
        names |= {name.arg for name, value in pairs if isinstance(value, ast.Constant) and value.value is None}
    return names


def _none_or_a_tensor(raised: Raised, written: Written) -> Iterator[Slip]:
    """Yield `if mask:`, `if not mask:` and `context or x` for a parameter that may be None."""
    optional = _optional(written)
    says = Message("Line {line}: {code} asks a whole tensor for one True or False.")
    step = Message("Write {code}.")
    for node in _nodes(raised, written):
        if isinstance(node, (ast.If, ast.IfExp)):
            test = node.test
            negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
            name = as_name(test.operand if isinstance(test, ast.UnaryOp) and negated else test)
            if name in optional:
                instead = Code(f"`if {name} is {'' if negated else 'not '}None`")
                yield Slip.at(test, "None", says, step.fill(code=instead), instead=True)
        elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and len(node.values) == 2:
            name = as_name(node.values[0])
            if name in optional:
                instead = Code(f"`{ast.unparse(node.values[1])[:40]} if {name} is None else {name}`")
                yield Slip.at(node, "None", says, step.fill(code=instead), instead=True)


def _floating_size(raised: Raised, written: Written) -> Iterator[Slip]:
    """Yield a quotient that is an argument of a call in that line."""
    for call in _nodes(raised, written):
        if not isinstance(call, ast.Call):
            continue
        for node in call.args:
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                says = Message("Line {line}: {code} is a float, and a size has to be a whole number.")
                whole = quoted(ast.BinOp(node.left, ast.FloorDiv(), node.right))
                yield Slip.at(node, "float size", says, Message("Write {code}.", code=whole), instead=True)


def _mask_as_an_index(raised: Raised, written: Written) -> Iterator[Slip]:
    """Yield `scores[~mask] = value`, where the mask has another shape than the scores, and the value is one number."""
    for node in _nodes(raised, written):
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Subscript):
            continue
        if any(isinstance(part, ast.Subscript) for part in ast.walk(node.value)):
            continue  # `low[mask] = scores[mask]` stores a tensor, and `masked_fill` takes one number only
        target, index = node.targets[0], node.targets[0].slice
        mask = index.operand if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.Invert) else index
        name = as_name(target.value)
        if name and as_name(mask) in _optional(written):
            says = Message("Line {line}: {code} needs a mask of the same shape: an index does not broadcast.")
            instead = Code(f"`{name} = {name}.masked_fill({ast.unparse(index)}, {ast.unparse(node.value)[:40]})`")
            step = Message("Write {code}, which broadcasts.", code=instead)
            yield Slip.at(node, "mask as an index", says, step, code=target, instead=True)
