"""Translate unseen sentences with the learner's own encoder and decoder, trained in the lesson."""

import torch
from torch import nn

from .translation import ENGLISH, Text, right

#: Largest number of words that are written.
MAX_WORDS = 16


@torch.no_grad()
def decode(encoder: nn.Module, decoder: nn.Module, texts: Text) -> tuple[list[str], torch.Tensor]:
    """Return the learner's translations, decoded greedily, and which of them are right, (N,).

    Parameters
    ----------
    encoder, decoder : nn.Module
        The learner's modules.
    texts : Text
        N pairs of sentences.
    """
    english, width = ENGLISH(), int(texts.chinese_lengths.max())
    state = encoder(texts.chinese[:, :width], texts.chinese_lengths)[1]
    ids = torch.full((len(texts.chinese), 1), english.bos)
    for _ in range(MAX_WORDS):
        scores, state = decoder(ids[:, -1:], state)
        ids = torch.cat([ids, scores[:, -1].argmax(dim=-1, keepdim=True)], dim=1)
    translations = [english.decode(row[1:]) for row in ids.tolist()]
    return translations, right(translations, texts)
