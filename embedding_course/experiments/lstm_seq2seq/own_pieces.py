"""Translate unseen sentences with the learner's own encoder, decoder and greedy decoding, trained in the lesson."""

from collections.abc import Callable

import torch
from torch import nn

from .translation import ENGLISH, Text, right


def decode(
    encoder: nn.Module, decoder: nn.Module, greedy: Callable[..., list[list[int]]], texts: Text
) -> tuple[list[str], torch.Tensor]:
    """Return the learner's translations, and which of them are right, (N,).

    Parameters
    ----------
    encoder, decoder : nn.Module
        The learner's modules.
    greedy : Callable[..., list[list[int]]]
        The learner's greedy decoding, which returns the ids of each translation.
    texts : Text
        N pairs of sentences.
    """
    english, width = ENGLISH(), int(texts.chinese_lengths.max())
    rows = greedy(encoder, decoder, texts.chinese[:, :width], texts.chinese_lengths, 16, english.bos, english.eos)
    translations = [english.decode(row) for row in rows]
    return translations, right(translations, texts)
