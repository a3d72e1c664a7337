"""Drivers: functions from (candidate, inputs) to plain data, which call a learner's code.

A driver runs in the learner's process, so it must hold no answer: it calls the learner's code and returns the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..subject.tensors import torch
from .wire_data import NamedParts

__all__ = ["call", "in_place", "module"]


def call(candidate: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Call and return: the driver of every exercise that asks for a plain function."""
    return candidate(*args, **options)


def in_place(position: int, label: str, returns: str | None = None) -> Callable[..., NamedParts]:
    """Return a driver for functions that change their argument at `position`, which is reported under `label`.

    With `returns`, what the function returned is reported under that name too; otherwise it does not matter.
    """

    def run(candidate: Callable[..., Any], *args: Any, **options: Any) -> NamedParts:
        result = candidate(*args, **options)
        parts = NamedParts({returns: result}) if returns else NamedParts()
        parts[label] = args[position]
        return parts

    return run


def module(
    candidate: type[torch.nn.Module],
    build: Mapping[str, Any],
    weights: Mapping[str, torch.Tensor],
    inputs: Mapping[str, Any],
    grad_output: torch.Tensor | None = None,
) -> NamedParts:
    """Return a driver for classes: construct with `build`, set parameters by dotted name, run forward and backward.

    Reports the output and, with `grad_output` (in the output's shape), the gradient that reaches every named
    parameter and every floating input. Raises AttributeError when a parameter of that name does not exist.
    """
    model = candidate(**build).eval()
    for name, value in weights.items():
        parameter = model.get_parameter(name)
        if parameter.shape != value.shape:
            raise ValueError(f"{name} has shape {tuple(parameter.shape)}, wanted is {tuple(value.shape)}")
        parameter.data.copy_(value)
    given = {
        name: value.clone().requires_grad_() if isinstance(value, torch.Tensor) and value.is_floating_point() else value
        for name, value in inputs.items()
    }
    output = model(**given)
    parts = NamedParts({"output": output})
    if grad_output is not None:
        output.backward(grad_output)
        parts.update({f"gradient of {name}": model.get_parameter(name).grad for name in weights})
        parts.update(
            {
                f"gradient of {name}": value.grad
                for name, value in given.items()
                if isinstance(value, torch.Tensor) and value.is_floating_point()
            }
        )
    return parts
