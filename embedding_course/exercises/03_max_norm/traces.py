"""What a call leaves behind in a weight and in torch, told by gradients: they are compared like any other result."""

from collections.abc import Callable
from typing import Any

import torch

from ...checking.exercise import Case, Mismatch
from ...messages import Message


def gradient_at(weight: torch.Tensor) -> torch.Tensor | None:
    """Return the gradient of the sum of squares of `weight` at `weight`, or None if it requires no gradient."""
    if not weight.requires_grad:
        return None
    with torch.enable_grad():
        return torch.autograd.grad((weight**2).sum(), weight)[0]


def gradient_of_a_product() -> torch.Tensor | None:
    """Return the gradient of the sum of 3 * (1, 2) at the vector, or None while torch records no gradients."""
    vector = torch.tensor([1.0, 2.0], requires_grad=True)
    product = 3 * vector
    return torch.autograd.grad(product.sum(), vector)[0] if product.requires_grad else None


def like_before(says: Message) -> Callable[[Any, Any, Case], Mismatch | None]:
    """Return the rule that a gradient is None just where None is expected; `says` tells what was changed."""

    def rule(expected: torch.Tensor | None, got: Any, _: Case) -> Mismatch | None:
        return None if (expected is None) == (got is None) else Mismatch("property", says)

    return rule
