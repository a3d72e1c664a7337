"""Rules for a backward pass: the result has a graph, and a gradient arrives at every leaf."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..messages import Code, Message
from ..subject.tensors import torch
from .compare import Comparison, Mismatch
from .exercise import Case

__all__ = ["NO_GRADIENT", "NO_GRAPH", "gradient_rules"]

Rule = Callable[[Any, Any, Case], Mismatch | None]

#: Said of a part without a graph.
NO_GRAPH = Message("No gradient can flow back from {part}: it carries no graph. Was it detached, or made outside of torch?")
NO_GRADIENT = Message("No gradient reaches {name}.")


def _gradient_arrives(name: str) -> Rule:
    """Return the rule for the part "gradient of `name`", to which no gradient and one of zeros are the same."""

    def rule(expected: torch.Tensor | None, got: Any, _: Case) -> Mismatch | None:
        nothing = expected is None or not expected.any()
        if isinstance(got, torch.Tensor):
            wanted = torch.zeros_like(got) if expected is None else expected
            # where the gradient is 0 in theory, rounding may leave a little
            return Comparison().leaf(wanted, got, Message("the gradient of {name}", name=Code(name)), 1e-5 if nothing else None)
        if nothing:
            return None
        return Mismatch("property", NO_GRADIENT.fill(name=Code(name)))

    return rule


def gradient_rules(*names: str) -> dict[str, Rule]:
    """Return the rule for the gradient of each of these leaves, by the name of its part."""
    return {f"gradient of {name}": _gradient_arrives(name) for name in names}
