"""Translate unseen sentences with the learner's own encoder, decoder and greedy decoding, trained in the lesson."""

from collections.abc import Callable

import torch
from torch import nn

from .translation import ENGLISH, Text, right


def decode(
    encoder: nn.Module, decoder: nn.Module, greedy: Callable[..., list[list[int]]], found: Text
) -> tuple[list[str], torch.Tensor]:
    """Return the learner's translations, and which of them are right, (N,)."""
    english, width = ENGLISH(), int(found.chinese_lengths.max())
    rows = greedy(encoder, decoder, found.chinese[:, :width], found.chinese_lengths, 16, english.bos, english.eos)
    said = [english.decode(row) for row in rows]
    return said, right(said, found)
