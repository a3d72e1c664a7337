"""CLIP in small: a tower for pictures of digits and a tower for captions, trained until both say the same.

The loss stalls far above zero although the model is good. A batch of 128 holds about thirteen captions of each digit, and
nothing in a picture says which of them is its own: the best that any model can do is to share its bet among them. `floor`
computes what that costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import process_time
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ...data.digits_captions import LANGUAGES, Captioned, digits, prompts, vocabulary
from ..training import train as loop

__all__ = ["Clip", "Setting", "Trained", "accuracy", "floor", "train", "zero_shot"]


@dataclass(frozen=True)
class Setting:
    """A run. `one_of_each`: batches of ten pictures, one of each digit, instead of `batch` pictures as they come."""

    width: int = 32
    hidden: int = 128
    batch: int = 128
    steps: int = 500
    rate: float = 3e-3
    one_of_each: bool = False
    seed: int = 0


class Clip(nn.Module):
    """Pictures (N, 64) and captions (lists of words) to vectors of length 1 (N, d) in one space."""

    def __init__(self, width: int = 32, hidden: int = 128) -> None:
        super().__init__()
        self.words = nn.EmbeddingBag(len(vocabulary()), width, mode="mean")
        self.say = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.see = nn.Sequential(nn.Linear(64, hidden), nn.ReLU(), nn.Linear(hidden, width))

    def look(self, pictures: torch.Tensor) -> torch.Tensor:
        return F.normalize(self.see(pictures), dim=-1)

    def read(self, captions: list[str]) -> torch.Tensor:
        rows = [vocabulary().encode(caption) for caption in captions]
        starts = torch.tensor([0, *[len(row) for row in rows[:-1]]]).cumsum(0)
        return F.normalize(self.say(self.words(torch.tensor([word for row in rows for word in row]), starts)), dim=-1)


@dataclass
class Trained:
    """The model, its loss and the floor of each batch, the learned scale at each step, and the processor seconds."""

    model: Clip
    losses: list[float]
    floors: list[float]
    scales: list[float]
    seconds: float


def train(
    clip_loss: Callable[[torch.Tensor], Any],
    LogitScale: Callable[[], nn.Module],
    setting: Setting = Setting(),
    false_negative_mask: Callable[[torch.Tensor], torch.Tensor] | None = None,
    title: str | None = None,
) -> Trained:
    """Train both towers with the learner's loss and scale. With a mask, other captions of the same digit are left out."""
    torch.manual_seed(setting.seed)
    start = process_time()
    model, scale = Clip(setting.width, setting.hidden), LogitScale()
    optimizer = torch.optim.AdamW([*model.parameters(), *scale.parameters()], lr=setting.rate)
    floors: list[float] = []
    scales: list[float] = []

    def step(batch: Captioned) -> float:
        sharp = scale()
        logits = sharp * model.look(batch.pictures) @ model.read(batch.captions).T  # (B, B)
        if false_negative_mask is not None:
            logits = logits.masked_fill(false_negative_mask(batch.digits), -torch.inf)
        loss = clip_loss(logits)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        floors.append(0.0 if false_negative_mask is not None else floor(batch.digits))
        scales.append(sharp.item())
        return loss.item()

    run = loop(step, _Batches(setting), title)
    return Trained(model.eval(), run.losses, floors, scales, process_time() - start)


class _Batches:
    """Batches with captions that are drawn anew in every round, so that no picture can be known by its caption."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def __len__(self) -> int:
        return self.setting.steps

    def __iter__(self) -> Iterator[Captioned]:
        given, round_ = 0, 0
        while given < len(self):
            found = digits("train", seed=self.setting.seed * 10_000 + round_)
            for rows in self._rows(found)[: len(self) - given]:
                yield Captioned(found.pictures[rows], found.digits[rows], [found.captions[row] for row in rows.tolist()])
                given += 1
            round_ += 1

    def _rows(self, found: Captioned) -> list[torch.Tensor]:
        if not self.setting.one_of_each:
            whole = len(found.digits) // self.setting.batch
            return list(torch.arange(len(found.digits)).split(self.setting.batch))[:whole]
        places = [(found.digits == digit).nonzero().flatten() for digit in range(10)]
        return list(torch.stack([place[: min(map(len, places))] for place in places], dim=1))


def floor(labels: torch.Tensor) -> float:
    """The least CLIP loss of a batch with these digits (N,), for any model that tells digits apart and nothing else.

    Whose digit stands n times in the batch, bets on n captions alike and pays ln n.

    >>> round(floor(torch.tensor([3, 3, 5])), 4)  # (ln 2 + ln 2 + ln 1) / 3
    0.4621
    """
    same = (labels[:, None] == labels).sum(dim=1)
    return same.double().log().mean().item()


@torch.no_grad()
def zero_shot(model: Clip, pictures: torch.Tensor, captions: list[str]) -> torch.Tensor:
    """Which caption is most similar to each picture (N,)."""
    return (model.look(pictures) @ model.read(captions).T).argmax(dim=1)


def accuracy(model: Clip, template: str | None = None) -> dict[str, float]:
    """By language, the share of test pictures that are named rightly, in the held-out template (or another)."""
    found = digits("test")
    return {
        language: (zero_shot(model, found.pictures, prompts(language, template)) == found.digits).float().mean().item()
        for language in LANGUAGES
    }
