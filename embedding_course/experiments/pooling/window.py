"""Train a small reader that answers one question about who passed the window: word vectors, a pooling, a linear layer.

With `layers=0` a word's vector does not depend on its context. With layers, words attend to one another first (PyTorch's
Transformer layers). The pooling is the learner's, or any function with its signature.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import torch
import torch.nn.functional as F
from torch import nn

from ...data.sentence_tasks import LENGTHS, TASKS, sentence_tasks, vocabulary
from ..training import Batches, descend
from ..training import train as loop
from .padding import checked_mask, pad

Pool = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
#: Largest width of a padded batch.
FURTHEST = 96


class Reader(nn.Module):
    """Map ids (B, T), padded on the right, and their mask (B, T) to the logit of "yes" (B,)."""

    def __init__(self, pool: Pool, layers: int = 0, width: int = 32) -> None:
        super().__init__()
        self.pool = pool
        self.words = nn.Embedding(len(vocabulary()), width)
        self.places = nn.Embedding(FURTHEST, width) if layers else None
        layer = nn.TransformerEncoderLayer(width, 2, 2 * width, dropout=0.0, batch_first=True)
        self.body = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False) if layers else None
        self.answer = nn.Linear(width, 1)

    def tokens(self, ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Return the vector of every token (B, T, d), at padding too. Attention itself is masked."""
        real = checked_mask(attention_mask, ids.shape)
        x = self.words(ids)
        if self.body is None or self.places is None:
            return x
        return self.body(x + self.places.weight[: ids.shape[1]], src_key_padding_mask=~real)

    def vectors(self, ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Return one vector for each text, (B, d)."""
        return self.pool(self.tokens(ids, attention_mask), attention_mask)

    def forward(self, ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
        """Return the logit of "yes" for each text, (B,)."""
        return self.answer(self.vectors(ids, attention_mask)).squeeze(1)


@dataclass(frozen=True)
class Trained:
    """Hold a reader, the loss of every step, and the accuracy on the test texts."""

    reader: Reader
    losses: list[float]
    accuracy: float


@cache
def texts(split: str, task: str, size: int | None = None) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ids (N, T), attention mask (N, T) and float answers (N,), padded on the right to the longest text of all."""
    walks = sentence_tasks(split, size)
    ids, mask = pad([vocabulary().encode(walk.text) for walk in walks], width=max(LENGTHS))
    return ids, mask, torch.tensor([float(getattr(walk, task)) for walk in walks])


def train(
    pool: Pool,
    task: str,
    *,
    layers: int = 0,
    steps: int = 300,
    batch: int = 64,
    seed: int = 0,
    title: str | None = None,
) -> Trained:
    """Train a fresh reader on one of the four questions. The same arguments give the same reader.

    Parameters
    ----------
    pool : Pool
        The learner's pooling, from vectors (B, T, d) and a mask (B, T) to vectors (B, d).
    task : str
        One of `TASKS`.
    layers : int, optional
        Number of attention layers below the pooling.
    steps : int, optional
        Number of steps.
    batch : int, optional
        Number of texts in a batch.
    seed : int, optional
        Seed of the reader and of the batches.
    title : str or None, optional
        With a title a bar shows the progress.

    Raises
    ------
    ValueError
        For an unknown task.
    """
    if task not in TASKS:
        raise ValueError(f"no task {task!r}: there are {', '.join(TASKS)}")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        reader = Reader(pool, layers)
        optimizer = torch.optim.Adam(reader.parameters(), lr=1e-2 if layers == 0 else 3e-3)

        def step(rows: Sequence[torch.Tensor]) -> float:
            ids, mask, wanted = rows
            longest = int(mask.sum(dim=1).max())
            loss = F.binary_cross_entropy_with_logits(reader(ids[:, :longest], mask[:, :longest]), wanted)
            return descend(optimizer, loss)

        run = loop(step, Batches(texts("train", task), batch, steps, seed), title)
    return Trained(reader.eval(), run.losses, accuracy(reader, task))


@torch.no_grad()
def accuracy(reader: Reader, task: str, extra: int = 0) -> float:
    """Return the accuracy on the 1,000 test texts, with `extra` columns of padding more than in training."""
    ids, mask, wanted = texts("test", task)
    ids, mask = F.pad(ids, (0, extra)), F.pad(mask, (0, extra))
    return ((reader(ids, mask) > 0) == wanted.bool()).float().mean().item()
