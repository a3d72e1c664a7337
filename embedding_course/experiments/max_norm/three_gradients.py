"""Three gradients that one could take at a row that is clipped, and where they lead: computed by autograd, not by formula."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn as nn

__all__ = ["KINDS", "gradients", "paths"]

#: In the order of the panels.
KINDS = ("at the row as it stood", "what PyTorch leaves", "through the norm")

Loss = Callable[[torch.Tensor], torch.Tensor]


def _scaled(rows: torch.Tensor, max_norm: float) -> torch.Tensor:
    """The formula e = w · min(1, max_norm / |w|), which autograd can see through."""
    return rows * torch.clamp(max_norm / rows.norm(dim=-1, keepdim=True).clamp_min(1e-12), max=1.0)


def gradients(rows: torch.Tensor, loss: Loss, max_norm: float) -> dict[str, torch.Tensor]:
    """For each kind the gradient (N, 2) at each of the rows (N, 2); `loss` takes (N, 2) and returns one number a row."""
    as_it_stood = rows.clone().requires_grad_()
    loss(as_it_stood).sum().backward()
    table = nn.Embedding(*rows.shape, max_norm=max_norm, _weight=rows.clone())
    loss(table(torch.arange(len(rows)))).sum().backward()
    differentiated = rows.clone().requires_grad_()
    loss(_scaled(differentiated, max_norm)).sum().backward()
    found = [given.grad for given in (as_it_stood, table.weight, differentiated)]
    return {kind: grad for kind, grad in zip(KINDS, found, strict=True) if grad is not None}


def paths(start: torch.Tensor, loss: Loss, max_norm: float, lr: float, steps: int) -> dict[str, torch.Tensor]:
    """The way of one row under SGD, with PyTorch's clipping and with a formula that is differentiated.

    PyTorch's path has two points a step: the row as the lookup left it, and the row after the step.
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
