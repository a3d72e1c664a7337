"""Backward passes in drivers: which gradient reaches which tensor."""

from collections.abc import Iterable, Mapping
from typing import Any

import torch


def gradients(
    ends: Iterable[tuple[Any, torch.Tensor | None]], leaves: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor | None]:
    """Start at the results in `ends`, each with the gradient that arrives there; None means that none does.

    Returns "gradient of <name>" for every leaf: None where nothing reaches it. A sparse one, as an nn.Embedding may give,
    is spread out.
    """
    started = [
        (end, grad.to(end.dtype))
        for end, grad in ends
        if grad is not None and isinstance(end, torch.Tensor) and end.requires_grad and end.shape == grad.shape
    ]
    asked = {name: leaf for name, leaf in leaves.items() if leaf.requires_grad}
    found: dict[str, torch.Tensor | None] = {f"gradient of {name}": None for name in leaves}
    if started and asked:
        results, arriving = zip(*started, strict=True)
        reached = torch.autograd.grad(results, list(asked.values()), arriving, allow_unused=True)
        for name, grad in zip(asked, reached, strict=True):
            found[f"gradient of {name}"] = grad.to_dense() if grad is not None and grad.is_sparse else grad
    return found
