"""Encode a pair of sentences as BERT does: 狗很可爱 and 这只狗是我的 (Dogs are cute. This dog is mine)."""

import torch

#: The tokens, BERT's special ones among them.
WORDS = ("[CLS]", "狗", "很", "可爱", "[SEP]", "这", "只", "狗", "是", "我", "的", "[SEP]")
_ENGLISH = ("", "dog", "very", "cute", "", "this", "(counts)", "dog", "is", "I", "'s", "")
#: The same tokens with their English.
GLOSSED = tuple(zip(WORDS, _ENGLISH, strict=True))
PARTS = torch.tensor([[0] * 5 + [1] * 7])


def ids() -> torch.Tensor:
    """Return the ids (1, 12) of the pair: equal words have equal ids."""
    vocab = {word: index for index, word in enumerate(dict.fromkeys(WORDS))}
    return torch.tensor([[vocab[word] for word in WORDS]])


def tables(width: int = 12, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return random tables of words, of 16 positions and of two segments; words have the largest values."""
    generator = torch.Generator().manual_seed(seed)
    words, positions, parts = (torch.randn(rows, width, generator=generator) for rows in (len(set(WORDS)), 16, 2))
    return words, 0.6 * positions, 0.6 * parts
