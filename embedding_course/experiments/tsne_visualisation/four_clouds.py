"""Provide four collections for a riddle: one of the four maps is made of noise."""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits

from ...learner.own_tables import Table
from ...messages import translatable
from ..nplm.word_classes import class_of
from .clouds import noise

NAMES = {
    "A": translatable("the translator's Chinese words"),
    "B": translatable("Gaussian noise"),
    "C": translatable("handwritten digits"),
    "D": translatable("the language model's words"),
}


def digits(points: int = 500) -> tuple[torch.Tensor, torch.Tensor]:
    """Return scans of handwritten digits, grey values from 0 to 1 (n, 64), and the digit of each (n,)."""
    pixels, names = map(torch.as_tensor, load_digits(return_X_y=True))
    return pixels[:points].float() / 16, names[:points].long()


def word_cloud(words: Table) -> tuple[torch.Tensor, dict[int, str]]:
    """Return unit vectors (n, d) of all English words of a known class, and id to class in the same order."""
    classes = class_of("english")
    return F.normalize(words.vectors[list(classes)], dim=1), classes


def four_clouds(words: Table, chinese: Table) -> dict[str, torch.Tensor]:
    """Return the points (n, d) of each collection by letter."""
    return {"A": chinese.vectors[4:], "B": noise(150, 50), "C": digits(150)[0], "D": word_cloud(words)[0]}
