"""Compute three possible gradients at a clipped row, and where they lead, by autograd instead of formulas."""

from collections.abc import Callable

import torch
import torch.nn as nn

#: The kinds of gradients, in the order of the panels: at the row as it stood, what PyTorch leaves, through the norm.
KINDS = ("as_it_stood", "pytorch", "through_norm")

Loss = Callable[[torch.Tensor], torch.Tensor]


def _scaled(rows: torch.Tensor, max_norm: float) -> torch.Tensor:
    """Return e = w · min(1, max_norm / |w|), which autograd can differentiate."""
    return rows * torch.clamp(max_norm / rows.norm(dim=-1, keepdim=True).clamp_min(1e-12), max=1.0)


def gradients(rows: torch.Tensor, loss: Loss, max_norm: float) -> dict[str, torch.Tensor]:
    """Return for each kind the gradient (N, 2) at the rows (N, 2); `loss` takes (N, 2) and returns one number for each row."""
    as_it_stood = rows.clone().requires_grad_()
    loss(as_it_stood).sum().backward()
    table = nn.Embedding(*rows.shape, max_norm=max_norm, _weight=rows.clone())
    loss(table(torch.arange(len(rows)))).sum().backward()
    differentiated = rows.clone().requires_grad_()
    loss(_scaled(differentiated, max_norm)).sum().backward()
    grads = [given.grad for given in (as_it_stood, table.weight, differentiated)]
    return {kind: grad for kind, grad in zip(KINDS, grads, strict=True) if grad is not None}


def paths(start: torch.Tensor, loss: Loss, max_norm: float, lr: float, steps: int) -> dict[str, torch.Tensor]:
    """Return the path of one row under SGD, with PyTorch's clipping and with a differentiated formula.

    PyTorch's path has two points for each step: the row after the lookup, and the row after the step.

    Parameters
    ----------
    start : torch.Tensor
        First value of the row, (2,).
    loss : Loss
        Takes rows (N, 2) and returns one loss for each row, (N,).
    max_norm : float
        Norm to which the row is clipped.
    lr : float
        Learning rate.
    steps : int
        Number of steps.
    """
    table = nn.Embedding(1, 2, max_norm=max_norm, _weight=start.clone()[None])
    sgd = torch.optim.SGD(table.parameters(), lr=lr)
    clipped = [start.clone()]
    for _ in range(steps):
        sgd.zero_grad()
        loss(table(torch.tensor([0]))).sum().backward()
        clipped.append(table.weight.detach()[0].clone())
        sgd.step()
        clipped.append(table.weight.detach()[0].clone())
    row = start.clone().requires_grad_()
    sgd = torch.optim.SGD([row], lr=lr)
    through = [start.clone()]
    for _ in range(steps):
        sgd.zero_grad()
        loss(_scaled(row, max_norm)[None]).sum().backward()
        sgd.step()
        through.append(row.detach().clone())
    return {KINDS[1]: torch.stack(clipped), KINDS[2]: torch.stack(through)}
