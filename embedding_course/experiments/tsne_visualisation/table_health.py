"""Examine a table: norms, directions, the most similar pairs, and a quiz of analogies with known answers."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F

from ...data.micro import words
from ...data.vocabulary import SPECIALS
from ...learner.own_tables import Table


class CheckUp(NamedTuple):
    """Hold mean and spread of the norms, mean cosine of two words, and the effective number of directions (of d)."""

    norm: float
    spread: float
    mean_cosine: float
    directions: float
    width: int

    def __str__(self) -> str:
        return (
            f"norms {self.norm:.2f} ± {self.spread:.2f} · mean cosine {self.mean_cosine:+.3f} · "
            f"variance over {self.directions:.1f} of {self.width} directions"
        )


def check_up(vectors: torch.Tensor) -> CheckUp:
    """Return the check-up of a table (V, d); rows of zeros are ignored.

    The number of directions is exp of the entropy of the variances along the principal axes.
    """
    rows = vectors[vectors.norm(dim=1) > 0].double()
    cosines = F.normalize(rows, dim=1) @ F.normalize(rows, dim=1).T
    n = len(rows)
    variance = torch.linalg.svdvals(rows - rows.mean(dim=0)).square()
    share = (variance / variance.sum()).clamp(min=1e-300)
    directions = (-(share * share.log()).sum()).exp()
    norms = rows.norm(dim=1)
    return CheckUp(
        norms.mean().item(), norms.std().item(), ((cosines.sum() - n) / (n * n - n)).item(), directions.item(), rows.shape[1]
    )


def similar_pairs(table: Table, k: int) -> list[tuple[str, str, float]]:
    """Return the k pairs of words with the largest cosines, without special tokens."""
    rows = [row for row, word in enumerate(table.words) if word not in SPECIALS]
    names = [table.words[row] for row in rows]
    unit = F.normalize(table.vectors[rows], dim=1)
    cosines = (unit @ unit.T).triu(diagonal=1)
    best = cosines.flatten().topk(k).indices.tolist()
    return [(names[at // len(names)], names[at % len(names)], cosines.flatten()[at].item()) for at in best]


def form_pairs(known: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
    """Return pairs of word forms by kind, such as (dog, dogs), from the micro-language's own word list."""
    entries = [word for value in vars(words).values() for word in (value.values() if isinstance(value, dict) else [value])]
    verbs = [word for word in entries if isinstance(word, words.Verb)]
    nouns = [word for word in entries if isinstance(word, words.Noun)]
    forms = {
        "dog : dogs": [(noun.en, noun.plural) for noun in nouns],
        "eat : eats": [(verb.base, verb.third) for verb in verbs],
        "eat : ate": [(verb.base, verb.past) for verb in verbs],
        "eat : eating": [(verb.base, verb.ing) for verb in verbs],
    }
    there = set(known)
    return {
        name: list(dict.fromkeys(pair for pair in pairs if there.issuperset(pair) and pair[0] != pair[1]))
        for name, pairs in forms.items()
    }


#: Rows of the words a, b, c, d: a is to b as c is to d.
Question = tuple[int, int, int, int]


class Quiz(NamedTuple):
    """Hold the results of `asked` analogies.

    They are: right without the three given words, right among all words, how often that answer was b itself and how often c,
    and right by naming the nearest word to c.
    """

    asked: int
    right: int
    right_with_all: int
    gave_b: int
    gave_c: int
    nearest_to_c: int


def shares(results: Quiz) -> str:
    """Return the results as shares of the questions, for a printed line."""
    kinds = {"right": results.right, "c's neighbour": results.nearest_to_c, "all words": results.right_with_all}
    kinds |= {"b itself": results.gave_b, "c itself": results.gave_c}
    return f"{results.asked:,} asked: " + ", ".join(f"{name} {count / results.asked:.3f}" for name, count in kinds.items())


def quiz(table: Table, pairs: Sequence[tuple[str, str]], analogy: Callable[..., Any]) -> Quiz:
    """Ask a : b = c : ? for every two of the pairs. `analogy` is the learner's function."""
    row = {word: index for index, word in enumerate(table.words)}
    questions = [(*one, *other) for one, other in permutations([(row[a], row[b]) for a, b in pairs], 2)]
    return count_answers(table.vectors, [question for question in questions if len(set(question)) == 4], analogy)


def count_answers(vectors: torch.Tensor, questions: Sequence[Question], analogy: Callable[..., Any]) -> Quiz:
    """Ask the questions a : b = c : ?, whose answer is d, of a table (V, d). `analogy` is the learner's function."""
    unit = F.normalize(vectors, dim=1)
    counts: Counter[str] = Counter()
    for a, b, c, d in questions:
        free = int((unit @ (vectors[b] - vectors[a] + vectors[c])).argmax())
        near = unit @ unit[c]
        near[[a, b, c]] = -2
        counts["asked"] += 1
        counts["right"] += list(analogy(vectors, a, b, c, 1)) == [d]
        counts["right_with_all"] += free == d
        counts["gave_b"] += free == b
        counts["gave_c"] += free == c
        counts["nearest_to_c"] += int(near.argmax()) == d
    return Quiz(**{name: counts[name] for name in Quiz._fields})
