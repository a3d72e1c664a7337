"""Measure which rows of a table an optimizer moves, with PyTorch's own optimizers, step by step."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import torch
from torch import nn

LEARNING_RATE = 0.01

#: The five optimizers of the exercise `moved_rows`. Only AdamW has weight decay, 0.01.
OPTIMIZERS: dict[str, Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer]] = {
    "sgd": lambda table: torch.optim.SGD(table, lr=LEARNING_RATE),
    "sgd-momentum": lambda table: torch.optim.SGD(table, lr=LEARNING_RATE, momentum=0.9),
    "adam": lambda table: torch.optim.Adam(table, lr=LEARNING_RATE),
    "adamw": lambda table: torch.optim.AdamW(table, lr=LEARNING_RATE, weight_decay=0.01),
    "sparse-adam": lambda table: torch.optim.SparseAdam(list(table), lr=LEARNING_RATE),
}

#: A table of eight words: (Chinese, English).
WORDS = (
    ("我", "I"),
    ("爱", "love"),
    ("喜欢", "like"),
    ("讨厌", "hate"),
    ("爸爸", "dad"),
    ("妈妈", "mum"),
    ("玩具", "toys"),
    ("狗", "dog"),
)

#: Twelve batches of one sentence. 讨厌 occurs in the second only, 狗 never.
SENTENCES = (
    "我 喜欢 玩具",
    "我 讨厌 玩具",
    "我 爱 爸爸",
    "我 爱 妈妈",
    "妈妈 爱 我",
    "爸爸 爱 妈妈",
    "我 爱 我",
    "我 爱 妈妈",
    "妈妈 爱 爸爸",
    "我 爱 爸爸",
    "爸爸 爱 我",
    "我 爱 妈妈",
)


@dataclass(frozen=True)
class Movement:
    """Hold what one optimizer did.

    `distance` (steps, V) is how far each row moved in each step (L2), `moved` (steps, V) whether any bit of it changed in that
    step, `differs` (V,) whether it ends with another value than it began with.
    """

    optimizer: str
    distance: torch.Tensor
    moved: torch.Tensor
    differs: torch.Tensor


def movement(name: str, history: Sequence[torch.Tensor], num_embeddings: int, width: int = 8) -> Movement:
    """Train an `nn.Embedding` with N(0, 1) rows, and record how every row moves.

    The loss is the sum over the looked-up vectors, each multiplied by a random vector, so that the gradient of every looked-up
    row is nonzero and that of all others is zero.

    Parameters
    ----------
    name : str
        Name of an optimizer in `OPTIMIZERS`.
    history : Sequence[torch.Tensor]
        Ids of the batch of each step.
    num_embeddings : int
        Number of rows of the table.
    width : int, optional
        Number of dimensions of a row.
    """
    generator = torch.Generator().manual_seed(0)
    start = torch.randn(num_embeddings, width, generator=generator)
    table = nn.Embedding.from_pretrained(start.clone(), freeze=False, sparse=name == "sparse-adam")
    stepper = OPTIMIZERS[name](table.parameters())
    distance, moved = [], []
    for ids in history:
        before = table.weight.detach().clone()
        slope = torch.randn(*ids.shape, width, generator=generator) / ids.numel()
        stepper.zero_grad()
        (table(ids) * slope).sum().backward()
        stepper.step()
        distance.append((table.weight.detach() - before).norm(dim=1))
        moved.append((table.weight.detach() != before).any(dim=1))
    differs = (table.weight.detach() != start).any(dim=1)
    return Movement(name, torch.stack(distance), torch.stack(moved), differs)


def further_travel(name: str, steps: int = 300, seen_at: int = 1) -> torch.Tensor:
    """Return the distance (steps,) of a row from its start, in learning rates, after one gradient of 1 in step `seen_at`."""
    row = nn.Parameter(torch.ones(1, dtype=torch.float64))
    stepper = OPTIMIZERS[name]([row])
    if seen_at > 1:  # Steps before the gradient leave all means at zero and are only counted.
        row.grad = torch.zeros_like(row)
        stepper.step()
        if "step" in stepper.state[row]:
            stepper.state[row]["step"].fill_(seen_at - 1)
    path = []
    for step in range(steps):
        row.grad = torch.ones_like(row) if step == 0 else torch.zeros_like(row)
        stepper.step()
        path.append((1 - row.item()) / LEARNING_RATE)
    return torch.tensor(path)
