"""Text for the search engine: words, the pieces that words are made of, and many texts as three flat tensors."""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import torch

__all__ = ["LONGEST", "Chosen", "Texts", "Words", "pieces", "words"]

_RUN = re.compile(r"[^\W\d_]+|\d+")  # letters or digits: numpy_array is two words
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")  # and so is DataFrame
LONGEST = 300  # words of a text that are read
PIECES = 2**15
SIZES = (3, 4, 5)


def words(text: str) -> list[str]:
    """Words in lower case, names of functions and classes cut into theirs.

    >>> words("np.nan_to_num, StandardScaler")
    ['np', 'nan', 'to', 'num', 'standard', 'scaler']
    """
    return [part.lower() for run in _RUN.findall(text) for part in _HUMP.split(run)]


@lru_cache(maxsize=20_000)
def _counted(text: str) -> tuple[tuple[str, int], ...]:
    """The different words of a text and how often each occurs. A text is asked about again and again."""
    return tuple(Counter(words(text)[:LONGEST]).items())


@lru_cache(maxsize=50_000)
def pieces(word: str) -> tuple[int, ...]:
    """The numbers, below `PIECES`, of all runs of three to five characters of a word, its ends marked.

    A number is a checksum: no list of pieces is kept, and a word that was never seen has pieces that were.

    >>> len(pieces("sort")), len(set(pieces("sorted")) & set(pieces("sorting")))
    (9, 6)
    """
    marked = f"<{word}>"
    runs = (marked[at : at + size] for size in SIZES for at in range(len(marked) - size + 1))
    return tuple(zlib.crc32(run.encode("utf-8")) % PIECES for run in runs)


class Words:
    """The words of a collection and, behind them, all that are met later: each has an id, its pieces and an idf.

    `known` words have ids below `len(known)` and a row of their own in the model's table; later ones have pieces only.
    """

    def __init__(self, known: Sequence[str], idf: Sequence[float]) -> None:
        self.known, self.idf = list(known), list(idf)
        self.ids = {word: index for index, word in enumerate(self.known)}
        self.met = list(self.known)
        self._flat: torch.Tensor | None = None

    @classmethod
    def of(cls, texts: Iterable[str]) -> Words:
        """The words of these texts, and how rare each is: 1 + ln((1 + texts) / (1 + texts with it)), as in TF-IDF."""
        counts, number = Counter(), 0
        for text in texts:
            counts.update(word for word, _ in _counted(text))
            number += 1
        known = sorted(counts, key=lambda word: (-counts[word], word))
        return cls(known, [1 + math.log((1 + number) / (1 + counts[word])) for word in known])

    def id(self, word: str) -> int:
        if word not in self.ids:
            self.ids[word] = len(self.met)
            self.met.append(word)
            self._flat = None
        return self.ids[word]

    def pieces_of(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The pieces of many words (N,), one word behind the other (P,), and at which place of N each belongs (P,)."""
        if self._flat is None:
            rows = [pieces(word) for word in self.met]
            self._flat = torch.tensor([piece for row in rows for piece in row], dtype=torch.int64)
            self._lengths = torch.tensor([len(row) for row in rows], dtype=torch.int64)
            self._starts = self._lengths.cumsum(0) - self._lengths
        return _slices(self._flat, self._starts[ids], self._lengths[ids])


class Chosen(NamedTuple):
    """Some texts out of many: ids (W,) and counts (W,) of their words, the place 0 to N - 1 of each word's text (W,), and N."""

    ids: torch.Tensor
    counts: torch.Tensor
    owner: torch.Tensor
    number: int


@dataclass(frozen=True)
class Texts:
    """Many texts in flat form: ids of their different words (W,), 1 + ln of how often each occurs (W,), lengths (N,)."""

    ids: torch.Tensor
    counts: torch.Tensor
    lengths: torch.Tensor

    @classmethod
    def of(cls, texts: Iterable[str], vocabulary: Words) -> Texts:
        ids, counts, lengths = [], [], []
        for text in texts:
            found = _counted(text)
            ids += [vocabulary.id(word) for word, _ in found]
            counts += [1 + math.log(count) for _, count in found]
            lengths.append(len(found))
        return cls(torch.tensor(ids, dtype=torch.int64), torch.tensor(counts), torch.tensor(lengths, dtype=torch.int64))

    def __len__(self) -> int:
        return len(self.lengths)

    def chosen(self, rows: torch.Tensor | None = None, drop: float = 0.0) -> Chosen:
        """The texts of these rows (N,), or all of them; each word is left out with the chance `drop`."""
        rows = torch.arange(len(self)) if rows is None else rows
        starts = self.lengths.cumsum(0) - self.lengths
        places, owner = _slices(torch.arange(len(self.ids)), starts[rows], self.lengths[rows])
        if drop:
            kept = torch.rand(len(places)) >= drop
            places, owner = places[kept], owner[kept]
        return Chosen(self.ids[places], self.counts[places], owner, len(rows))


def _slices(flat: torch.Tensor, starts: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """flat[start : start + length] for many starts, one behind the other, and which of them each number belongs to."""
    owner = torch.repeat_interleave(torch.arange(len(starts)), lengths)
    within = torch.arange(len(owner)) - (lengths.cumsum(0) - lengths)[owner]
    return flat[starts[owner] + within], owner
