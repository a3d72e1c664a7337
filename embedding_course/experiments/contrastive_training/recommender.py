"""Train two towers for readers and books: a reader is the set of books that they took, a book is a row of a table.

It is the search engine again: the question is a reader, the answer a book. The reader's tower sees loans and no id of the
reader, so that it also works for new readers.

In-batch negatives are other readers' books, so popular books are negatives most often. The towers therefore learn
ln p(book | reader) - ln p(book): taste without popularity. To predict the next loan, ln p(book) must be added again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ...data.library_loans import Loans
from ..training import descend
from ..training import train as loop


@dataclass(frozen=True)
class Setting:
    """Hold the settings of a run."""

    width: int = 32
    batch: int = 256
    steps: int = 600
    rate: float = 5e-3
    decay: float = 0.1
    scale: float = 5.0
    seed: int = 0


class Towers(nn.Module):
    """Map loans (B, L) to readers (B, d) and books (N,) to books (N, d), all unit vectors."""

    def __init__(self, books: int, width: int = 32) -> None:
        super().__init__()
        self.table = nn.Embedding(books, width)
        self.taken = nn.EmbeddingBag(books, width, mode="mean")
        for table in (self.table, self.taken):
            nn.init.normal_(table.weight, std=0.1)

    def readers(self, taken: torch.Tensor) -> torch.Tensor:
        """Return the unit vectors (B, d) of readers from their loans (B, L)."""
        return F.normalize(self.taken(taken), dim=-1)

    def books(self, numbers: torch.Tensor) -> torch.Tensor:
        """Return the unit vectors (N, d) of books with these ids (N,)."""
        return F.normalize(self.table(numbers), dim=-1)


@dataclass
class Trained:
    """Hold the towers, the loss at every step, and the processor seconds."""

    towers: Towers
    setting: Setting
    losses: list[float]
    seconds: float


def train(
    info_nce: Callable[..., Any],
    loans: Loans,
    setting: Setting = Setting(),
    title: str | None = None,
) -> Trained:
    """Train the towers: one of a reader's loans is the answer, and some of the others are the question.

    Parameters
    ----------
    info_nce : Callable[..., Any]
        The learner's `info_nce(questions, answers, scale)`.
    loans : Loans
        The loans of all readers.
    setting : Setting, optional
        The settings of the run.
    title : str or None, optional
        With a title a bar shows the progress.
    """
    torch.manual_seed(setting.seed)
    start = process_time()
    towers = Towers(loans.books, setting.width)
    optimizer = torch.optim.AdamW(towers.parameters(), lr=setting.rate, weight_decay=setting.decay)
    readers, each = loans.taken.shape

    def step(_: int) -> float:
        rows = torch.randint(readers, (min(setting.batch, readers),))
        shuffled = loans.taken[rows[:, None], torch.rand(len(rows), each).argsort(dim=1)]
        known = shuffled[:, : max(each * 3 // 4, 1)] if each > 1 else shuffled
        loss = info_nce(towers.readers(known), towers.books(shuffled[:, -1]), setting.scale)
        return descend(optimizer, loss)

    run = loop(step, range(setting.steps), title)
    return Trained(towers.eval(), setting, run.losses, process_time() - start)


@torch.no_grad()
def scores(trained: Trained, loans: Loans, popularity: bool = True) -> torch.Tensor:
    """Return how well each book suits each reader (U, I); with `popularity`, logits of the next loan."""
    towers = trained.towers
    taste = trained.setting.scale * towers.readers(loans.taken) @ towers.books(torch.arange(loans.books)).T
    return taste + (loans.popularity() + 1.0).log() if popularity else taste


def popular(loans: Loans) -> torch.Tensor:
    """Return the scores of the baseline (U, I), which offers everybody the most popular books."""
    return loans.popularity().float().expand(len(loans.taken), -1)


def ceiling(loans: Loans) -> torch.Tensor:
    """Return the true probabilities that made the loans (U, I): no model can rank books better."""
    return loans.chances


def hide(scores: torch.Tensor, loans: Loans) -> torch.Tensor:
    """Return the scores with -inf for books that a reader has taken already."""
    return scores.masked_fill(loans.seen(), -torch.inf)
