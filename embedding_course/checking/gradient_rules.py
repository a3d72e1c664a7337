"""What a backward pass must bring: a graph to go through, and a gradient at every leaf."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..subject.tensors import torch
from .compare import Comparison, Mismatch
from .exercise import Case

__all__ = ["gradient_rules", "has_graph"]

Rule = Callable[[Any, Any, Case], Mismatch | None]


def has_graph(what: str = "result") -> Rule:
    """The rule for the part "graph": does the `what` of the answer have one?"""

    def rule(_: Any, got: Any, __: Case) -> Mismatch | None:
        said = f"the {what} carries no graph, so no gradient can flow back: was it detached, or made outside of torch?"
        return None if got is True else Mismatch("property", said)

    return rule


def _gradient_arrives(name: str) -> Rule:
    """The rule for the part "gradient of `name`", to which no gradient and one of zeros are the same."""

    def rule(expected: torch.Tensor | None, got: Any, _: Case) -> Mismatch | None:
        nothing = expected is None or not expected.any()
        if isinstance(got, torch.Tensor):
            wanted = torch.zeros_like(got) if expected is None else expected
            # where the gradient is 0 in theory, rounding may leave a little
            return Comparison().leaf(wanted, got, f"the gradient of {name}", 1e-5 if nothing else None)
        if nothing:
            return None
        return Mismatch("property", f"no gradient reaches {name}")

    return rule


def gradient_rules(*names: str) -> dict[str, Rule]:
    """Such a rule for each of these leaves."""
    return {f"gradient of {name}": _gradient_arrives(name) for name in names}
