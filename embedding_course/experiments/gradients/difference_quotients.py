"""Measure the error of a numeric gradient by the size of its step."""

from collections.abc import Sequence

import torch
import torch.nn.functional as F

from ...messages import translatable

#: (label, dtype, central). Forward: f(x + e) - f(x) over e. Central: f(x + e) - f(x - e) over 2e.
KINDS = (
    (translatable("central, float64"), torch.float64, True),
    (translatable("forward, float64"), torch.float64, False),
    (translatable("central, float32"), torch.float32, True),
)


def errors(steps: Sequence[float], dtype: torch.dtype, central: bool) -> list[float]:
    """Return for each step the largest error of the numeric gradient of a cross-entropy, as a fraction of the largest slope."""
    generator = torch.Generator().manual_seed(0)
    logits = 2 * torch.randn(4, 7, generator=generator, dtype=torch.float64)
    targets = torch.tensor([1, 5, 0, 5])
    exact = logits.clone().requires_grad_()
    F.cross_entropy(exact, targets).backward()
    assert exact.grad is not None
    slopes = exact.grad.flatten()
    largest = []
    for step in steps:
        estimate = torch.empty_like(slopes)
        for index in range(logits.numel()):
            shift = torch.zeros(logits.numel(), dtype=torch.float64)
            shift[index] = step
            shift = shift.view_as(logits)
            ahead = F.cross_entropy((logits + shift).to(dtype), targets).item()
            behind = F.cross_entropy((logits - shift if central else logits).to(dtype), targets).item()
            estimate[index] = (ahead - behind) / (2 * step if central else step)
        largest.append(((estimate - slopes).abs().max() / slopes.abs().max()).item())
    return largest
