"""Evaluate a task that needs attention and nothing else: reverse a row of words. The lesson defines model and training."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ..training import Run

WORDS, LENGTH, HEADS = 10, 8, 4


@dataclass(frozen=True)
class Outcome:
    """Hold the trained model, the loss of each step, and the accuracy on 1,000 new rows.

    The inputs of the model's `layer` are `parts(words)`: one tensor (B, T, d), or queries and a context.
    """

    model: Any
    losses: list[float]
    accuracy: float


@torch.no_grad()
def tried(model: nn.Module, run: Run) -> Outcome:
    """Return the outcome of a run."""
    words = torch.randint(WORDS, (1000, LENGTH))
    right = model.eval()(words).argmax(dim=-1) == words.flip(1)
    return Outcome(model, run.losses, right.float().mean().item())


@torch.no_grad()
def looks(
    outcome: Outcome, split: Callable[..., torch.Tensor], attend: Callable[..., tuple[torch.Tensor, ...]]
) -> torch.Tensor:
    """Return mean attention weights (heads, T, T) over 200 rows. `split` and `attend` are the learner's functions."""
    attention: Any = outcome.model.layer
    words = torch.randint(WORDS, (200, LENGTH), generator=torch.Generator().manual_seed(1))
    *_, read = parts = outcome.model.parts(words)
    if hasattr(attention, "qkv_proj"):
        asked = F.linear(parts[0], *_third(attention.qkv_proj, 0))
        keys = F.linear(read, *_third(attention.qkv_proj, 1))
    else:
        asked, keys = attention.q_proj(parts[0]), attention.k_proj(read)
    weights: torch.Tensor = attend(*(split(rows, HEADS) for rows in (asked, keys, keys)))[1]
    return weights.mean(dim=0)


def _third(layer: nn.Linear, index: int) -> tuple[torch.Tensor, torch.Tensor | None]:
    return layer.weight.chunk(3)[index], None if layer.bias is None else layer.bias.chunk(3)[index]
