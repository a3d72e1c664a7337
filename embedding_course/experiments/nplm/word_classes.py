"""Measure whether words of a class are neighbours, against the micro-language's own list of classes."""

from collections.abc import Callable, Mapping, Sequence

import torch

from ...data.micro import micro_language
from ...messages import translatable

#: The classes that figures show. A word with two meanings is in none of them.
SHOWN = (
    translatable("person"),
    translatable("animal"),
    translatable("food"),
    translatable("drink"),
    translatable("thing"),
    translatable("place"),
    translatable("quality"),
    translatable("time"),
    translatable("verb"),
)


def class_of(language: str = "english", classes: Sequence[str] = SHOWN) -> dict[int, str]:
    """Return id to class, for all words of the language that are in exactly one class, and that in one of `classes`."""
    micro = micro_language()
    ids = micro.vocabulary[language].ids
    homes: dict[str, list[str]] = {}
    for name, words in micro.classes[language].items():
        for word in words:
            homes.setdefault(word, []).append(name)
    return {ids[word]: names[0] for word, names in homes.items() if len(names) == 1 and names[0] in classes}


def neighbour_accuracy(
    table: torch.Tensor, classes: Mapping[int, str], nearest: Callable[[torch.Tensor, int, int], list[int]], k: int = 1
) -> float:
    """Return the share of the nearest neighbours of each word that are of its class, from 0 to 1.

    Parameters
    ----------
    table : torch.Tensor
        The table, (V, d).
    classes : Mapping[int, str]
        Row to its class; only these rows are searched.
    nearest : Callable[[torch.Tensor, int, int], list[int]]
        The learner's `nearest(table, index, k)`, which returns the indices of the k nearest rows.
    k : int, optional
        Number of neighbours of each word.
    """
    rows = list(classes)
    chosen = table[rows]
    same_class = [classes[rows[near]] == classes[row] for at, row in enumerate(rows) for near in nearest(chosen, at, k)]
    return sum(same_class) / len(same_class)
