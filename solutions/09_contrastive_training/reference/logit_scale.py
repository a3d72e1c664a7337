"""The right answer to 09.LogitScale."""

import math

import torch
import torch.nn as nn


class LogitScale(nn.Module):
    """The factor between cosines and logits, learned together with the encoder.

    The module has one learned number, the logarithm of the scale: so the scale is positive, and a step of the
    optimizer changes it by a fraction of itself. The scale is never above maximum. When the learned number has been
    pushed past log(maximum), gradients still arrive, so that a few steps bring the scale below again.

    init       the scale before training, below maximum
    maximum    what the scale never exceeds
    forward()  the scale, a tensor of shape ()

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
