"""Provide three sentences, small enough for a neural language model to be computed by hand.

A Chinese tutorial on Bengio's model (S3 in the ledger of claims) uses them: two words predict the third. The sentences,
the ids, the 45 weights, the two contexts and every printed number are kept as in the tutorial, wrong numbers included.
"""

from typing import NamedTuple

SENTENCES = ("我 喜欢 玩具", "我 爱 爸爸", "我 讨厌 挨打")
TRANSLATIONS = ("I like toys", "I love dad", "I hate being beaten")  # Their lengths are 3, 3 and 4.

#: Words by id, as computed by hand. The tutorial's program numbers them by a set, with other ids in each run.
WORDS: tuple[str, ...] = ("挨打", "我", "爸爸", "爱", "喜欢", "玩具", "讨厌")
IDS = {word: index for index, word in enumerate(WORDS)}

CONTEXTS = ("我 爱", "我 讨厌")  # These are the two samples that are computed by hand.


class Weights(NamedTuple):
    """Hold all 45 numbers of the model: 7 · 2 + (2 · 4 + 2) + (7 · 2 + 7)."""

    embedding: tuple[tuple[float, ...], ...]  # (V 7, d 2)
    hidden: tuple[tuple[float, ...], ...]  # (2, 4)
    hidden_bias: tuple[float, ...]
    output: tuple[tuple[float, ...], ...]  # (V 7, 2)
    output_bias: tuple[float, ...]


WEIGHTS = Weights(
    embedding=((0.1, 0.2), (0.3, 0.4), (0.5, 0.6), (0.7, 0.8), (0.9, 1.0), (1.1, 1.2), (1.3, 1.4)),
    hidden=((0.1, -0.2, 0.3, 0.4), (-0.5, 0.6, 0.7, -0.8)),
    hidden_bias=(0.1, -0.2),
    output=((0.2, -0.3), (0.4, 0.1), (-0.5, 0.6), (0.7, -0.8), (-0.9, 0.2), (1.0, 0.3), (0.1, -0.4)),
    output_bias=(0.1, 0.2, -0.3, 0.4, -0.5, 0.6, -0.7),
)


class Printed(NamedTuple):
    """Hold what is printed for the first sample (`sums`, `tanh`), and for both (`logits`, `softmax`, `predicted`).

    The right sums are .58 and -.26. The printed tanh follows from the printed sums, and two of the printed first logits follow
    from the printed tanh.
    """

    sums: tuple[float, ...]
    tanh: tuple[float, ...]
    logits: tuple[tuple[float, ...], ...]
    softmax: tuple[tuple[float, ...], ...]
    predicted: tuple[int, ...]


PRINTED = Printed(
    sums=(0.54, -0.56),
    tanh=(0.49, -0.51),
    logits=((0.35, 0.34, -1.2, 0.8, 2.1, -0.3, 0.5), (1.2, -0.5, 0.7, 0.3, -0.8, 0.9, 2.3)),
    softmax=((0.05, 0.05, 0.01, 0.10, 0.60, 0.09, 0.10), (0.15, 0.03, 0.08, 0.07, 0.02, 0.10, 0.55)),
    predicted=(4, 6),
)
