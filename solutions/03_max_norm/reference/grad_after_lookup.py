"""The right answer to 03.grad_after_lookup."""

from collections.abc import Callable

import torch


def grad_after_lookup(
    weight: torch.Tensor, ids: torch.Tensor, grad_fn: Callable[[torch.Tensor], torch.Tensor], max_norm: float
) -> torch.Tensor:
    """Return the gradient that PyTorch leaves in a table with max_norm after a lookup and a backward pass.

    The embedding is `torch.nn.Embedding(V, d, max_norm=max_norm)` with `weight` as its table. The lookup is
    `out = embedding(ids)`. The gradient of the loss at `out` is given: `grad_fn(out)` returns it.
    Do not differentiate `grad_fn`.

    weight    (V, d) floating tensor without requires_grad, also afterwards
    ids       int64 tensor of any shape, repeats allowed
    grad_fn   takes the whole of out, (*ids.shape, d), and returns the gradient of the loss at out, same shape
    max_norm  the greatest norm a looked-up row may have, in the 2-norm
    returns   (V, d) gradient; rows that were not looked up have 0

    For the loss sum(out ** 2) the gradient at out is 2 * out. PyTorch first clips row (3, 4) to (0.6, 0.8):

    >>> weight = torch.tensor([[3.0, 4.0], [1.0, 2.0]])
    >>> grad_after_lookup(weight, torch.tensor([0]), lambda out: 2 * out, max_norm=1.0)
    tensor([[1.2000, 1.6000],
            [0.0000, 0.0000]])
    """
    table = weight.renorm(2, 0, max_norm)  # a copy; rows that nobody looks up do not matter
    grad_output = grad_fn(table[ids])  # (*ids.shape, d)
    width = weight.shape[1]
    return torch.zeros_like(table).index_add_(0, ids.reshape(-1), grad_output.reshape(-1, width))
