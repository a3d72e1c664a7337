"""The right answer to 04.train_step."""

from collections.abc import Callable

import torch
import torch.nn as nn


def train_step(
    model: nn.Module,
    batch: tuple[torch.Tensor, torch.Tensor],
    loss_fn: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    optimizer: torch.optim.Optimizer,
) -> float:
    """Train a model on one batch: one full step of the optimizer.

    Old gradients must not change the result: clear them.

    model      called with the batch's inputs; it is not put into eval mode. What it returns goes to loss_fn
               unchanged: a tensor, a tuple, ...
    batch      a pair (x, y), tuple or list: inputs and targets; y may be None
    loss_fn    takes the model's output and y, in this order, and returns a 0-d tensor; the loss may be negative
    optimizer  a torch optimizer over the model's parameters; it keeps its memory from step to step
    returns    the loss of this batch before the step, as a float

    With w = 2, x = 1 and the loss out², the gradient is 4:

    >>> model = nn.Linear(1, 1, bias=False)
    >>> _ = nn.init.constant_(model.weight, 2.0)
    >>> optimizer = torch.optim.SGD(model.parameters(), lr=0.25)
    >>> train_step(model, (torch.ones(1, 1), None), lambda out, y: (out**2).mean(), optimizer)
    4.0
    >>> model.weight.item()
    1.0
    """
    x, y = batch
    optimizer.zero_grad()
    loss = loss_fn(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()
