"""Provide sentences of the micro-language with the same meaning in other words, another order or another construction.

A group holds two or more sentences of one language with the same meaning. Sentences with similar words often differ in
meaning: 狗追猫 and 猫追狗 are in different groups. A group is in the split of its meaning: see `embedding_course.data.micro`.
"""

import random
from functools import cache
from typing import NamedTuple

from .drawing import some_of
from .micro import SPLITS, micro_language
from .micro.language import checked_language


@cache
def _all_groups(language: str) -> dict[str, list[tuple[str, ...]]]:
    """Return all groups by split, in the order of their meanings."""
    by_split: dict[str, list[tuple[str, ...]]] = {}
    for split in SPLITS:
        groups = sorted(micro_language().paraphrases(split), key=lambda group: group[0].meaning)
        sentences = [tuple(sorted({getattr(pair, language) for pair in group})) for group in groups]
        by_split[split] = [group for group in sentences if len(group) > 1]
    return by_split


def paraphrase_groups(
    split: str = "train",
    size: int | None = None,
    seed: int = 0,
    language: str = "chinese",
) -> list[tuple[str, ...]]:
    """Return `size` different groups of a split, in an order that depends on the seed; words are separated by spaces.

    Parameters
    ----------
    split : str, optional
        "train", "valid" or "test"; no meaning, and no sentence, is in two of them.
    size : int or None, optional
        Number of groups; None for all.
    seed : int, optional
        Seed of the order, 0 or more.
    language : str, optional
        "chinese" or "english".

    Raises
    ------
    ValueError
        For an unknown split or language, a size that is too large, or a negative seed. The message names the allowed values.

    Examples
    --------
    >>> paraphrase_groups("test", 1, language="english")[0][:2]
    ('my dad will give that umbrella to the doctor tomorrow', 'my father will give that umbrella to the doctor tomorrow')
    """
    checked_language(language)
    return some_of(_all_groups(language), split, size, seed)


class Twin(NamedTuple):
    """Hold a sentence, a paraphrase, and a twin: a sentence of the same words that means something else."""

    sentence: str
    paraphrase: str
    twin: str


@cache
def _all_twins(language: str) -> dict[str, list[Twin]]:
    """Return by split every sentence that has a paraphrase and a twin, with one of each.

    A twin comes from the split of the sentence or from an earlier one, so that no training run meets a test sentence.
    """
    by_split: dict[str, list[Twin]] = {}
    bags: dict[tuple[str, ...], dict[int, list[str]]] = {}
    for split in SPLITS:
        for pair in sorted(micro_language().pairs(split), key=lambda pair: pair.meaning):
            sentence = getattr(pair, language)
            bags.setdefault(tuple(sorted(sentence.split())), {}).setdefault(pair.meaning, []).append(sentence)
        chance = random.Random(0)
        by_split[split] = []
        for group in _all_groups(language)[split]:
            for sentence in group:
                others = [texts for texts in bags[tuple(sorted(sentence.split()))].values() if sentence not in texts]
                if others:
                    same = chance.choice([other for other in group if other != sentence])
                    by_split[split].append(Twin(sentence, same, chance.choice(chance.choice(others))))
    return by_split


def twins(split: str = "train", size: int | None = None, seed: int = 0, language: str = "chinese") -> list[Twin]:
    """Return sentences of a split, each with a paraphrase and a twin: the same words with another meaning.

    Errors are those of `paraphrase_groups`.

    Parameters
    ----------
    split : str, optional
        "train", "valid" or "test"; the twin of a test sentence may be a sentence of any split.
    size : int or None, optional
        Number of sentences; None for all.
    seed : int, optional
        Seed of the order, 0 or more.
    language : str, optional
        "chinese" or "english".

    Examples
    --------
    >>> twins("test", 1, language="english")[0].twin
    'this hat is more expensive than her watch'
    >>> twins("test", 1, language="english")[0].paraphrase
    'this watch is cheaper than her hat'
    """
    checked_language(language)
    return some_of(_all_twins(language), split, size, seed)
