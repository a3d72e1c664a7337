"""A step of autograd's graph whose values and gradients somebody else computes."""

from collections.abc import Callable
from typing import Any

import torch


class RemoteStep(torch.autograd.Function):
    """A step of the graph that was computed elsewhere, as its gradients will be."""

    @staticmethod
    def forward(ctx: Any, outputs: list[torch.Tensor], backward: Callable, *_: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return the outputs as they are, and keep the function that computes their gradients.

        Parameters
        ----------
        ctx : Any
            Context of the autograd function.
        outputs : list of torch.Tensor
            Results that were computed elsewhere.
        backward : callable
            Called in the backward pass, returns the gradients of the inputs.
        *_ : torch.Tensor
            Inputs of the computation, named here so that autograd connects them with the outputs.
        """
        ctx.asks = backward
        ctx.mark_non_differentiable(*[output for output in outputs if not output.is_floating_point()])
        return tuple(outputs)

    @staticmethod
    def backward(ctx: Any, *upstream: torch.Tensor | None) -> Any:
        """Return the gradients that the kept function computes from those of the outputs."""
        return None, None, *ctx.asks(upstream)
