"""Choose the words of a real text for the map: those of hand-made lists of kinds, and the most frequent others."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F

from ...learner.own_tables import Table
from ...messages import translatable
from ..nplm.reference_words import kinds_of

UNLISTED = translatable("in no list")
#: Kinds that share a mark on the map; the mouse shows the kind.
MARKS_OF = {
    translatable("type"): ("container", "number"),
    translatable("exception"): ("exception",),
    translatable("statement"): ("simple statement", "compound statement"),
    translatable("special method"): ("arithmetic method", "comparison method", "access method"),
    translatable("ordinary word"): ("count", "modal verb", "form of be, have"),
}


class RealWords(NamedTuple):
    """Hold unit vectors x (n, d), the n words, the kind of each, and its mark on the map.

    The first `listed` have a kind, the others are `UNLISTED`.
    """

    x: torch.Tensor
    words: list[str]
    kinds: list[str]
    marks: list[str]
    listed: int


def choose(table: Table, others: int = 60) -> RealWords:
    """Return all words of a kind, and the `others` most frequent that are in no list. The table is ordered by frequency."""
    listed = kinds_of(table.words)
    rest = [row for row, word in enumerate(table.words) if row not in listed and word.isalpha() and len(word) > 2][:others]
    rows = [*listed, *rest]
    kinds = [listed.get(row, UNLISTED) for row in rows]
    mark_of = {kind: mark for mark, members in MARKS_OF.items() for kind in members}
    marks = [mark_of.get(kind, UNLISTED) for kind in kinds]
    return RealWords(F.normalize(table.vectors[rows], dim=1), [table.words[row] for row in rows], kinds, marks, len(listed))


def plurals(words: Sequence[str], most: int = 26) -> list[tuple[str, str]]:
    """Return at most `most` pairs such as (value, values), both among the words. The -s may also be that of a verb.

    Examples
    --------
    >>> plurals(["value", "is", "values", "i"])
    [('value', 'values')]
    """
    there = set(words)
    return [(word, f"{word}s") for word in words if word.isalpha() and len(word) > 2 and f"{word}s" in there][:most]
