"""Train a small CLIP: a tower for pictures of digits and a tower for captions.

The loss stays far above zero although the model is good. A batch of 128 holds about thirteen captions of each digit, and a
picture does not tell which of them is its own: the best possible model gives each of them the same probability. `floor`
computes the loss of that model.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import process_time
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ...data.digits_captions import LANGUAGES, Captioned, digits, prompts, vocabulary
from ..training import train as loop


@dataclass(frozen=True)
class Setting:
    """Hold the settings of a run. With `one_of_each`, a batch is ten pictures, one of each digit."""

    width: int = 32
    hidden: int = 128
    batch: int = 128
    steps: int = 500
    rate: float = 3e-3
    one_of_each: bool = False
    seed: int = 0


class Clip(nn.Module):
    """Map pictures (N, 64) and captions (lists of words) to unit vectors (N, d) in one space."""

    def __init__(self, width: int = 32, hidden: int = 128) -> None:
        super().__init__()
        self.words = nn.EmbeddingBag(len(vocabulary()), width, mode="mean")
        self.say = nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, width))
        self.see = nn.Sequential(nn.Linear(64, hidden), nn.ReLU(), nn.Linear(hidden, width))

    def look(self, pictures: torch.Tensor) -> torch.Tensor:
        """Return the unit vectors (N, d) of pictures (N, 64)."""
        return F.normalize(self.see(pictures), dim=-1)

    def read(self, captions: list[str]) -> torch.Tensor:
        """Return the unit vectors (N, d) of N captions."""
        rows = [vocabulary().encode(caption) for caption in captions]
        starts = torch.tensor([0, *[len(row) for row in rows[:-1]]]).cumsum(0)
        return F.normalize(self.say(self.words(torch.tensor([word for row in rows for word in row]), starts)), dim=-1)


@dataclass
class Trained:
    """Hold the model, loss and floor of each batch, the learned scale at each step, and the processor seconds."""

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
    """Train both towers with the learner's loss and scale.

    Parameters
    ----------
    clip_loss : Callable[[torch.Tensor], Any]
        The learner's loss.
    LogitScale : Callable[[], nn.Module]
        The learner's module.
    setting : Setting, optional
        The settings of the run.
    false_negative_mask : Callable[[torch.Tensor], torch.Tensor] or None, optional
        If given, other captions of the same digit are no negatives.
    title : str or None, optional
        With a title a bar shows the progress.
    """
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
    """Yield batches whose captions are drawn anew in every epoch, so that no picture is recognisable by its caption."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def __len__(self) -> int:
        return self.setting.steps

    def __iter__(self) -> Iterator[Captioned]:
        given, round_ = 0, 0
        while given < len(self):
            captioned = digits("train", seed=self.setting.seed * 10_000 + round_)
            for rows in self._rows(captioned)[: len(self) - given]:
                yield Captioned(
                    captioned.pictures[rows], captioned.digits[rows], [captioned.captions[row] for row in rows.tolist()]
                )
                given += 1
            round_ += 1

    def _rows(self, captioned: Captioned) -> list[torch.Tensor]:
        if not self.setting.one_of_each:
            whole = len(captioned.digits) // self.setting.batch
            return list(torch.arange(len(captioned.digits)).split(self.setting.batch))[:whole]
        rows_by_digit = [(captioned.digits == digit).nonzero().flatten() for digit in range(10)]
        return list(torch.stack([rows[: min(map(len, rows_by_digit))] for rows in rows_by_digit], dim=1))


def floor(labels: torch.Tensor) -> float:
    """Return the lowest CLIP loss of a batch with digits (N,), for a model that separates digits and nothing else.

    If a digit occurs n times in the batch, its n captions get the same probability, and the loss is ln n.

    Examples
    --------
    >>> round(floor(torch.tensor([3, 3, 5])), 4)  # (ln 2 + ln 2 + ln 1) / 3
    0.4621
    """
    same = (labels[:, None] == labels).sum(dim=1)
    return same.double().log().mean().item()


@torch.no_grad()
def zero_shot(model: Clip, pictures: torch.Tensor, captions: list[str]) -> torch.Tensor:
    """Return the index of the most similar caption for each picture, (N,)."""
    return (model.look(pictures) @ model.read(captions).T).argmax(dim=1)


def accuracy(model: Clip, template: str | None = None) -> dict[str, float]:
    """Return by language the accuracy on test pictures, with captions in the held-out template or in another one."""
    captioned = digits("test")
    return {
        language: (zero_shot(model, captioned.pictures, prompts(language, template)) == captioned.digits).float().mean().item()
        for language in LANGUAGES
    }
