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
    """Construct a module, set its parameters, and run it forward and backward.

    The driver of every exercise that asks for a class.

    Parameters
    ----------
    candidate : type of torch.nn.Module
        The class that answers the exercise.
    build : mapping of str to Any
        Arguments of its constructor, by name.
    weights : mapping of str to torch.Tensor
        Value of each parameter by its dotted name.
    inputs : mapping of str to Any
        Arguments of `forward`, by name.
    grad_output : torch.Tensor or None, optional
        Gradient of the output, in its shape; without it nothing runs backward.

    Returns
    -------
    NamedParts
        The output and, with `grad_output`, the gradients of the parameters in `weights` and of all floating inputs.

    Raises
    ------
    AttributeError
        If there is no parameter of such a name.
    ValueError
        If a parameter has another shape than its value.
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
