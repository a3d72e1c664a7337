"""Mask words of the micro-language's English sentences and train a Transformer to predict them; no labels are needed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ...data.micro import Vocabulary, micro_language
from ..training import Batches, Run
from ..training import train as loop

GAP = "[?]"  # This is the mask token.
LONGEST, PADDING = 13, 0


@cache
def words() -> Vocabulary:
    """Return the English vocabulary; the id of the mask token is the first one after it."""
    return micro_language().vocabulary["english"]


def encode(sentences: list[str]) -> torch.Tensor:
    """Return sentences as ids (N, 13), padded with 0; the mask token is written [?]."""
    ids = {**words().ids, GAP: len(words())}
    rows = [[ids[word] for word in sentence.split()] for sentence in sentences]
    return torch.tensor([row + [PADDING] * (LONGEST - len(row)) for row in rows])


@cache
def text(split: str, n: int | None = None) -> torch.Tensor:
    """Return the English sentences of a split as ids (N, 13), padded with 0."""
    return encode(micro_language().sentences("english", split, n))


def cover(rows: torch.Tensor, generator: torch.Generator, share: float = 0.15) -> tuple[torch.Tensor, torch.Tensor]:
    """Mask about `share` of the words, at least one in each row.

    Returns
    -------
    tuple
        The rows with mask tokens (N, T), and bool (N, T), true at masked words.
    """
    real = rows != PADDING
    hidden = (torch.rand(rows.shape, generator=generator) < share) & real
    at = (torch.rand(len(rows), generator=generator) * real.sum(dim=1)).long()
    hidden[torch.arange(len(rows)), at] = True
    return rows.masked_fill(hidden, len(words())), hidden


@dataclass(frozen=True)
class Setting:
    """Hold the sizes of a model and of its training. `change` is called with each block before training starts."""

    width: int = 48
    heads: int = 4
    layers: int = 2
    d_ff: int = 96
    norm: str = "pre"
    places: bool = True
    steps: int = 500
    batch: int = 128
    rate: float = 5e-3
    warm_up: bool = True
    change: Callable[[Any], None] | None = None
    seed: int = 0


class MaskedWords(nn.Module):
    """Map ids (B, T) to logits (B, T, V). `make_block(width, heads, d_ff, norm)` returns a block: `block(x, mask)`."""

    def __init__(self, make_block: Callable[..., nn.Module], setting: Setting) -> None:
        super().__init__()
        self.token_table = nn.Embedding(len(words()) + 1, setting.width)
        self.position_table = nn.Embedding(LONGEST, setting.width)
        for table in (self.token_table, self.position_table):
            nn.init.normal_(table.weight, std=0.1)
        self.blocks = nn.ModuleList(
            make_block(setting.width, setting.heads, setting.d_ff, setting.norm) for _ in range(setting.layers)
        )
        self.norm, self.output = nn.LayerNorm(setting.width), nn.Linear(setting.width, len(words()))
        self.knows_places = setting.places

    def states(self, ids: torch.Tensor) -> list[torch.Tensor]:
        """Return the vectors (B, T, d) before the first block and after each block."""
        x = self.token_table(ids)
        if self.knows_places:
            x = x + self.position_table.weight[: ids.shape[1]]
        states, seen = [x], (ids != PADDING)[:, None, None]  # (B, 1, 1, T): padding gets no attention.
        for block in self.blocks:
            states.append(block(states[-1], seen))
        return states

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return the logits (B, T, V) of ids (B, T)."""
        logits: torch.Tensor = self.output(self.norm(self.states(ids)[-1]))
        return logits


@dataclass
class Result:
    """Hold a trained model, losses and measurements of its run, and its accuracy on masked words of new sentences."""

    model: Any
    run: Run
    loss: float
    share: float
    parameters: int = field(init=False)

    def __post_init__(self) -> None:
        self.parameters = sum(parameter.numel() for parameter in self.model.parameters())


@torch.no_grad()
def held_out(model: nn.Module, n: int = 1000) -> tuple[float, float]:
    """Return the loss on masked words of `n` sentences of the validation split, in nats, and the accuracy."""
    rows, hidden = cover(text("valid", n), torch.Generator().manual_seed(1))
    logits, wanted = model(rows)[hidden], text("valid", n)[hidden]
    return F.cross_entropy(logits, wanted).item(), (logits.argmax(dim=-1) == wanted).float().mean().item()


def by_frequency(n: int = 1000) -> float:
    """Return the loss on the same words if each word is predicted with its frequency in the training text."""
    counts = text("train").flatten().bincount(minlength=len(words())).float()
    counts[PADDING] = 0
    _, hidden = cover(text("valid", n), torch.Generator().manual_seed(1))
    return -(counts / counts.sum())[text("valid", n)[hidden]].clamp(min=1e-9).log().mean().item()


def train(
    make_block: Callable[..., nn.Module], title: str | None = None, setting: Setting | None = None, every: int = 50
) -> Result:
    """Train a fresh model.

    Parameters
    ----------
    make_block : Callable[..., nn.Module]
        The learner's block, made by `make_block(width, heads, d_ff, norm)`.
    title : str or None, optional
        With a title a bar shows the progress.
    setting : Setting or None, optional
        Sizes of the model and of its training.
    every : int, optional
        Number of steps between two measurements of the held-out loss.
    """
    setting = setting or Setting()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(setting.seed)
        model = MaskedWords(make_block, setting)
        if setting.change is not None:
            for block in model.blocks:
                setting.change(block)
        optimizer = torch.optim.Adam(
            [parameter for parameter in model.parameters() if parameter.requires_grad], lr=setting.rate
        )
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, warm_up(setting.steps, setting.warm_up))
        generator = torch.Generator().manual_seed(setting.seed)

        def step(batch: tuple[torch.Tensor]) -> float:
            rows, hidden = cover(batch[0], generator)
            loss = F.cross_entropy(model(rows)[hidden], batch[0][hidden])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            return loss.item()

        batches = Batches((text("train"),), setting.batch, setting.steps, setting.seed)
        run = loop(step, batches, title, measure=lambda: held_out(model)[0], every=every)
        model.eval()
        return Result(model, run, *held_out(model))


def warm_up(steps: int, warm: bool = True) -> Callable[[int], float]:
    """Return a function from the step to the fraction of the learning rate.

    It rises to 1 in the first tenth of the steps (if `warm`), then falls to 0.
    """
    rising = steps // 10 if warm else 0

    def share(step: int) -> float:
        return min((step + 1) / max(rising, 1), (steps - step) / max(steps - rising, 1), 1.0)

    return share


@torch.no_grad()
def fill(model: nn.Module, sentence: str, k: int = 3) -> list[tuple[str, float]]:
    """Return the `k` most probable words for the first mask token of a sentence, with their probabilities."""
    row = encode([sentence])
    chances = model(row)[0, sentence.split().index(GAP)].softmax(dim=-1)
    best = chances.topk(k)
    return [(words().words[at], share) for at, share in zip(best.indices.tolist(), best.values.tolist(), strict=True)]
