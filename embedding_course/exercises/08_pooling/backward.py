"""A driver that also asks for gradients: what comes back, and what arrives at the inputs."""

from collections.abc import Callable
from typing import Any

import torch

from ...checking.exercise import NamedParts


def with_gradients(*names: str) -> Callable[..., Any]:
    """Return a driver for functions whose first arguments have these names.

    The driver calls the answer. With `grad_output`, it also runs a backward pass and reports the gradient of each of these
    arguments.
    """

    def run(candidate: Callable[..., Any], *args: Any, grad_output: torch.Tensor | None = None, **options: Any) -> Any:
        if grad_output is None:
            return candidate(*args, **options)
        leaves = [arg.detach().requires_grad_() for arg in args[: len(names)]]
        result = candidate(*leaves, *args[len(names) :], **options)
        parts = NamedParts({"result": result})
        if isinstance(result, torch.Tensor) and result.requires_grad and result.shape == grad_output.shape:
            result.backward(grad_output)
        parts.update({f"gradient of {name}": leaf.grad for name, leaf in zip(names, leaves, strict=True)})
        return parts

    return run
