"""A driver that also asks for gradients: what comes back, and what arrives at the inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from ...compare import Fault, Same
from ...exercise import Case
from ...plain import Parts

__all__ = ["asks_for_gradients", "gradient_arrives", "has_graph", "with_gradients"]


def with_gradients(*names: str) -> Callable[..., Any]:
    """A driver for functions whose first arguments have these names. It plainly calls; with `grad_output` it also
    runs a backward pass and reports the gradient at each of them."""

    def run(candidate: Callable[..., Any], *args: Any, grad_output: torch.Tensor | None = None, **options: Any) -> Any:
        if grad_output is None:
            return candidate(*args, **options)
        leaves = [arg.detach().requires_grad_() for arg in args[: len(names)]]
        result = candidate(*leaves, *args[len(names) :], **options)
        graph = isinstance(result, torch.Tensor) and result.requires_grad
        parts = Parts({"result": result, "graph": graph})
        if graph and result.shape == grad_output.shape:
            result.backward(grad_output)
        parts.update({f"gradient of {name}": leaf.grad for name, leaf in zip(names, leaves, strict=True)})
        return parts

    return run


def has_graph(_: Any, got: Any, __: Case) -> Fault | None:
    """The rule for the part "graph"."""
    said = "the result carries no graph, so no gradient can flow back: was it detached, or made outside of torch?"
    return None if got is True else Fault("property", said)


def gradient_arrives(name: str) -> Callable[[Any, Any, Case], Fault | None]:
    """The rule for the part "gradient of `name`"."""

    def rule(expected: Any, got: Any, _: Case) -> Fault | None:
        if got is None:
            return Fault("property", f"no gradient reaches {name}")
        return Same().leaf(expected, got, f"the gradient of {name}")

    return rule


def asks_for_gradients(*names: str) -> Same:
    """The comparison that goes with the driver of these names."""
    return Same(rules={"graph": has_graph, **{f"gradient of {name}": gradient_arrives(name) for name in names}})
