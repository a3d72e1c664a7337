"""Generate lists of people and animals that passed a window, and four questions that need four ways of pooling.

A text names, in order, who passed: 男孩 狗 猫 老师 狗. The questions are answered by yes or no:

    first     was the first one an animal?
    last      was the last one an animal?
    any       did a horse (马) pass at any time?
    majority  were there more animals than people?

People and animals are equally likely at every position. A horse occurs in half of the texts, once each, and no other word
tells whether it occurs. A model that looks at the wrong positions therefore scores lower than one that looks at the right
ones.
"""

import random
from functools import cache
from typing import NamedTuple

from ..messages import translatable
from .drawing import some_of
from .vocabulary import Vocabulary

TASKS = ("first", "last", "any", "majority")
#: What the lesson calls each task.
LABELS = dict(
    zip(
        TASKS,
        (translatable("first one"), translatable("last one"), translatable("any horse"), translatable("majority")),
        strict=True,
    )
)
QUESTIONS = dict(
    zip(
        TASKS,
        ("Was the first one an animal?", "Was the last one an animal?", "Did a horse pass?", "More animals than people?"),
        strict=True,
    )
)
#: Words of the micro-language, with what they mean.
ANIMALS = {"狗": "dog", "猫": "cat", "鸟": "bird", "兔子": "rabbit"}
PEOPLE = {"男孩": "boy", "女孩": "girl", "老师": "teacher", "医生": "doctor"}
HORSE = "马"
#: Lengths of the lists: odd numbers, so that people and animals never tie.
LENGTHS = (5, 7, 9, 11, 13, 15, 17, 19, 21, 23)
SPLITS = {"train": 8_000, "valid": 1_000, "test": 1_000}


class Walk(NamedTuple):
    """Hold who passed, words separated by spaces, and the four answers."""

    text: str
    first: bool
    last: bool
    any: bool
    majority: bool


@cache
def _all_walks() -> dict[str, list[Walk]]:
    """Return ten thousand different texts by split; the splits never change."""
    chance, walks = random.Random(8), dict[str, Walk]()
    kinds = (tuple(ANIMALS), tuple(PEOPLE))
    while len(walks) < sum(SPLITS.values()):
        words = [chance.choice(kinds[chance.random() < 0.5]) for _ in range(chance.choice(LENGTHS))]
        if chance.random() < 0.5:
            animals = [index for index, word in enumerate(words) if word in ANIMALS]
            if not animals:
                continue
            words[chance.choice(animals)] = HORSE  # The horse replaces an animal, so that the other answers stay the same.
        animal = [word not in PEOPLE for word in words]
        text = " ".join(words)
        walks[text] = Walk(text, animal[0], animal[-1], HORSE in words, 2 * sum(animal) > len(words))
    order = list(walks.values())
    bounds = [0]
    for size in SPLITS.values():
        bounds.append(bounds[-1] + size)
    return {name: order[start:stop] for name, start, stop in zip(SPLITS, bounds, bounds[1:], strict=False)}


def sentence_tasks(split: str = "train", size: int | None = None, seed: int = 0) -> list[Walk]:
    """Return `size` different texts of a split with their answers, in an order that depends on the seed.

    Parameters
    ----------
    split : str, optional
        "train" (8,000 texts), "valid" (1,000) or "test" (1,000); no text is in two of them.
    size : int or None, optional
        Number of texts; None for all.
    seed : int, optional
        Seed of the order, 0 or more.

    Raises
    ------
    ValueError
        For an unknown split, a size that is too large, or a negative seed. The message names the allowed values.

    Examples
    --------
    >>> sentence_tasks("test", 1)[0].text
    '医生 男孩 女孩 鸟 狗 男孩 医生 女孩 鸟 兔子 兔子 鸟 鸟 狗 老师 男孩 兔子'
    >>> sentence_tasks("test", 1)[0][1:]
    (False, True, False, True)
    """
    return some_of(_all_walks(), split, size, seed)


@cache
def vocabulary() -> Vocabulary:
    """Return the nine words and the four special tokens, always with the same ids."""
    return Vocabulary([" ".join((*ANIMALS, *PEOPLE, HORSE))])
