"""Three sentences, small enough for a neural language model to be computed by hand.

A tutorial on Bengio's model works on them: two words predict the third. The sentences, the input and every number that
it prints are kept here as it gives them, the wrong ones too. Its weight matrices are not: the ones below are our own,
with one decimal each, chosen so that they lead to the very numbers that a recomputation of its example gives.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["GLOSSES", "IDS", "INPUT", "PRINTED", "SENTENCES", "TRANSLATIONS", "WEIGHTS", "WORDS", "Printed", "Weights"]

SENTENCES = ("我 喜欢 玩具", "我 爱 爸爸", "我 讨厌 挨打")
TRANSLATIONS = ("I like toys", "I love dad", "I hate being beaten")  # of three lengths, two of them equal: 3, 3, 4

#: Each word once, by first appearance. Through a set, as the tutorial does it, the ids differ from run to run.
WORDS = tuple(dict.fromkeys(word for sentence in SENTENCES for word in sentence.split()))
IDS = {word: index for index, word in enumerate(WORDS)}
GLOSSES = dict(zip(WORDS, ("I", "like", "toys", "love", "dad", "hate", "being beaten"), strict=True))

INPUT = (0.3, 0.4, 0.7, 0.8)  # the vectors of 我 and 喜欢, one after the other


class Weights(NamedTuple):
    """All 45 numbers of the model: 7 · 2 + (2 · 4 + 2) + (7 · 2 + 7)."""

    embedding: tuple[tuple[float, ...], ...]  # (V 7, d 2)
    hidden: tuple[tuple[float, ...], ...]  # (2, 4)
    hidden_bias: tuple[float, ...]
    output: tuple[tuple[float, ...], ...]  # (V 7, 2)
    output_bias: tuple[float, ...]


WEIGHTS = Weights(
    embedding=((0.3, 0.4), (0.7, 0.8), (0.5, -0.1), (0.6, 0.2), (-0.2, 0.9), (-0.7, -0.5), (0.1, -0.8)),
    hidden=((0.5, -0.2, 0.1, 0.3), (-0.4, 0.1, -0.2, -0.3)),
    hidden_bias=(0.2, 0.2),
    output=((0.2, -0.3), (0.4, 0.1), (-0.5, 0.6), (0.8, -0.2), (-0.9, 0.2), (0.7, -1.1), (-1.0, -0.3)),
    output_bias=(0.1, 0.2, -0.3, 0.5, -0.5, 0.4, -0.1),
)


class Printed(NamedTuple):
    """What the tutorial prints. Recomputed: the hidden state is (0.5227, -0.2543), and the logits do not follow from it."""

    hidden: tuple[float, ...]
    logits: tuple[float, ...]
    softmax: tuple[float, ...]


PRINTED = Printed(
    hidden=(0.54, -0.56),
    logits=(0.35, 0.34, -1.2, 0.8, 2.1, -0.3, 0.5),
    softmax=(0.05, 0.05, 0.01, 0.10, 0.60, 0.09, 0.10),
)
