"""Wrap a layer that takes a mask as a model that takes x alone, which is what `leaks` expects."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn


class Causal(nn.Module):
    """Map x (B, T, d) to `layer(x, mask=mask(T))`."""

    def __init__(self, layer: nn.Module, mask: Callable[[int], torch.Tensor]) -> None:
        super().__init__()
        self.layer, self.mask = layer, mask

    def forward(self, x: torch.Tensor) -> Any:
        """Return the output of the layer for x (B, T, d)."""
        return self.layer(x, mask=self.mask(x.shape[1]))
