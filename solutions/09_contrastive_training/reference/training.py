"""Right answers: a learned scale and a schedule."""

import math

import torch
import torch.nn as nn


class LogitScale(nn.Module):
    """The factor between cosines and logits, learned together with the encoder.

    The module has one learned number, the logarithm of the scale: so the scale is positive, and a step of the
    optimizer changes it by a share of itself. The scale is never above maximum. When the learned number has been
    pushed past log(maximum), gradients still arrive, so that a few steps bring the scale below again.

    init     the scale before training, below maximum
    maximum  what the scale never exceeds
    forward() returns the scale, a tensor of shape ()

    >>> LogitScale(init=20.0)().item()
    20.0

    Source: Radford et al., Learning Transferable Visual Models From Natural Language Supervision, 2021.
    """

    def __init__(self, init: float = 14.2857, maximum: float = 100.0) -> None:
        super().__init__()
        self.log = nn.Parameter(torch.tensor(math.log(init)))
        self.maximum = maximum

    def forward(self) -> torch.Tensor:
        """The scale: a 0-d tensor with a graph."""
        with torch.no_grad():
            self.log.clamp_(max=math.log(self.maximum))
        return self.log.exp()


def warmup_cosine(step: int, warmup: int, total: int, peak: float, floor: float = 0.0) -> float:
    """The learning rate at a step: up in a straight line, then down along half a wave of the cosine.

    step     0, 1, 2, ...; it may exceed total
    warmup   the step at which the peak is reached, 0 < warmup < total; the line starts from 0 at step 0
    total    the step at which the floor is reached; from there on the rate stays at the floor
    peak     the largest rate
    floor    where the wave ends
    returns  in the warm-up peak * step / warmup; then floor + (peak - floor) (1 + cos(pi p)) / 2, where p is the
             share of the steps from warmup to total that has passed

    >>> [round(warmup_cosine(step, 2, 6, peak=1.0, floor=0.2), 3) for step in (0, 1, 2, 4, 6, 9)]
    [0.0, 0.5, 1.0, 0.6, 0.2, 0.2]
    """
    if step < warmup:
        return peak * step / warmup
    passed = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * passed)) / 2
