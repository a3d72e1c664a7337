"""What a call leaves behind in a weight and in torch, told by gradients: they are compared like any other result."""

from collections.abc import Callable
from typing import Any

import torch

from ...checking.exercise import Case, Mismatch


def gradient_at(weight: torch.Tensor) -> torch.Tensor | None:
    """What the sum of squares of `weight` sends back to it: None where it requires no gradient."""
    if not weight.requires_grad:
        return None
    with torch.enable_grad():
        return torch.autograd.grad((weight**2).sum(), weight)[0]


def gradient_of_a_product() -> torch.Tensor | None:
    """What 3 * (1, 2) sends back to the vector: None while torch records no gradients."""
    vector = torch.tensor([1.0, 2.0], requires_grad=True)
    product = 3 * vector
    return torch.autograd.grad(product.sum(), vector)[0] if product.requires_grad else None


def like_before(says: str) -> Callable[[Any, Any, Case], Mismatch | None]:
    """The rule for such a trace: a gradient where one is expected, and None where none is. `says` tells what was changed."""

    def rule(expected: torch.Tensor | None, got: Any, _: Case) -> Mismatch | None:
        return None if (expected is None) == (got is None) else Mismatch("property", says)

    return rule
