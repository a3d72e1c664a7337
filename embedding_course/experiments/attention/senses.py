"""Compare the vectors of an ambiguous word in its sentences, to see whether they separate its senses."""

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F

from ...data.micro import AMBIGUOUS, micro_language
from ...messages import translatable, translate
from .masked_words import encode

#: The Chinese word for each sense of bat, as figures and examples show it.
SIGNS = {"animal": translatable("蝙蝠 (animal)"), "thing": translatable("球棒 (thing)")}


@dataclass(frozen=True)
class Found:
    """Hold one row of `vectors` (N, d) for each sentence, with the sense of the word in it."""

    vectors: torch.Tensor
    senses: list[str]
    sentences: list[str]


@torch.no_grad()
def vectors(model: Any, word: str, layer: int, split: str = "test", n: int | None = None) -> Found:
    """Return the vectors of an English word in sentences, after a number of blocks of a masked-word model.

    Parameters
    ----------
    model : Any
        A trained `MaskedWords`.
    word : str
        A word with several senses.
    layer : int
        Number of blocks; 0 for the sum of word and position, -1 for the row of the table.
    split : str, optional
        "train", "valid" or "test".
    n : int or None, optional
        Number of sentences; None for all.

    Raises
    ------
    ValueError
        If the word has only one sense.
    """
    if word not in AMBIGUOUS["english"]:
        raise ValueError(f"{word!r} is not among the English words with several senses")
    occurrences = micro_language().occurrences(word, split, n)
    ids = encode([occurrence.sentence for occurrence in occurrences])
    states = model.token_table(ids) if layer < 0 else model.states(ids)[layer]
    at = torch.tensor([occurrence.position for occurrence in occurrences])
    return Found(
        states[torch.arange(len(at)), at],
        [occurrence.sense for occurrence in occurrences],
        [occurrence.sentence for occurrence in occurrences],
    )


def _nearest(known: Found, new: Found) -> list[int]:
    """Return the index of the known vector nearest to each new vector, by cosine."""
    likeness = F.normalize(new.vectors, dim=1) @ F.normalize(known.vectors, dim=1).T
    return likeness.argmax(dim=1).tolist()


def examples(known: Found, new: Found, n: int = 3) -> list[str]:
    """Return lines with `n` new sentences for each sense, and the known sentence whose vector is nearest."""
    nearest, lines = _nearest(known, new), []
    for sense in sorted(set(new.senses)):
        chosen = [row for row, other in enumerate(new.senses) if other == sense][:n]
        name = translate(SIGNS.get(sense, sense))
        lines += [f"{name:11} {new.sentences[row]:48} ~ {known.sentences[nearest[row]]}" for row in chosen]
    return lines


def right_neighbours(known: Found, new: Found) -> float:
    """Return how often the nearest known vector (by cosine) has the same sense, averaged over the senses.

    If all vectors are equal, it is 1 divided by the number of senses.
    """
    if torch.pdist(torch.cat([known.vectors, new.vectors])).max() < 1e-6:
        return 1 / len(set(new.senses))
    senses = [known.senses[at] for at in _nearest(known, new)]
    shares = []
    for sense in sorted(set(new.senses)):
        hits = [mine == sense for mine, true in zip(senses, new.senses, strict=True) if true == sense]
        shares.append(sum(hits) / len(hits))
    return sum(shares) / len(shares)


def map_of(known: Found, new: Found) -> torch.Tensor:
    """Return the new vectors in the plane, (N, 2).

    The first coordinate is along the line between the mean vectors of the first two known senses, the second along the
    direction of largest variance at right angles to it.
    """
    means = [known.vectors[[other == sense for other in known.senses]].mean(dim=0) for sense in sorted(set(known.senses))[:2]]
    line = F.normalize(means[1] - means[0], dim=0)
    centred = new.vectors - (means[0] + means[1]) / 2
    along = centred @ line
    rest = centred - along[:, None] * line
    _, _, directions = torch.linalg.svd(rest - rest.mean(dim=0), full_matrices=False)
    return torch.stack([along, rest @ directions[0]], dim=1)
