"""Stand-ins for a learner's earlier answers: each call is answered by the trusted side, gradients too.

No answer is in the learner's process: a stand-in sends what it was given and returns what comes back. In a backward
pass it asks once more, for the product of the upstream gradient with the function's Jacobian.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from embedding_course.checking.codec import decode, encode
from embedding_course.checking.wire_data import plain, tensors_in
from embedding_course.subject.tensors import TENSORS, torch

if TYPE_CHECKING or TENSORS:
    from .remote_step import RemoteStep

#: Sends a question with its tensors to the trusted side, and returns what came back.
Ask = Callable[[dict[str, Any], Sequence[torch.Tensor]], tuple[Any, list[torch.Tensor]]]


def lent_function(ask: Ask, name: str) -> Callable[..., Any]:
    """Return a function that has the trusted side compute what `name` computes."""

    def remote(*args: Any, **options: Any) -> Any:
        return _call(ask, {"name": name}, {}, args, options)

    remote.__name__ = name
    return remote


def lent_module(ask: Ask, name: str) -> type[torch.nn.Module]:
    """Return a module with the parameters of the course's own `name`, whose forward pass the trusted side computes."""

    class RemoteModule(torch.nn.Module):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__()
            self._asked = {"name": name, "build": encode([plain(args), plain(options)], [])}
            layers, tensors = ask(self._asked, [])
            for layer, parameters in decode(layers, tensors).items():
                _set_parameters(self, layer, parameters)

        def forward(self, *args: Any, **options: Any) -> Any:
            return _call(ask, self._asked, dict(self.named_parameters()), args, options)

    RemoteModule.__name__ = RemoteModule.__qualname__ = name
    return RemoteModule


def _set_parameters(module: torch.nn.Module, layer: str, parameters: dict[str, torch.Tensor]) -> None:
    """Give the module these parameters.

    With an empty `layer` they become the module's own; otherwise they go into an nn.Linear or nn.LayerNorm at that path of
    names.
    """
    parent = module
    if layer:
        *above, last = layer.split(".")
        for name in above:
            if not hasattr(parent, name):
                parent.add_module(name, torch.nn.Module())
            parent = getattr(parent, name)
        inside = _layer(parameters["weight"].shape, "bias" in parameters)
        parent.add_module(last, inside)
        parent = inside
    for name, value in parameters.items():
        parent.register_parameter(name, torch.nn.Parameter(value))


def _layer(shape: Sequence[int], bias: bool) -> torch.nn.Module:
    """Return the layer whose weight has this shape: a matrix is that of an nn.Linear, a vector that of an nn.LayerNorm."""
    if len(shape) == 1:
        return torch.nn.LayerNorm(shape[0], bias=bias)
    height, width = shape
    return torch.nn.Linear(width, height, bias=bias)


def _call(ask: Ask, asked: dict[str, Any], parameters: dict[str, Any], args: tuple, options: dict[str, Any]) -> Any:
    given = [parameters, list(args), options]
    copies: list[torch.Tensor] = []
    question = {**asked, "given": encode(plain(given), copies)}
    (count, answered, afterwards), tensors = ask(question, copies)
    if not TENSORS:
        _write_back([*args, *options.values()], decode(afterwards, tensors[count:]))
        return decode(answered, tensors[:count])
    live = list(tensors_in(given))

    def backward(upstream: Sequence[torch.Tensor | None]) -> list[torch.Tensor | None]:
        sent = list(copies)
        wanted, gradients = ask({**question, "upstream": encode([plain(gradient) for gradient in upstream], sent)}, sent)
        return decode(wanted, gradients)

    outputs = RemoteStep.apply(tensors[:count], backward, *live)
    _write_back([*args, *options.values()], decode(afterwards, tensors[count:]))
    return decode(answered, outputs)


def _write_back(mine: Iterable[Any], afterwards: Iterable[Any]) -> None:
    """Give tensors, and arrays, the values that a lent function, working on copies of them, left in its arguments."""
    for tensor, value in zip(mine, afterwards, strict=True):
        if isinstance(tensor, np.ndarray) and not TENSORS and not np.array_equal(tensor, value):
            tensor[...] = value
        if isinstance(tensor, torch.Tensor) and not torch.equal(tensor, value):
            with torch.no_grad():
                tensor.copy_(value)
