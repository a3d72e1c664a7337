"""The learner's own encoder, decoder, shift and loss, trained on the same sentences as the course's model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import torch
from torch import nn

from ..training import Batches
from ..training import train as loop
from .translation import CHINESE, ENGLISH, Setting, Text, descent, right, text

__all__ = ["Pieces", "decode", "train_pieces"]


@dataclass(frozen=True)
class Pieces:
    """A trained pair, and the loss at every step."""

    encoder: nn.Module
    decoder: nn.Module
    losses: list[float]


def train_pieces(
    encoder_class: Callable[..., Any],
    decoder_class: Callable[..., Any],
    shift: Callable[..., Any],
    loss_of: Callable[..., Any],
    title: str | None = None,
    setting: Setting = Setting(),  # noqa: B008  it is frozen
) -> Pieces:
    """Build an encoder and a decoder and train them; `shift` and `loss_of` are called as exercises 05 say."""
    torch.manual_seed(setting.seed)
    chinese, english = CHINESE(), ENGLISH()
    encoder = encoder_class(len(chinese), setting.width, setting.hidden, pad=0)
    decoder = decoder_class(len(english), setting.width, setting.hidden, pad=0)
    descend = descent([*chain(encoder.parameters(), decoder.parameters())], setting)

    def step(rows: Sequence[torch.Tensor]) -> float:
        source, lengths, target, there = rows
        fed, wanted = shift(target[:, : int(there.max())], english.bos, english.eos, 0)
        _, state = encoder(source[:, : int(lengths.max())], lengths)
        return descend(loss_of(decoder(fed, state)[0], wanted, 0))

    run = loop(step, Batches(text("train", setting.pairs).tensors, setting.batch, setting.steps, setting.seed), title)
    return Pieces(encoder.eval(), decoder.eval(), run.losses)


def decode(pieces: Pieces, greedy: Callable[..., list[list[int]]], found: Text) -> tuple[list[str], torch.Tensor]:
    """The learner's translations, and which of them are right (N,)."""
    english, width = ENGLISH(), int(found.chinese_lengths.max())
    rows = greedy(pieces.encoder, pieces.decoder, found.chinese[:, :width], found.chinese_lengths, 16, english.bos, english.eos)
    said = [english.decode(row) for row in rows]
    return said, right(said, found)
