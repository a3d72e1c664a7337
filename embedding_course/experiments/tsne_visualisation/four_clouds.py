"""Four collections for a riddle: which of the four maps is made of nothing?"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits

from ...learner.own_tables import Table
from ..nplm.word_classes import class_of
from .clouds import noise

__all__ = ["NAMES", "digits", "four_clouds", "word_cloud"]

NAMES = {
    "A": "the translator's Chinese words",
    "B": "Gaussian noise",
    "C": "handwritten digits",
    "D": "the language model's words",
}


def digits(points: int = 500) -> tuple[torch.Tensor, torch.Tensor]:
    """Scans of handwritten digits: grey values from 0 to 1 (n, 64), and which digit each is (n,)."""
    pixels, names = map(torch.as_tensor, load_digits(return_X_y=True))
    return pixels[:points].float() / 16, names[:points].long()


def word_cloud(words: Table) -> tuple[torch.Tensor, dict[int, str]]:
    """The vectors of all English words of a known class, each of length 1 (n, d), and id -> class in the same order."""
    classes = class_of("english")
    return F.normalize(words.vectors[list(classes)], dim=1), classes


def four_clouds(words: Table, chinese: Table) -> dict[str, torch.Tensor]:
    """By letter: points (n, d)."""
    return {"A": chinese.vectors[4:], "B": noise(150, 50), "C": digits(150)[0], "D": word_cloud(words)[0]}
