"""Calls of torch with an unexpected effect: a softmax without its axis, a layer that is made and not called."""

import ast
from collections.abc import Iterator

from ...messages import Code, Message
from .answer_tree import Written, as_name, calls_in
from .slip import Slip, quoted

_SOFT = {"softmax", "log_softmax", "softmin", "Softmax", "LogSoftmax", "Softmin"}
_GUESS = Message("torch guesses then: axis 0 of a tensor with one or three axes, axis 1 of another.")
_WITHOUT_WEIGHTS = {"Softmax", "LogSoftmax", "ReLU", "GELU", "Tanh", "Sigmoid", "SiLU", "Softplus", "ELU"}
_RIGHT_FORM = {"Softmax": "torch.softmax({}, dim=-1)", "LogSoftmax": "torch.log_softmax({}, dim=-1)"}


def softmax_without_axis(written: Written) -> Iterator[Slip]:
    """Yield a softmax without its axis."""
    for call in calls_in(written.node):
        home, _, kind = as_name(call.func).rpartition(".")
        if kind not in _SOFT or any(word.arg in ("dim", "axis", None) for word in call.keywords):
            continue
        layer = kind[0].isupper()
        if len(call.args) > (0 if layer else 1) or not (layer or home.rpartition(".")[2] in ("F", "functional", "torch")):
            continue
        if home == "torch":
            says = Message("Line {line}: {code} does not say along which axis; torch asks for it.")
        else:
            says = Message("Line {line}: {code} does not say along which axis. {guess}", guess=_GUESS)
        step = Message("Which numbers should sum to 1 together? Name their axis with `dim=`; -1 is the last one.")
        yield Slip.at(call, "softmax", says, step)


def layers_not_called(written: Written) -> Iterator[Slip]:
    """Yield a slip for `nn.Softmax(scores)`: a layer is made, with the numbers as its settings, and never called."""
    called = {id(call.func) for call in calls_in(written.node)}
    for function in written.in_use.values():
        for call in calls_in(function):
            kind = as_name(call.func).rpartition(".")[2]
            if kind not in _WITHOUT_WEIGHTS or id(call) in called or not call.args:
                continue
            if isinstance(call.args[0], (ast.Constant, ast.UnaryOp)):  # nn.Softmax(-1)
                continue
            inner = quoted(call.args[0]).strip("`")
            right = _RIGHT_FORM.get(kind, f"nn.{kind}()({{}})").format(inner)
            says = Message("Line {line}: {code} makes a layer and does not call it; in the brackets stand its settings.")
            yield Slip.at(call, "not called", says, Message("To apply it, write `{code}`.", code=Code(right)))
