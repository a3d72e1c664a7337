"""Prepare text for the search engine: words, the pieces of words, and many texts as three flat tensors."""

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

_RUN = re.compile(r"[^\W\d_]+|\d+")  # Words are letters or digits: numpy_array is two words.
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")  # DataFrame is two words as well.
LONGEST = 300  # Only this many words of a text are read.
PIECES = 2**15
SIZES = (3, 4, 5)


def words(text: str) -> list[str]:
    """Return the words of a text in lower case; names of functions and classes are split into theirs.

    Examples
    --------
    >>> words("np.nan_to_num, StandardScaler")
    ['np', 'nan', 'to', 'num', 'standard', 'scaler']
    """
    return [part.lower() for run in _RUN.findall(text) for part in _HUMP.split(run)]


@lru_cache(maxsize=20_000)
def _counted(text: str) -> tuple[tuple[str, int], ...]:
    """Return the different words of a text and how often each occurs; cached, since texts are counted repeatedly."""
    return tuple(Counter(words(text)[:LONGEST]).items())


@lru_cache(maxsize=50_000)
def pieces(word: str) -> tuple[int, ...]:
    """Return hashes, below `PIECES`, of the character n-grams of three to five characters of a word with marked ends.

    No list of pieces is stored, and an unseen word has pieces that were seen.

    Examples
    --------
    >>> len(pieces("sort")), len(set(pieces("sorted")) & set(pieces("sorting")))
    (9, 6)
    """
    marked = f"<{word}>"
    runs = (marked[at : at + size] for size in SIZES for at in range(len(marked) - size + 1))
    return tuple(zlib.crc32(run.encode("utf-8")) % PIECES for run in runs)


class Words:
    """Hold the words of a collection and, after them, all later words: each has an id, its pieces and an idf.

    `known` words have ids below `len(known)` and a row of their own in the model's table; later ones have pieces only.
    """

    def __init__(self, known: Sequence[str], idf: Sequence[float]) -> None:
        self.known, self.idf = list(known), list(idf)
        self.ids = {word: index for index, word in enumerate(self.known)}
        self.met = list(self.known)
        self._flat: torch.Tensor | None = None

    @classmethod
    def of(cls, texts: Iterable[str]) -> Words:
        """Return the words of these texts with their idf, 1 + ln((1 + texts) / (1 + texts with the word)), as in TF-IDF."""
        counts, number = Counter(), 0
        for text in texts:
            counts.update(word for word, _ in _counted(text))
            number += 1
        known = sorted(counts, key=lambda word: (-counts[word], word))
        return cls(known, [1 + math.log((1 + number) / (1 + counts[word])) for word in known])

    def id(self, word: str) -> int:
        """Return the id of a word; a new word gets the next id."""
        if word not in self.ids:
            self.ids[word] = len(self.met)
            self.met.append(word)
            self._flat = None
        return self.ids[word]

    def pieces_of(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the pieces of many words in one tensor (P,), and the index of the word to which each belongs (P,)."""
        if self._flat is None:
            rows = [pieces(word) for word in self.met]
            self._flat = torch.tensor([piece for row in rows for piece in row], dtype=torch.int64)
            self._lengths = torch.tensor([len(row) for row in rows], dtype=torch.int64)
            self._starts = self._lengths.cumsum(0) - self._lengths
        return _slices(self._flat, self._starts[ids], self._lengths[ids])


class Chosen(NamedTuple):
    """Hold a selection of N texts: ids (W,) and counts (W,) of their words, the index of each word's text (W,), and N."""

    ids: torch.Tensor
    counts: torch.Tensor
    owner: torch.Tensor
    number: int


@dataclass(frozen=True)
class Texts:
    """Hold many texts in flat form: ids of their different words (W,), 1 + ln of their counts (W,), lengths (N,)."""

    ids: torch.Tensor
    counts: torch.Tensor
    lengths: torch.Tensor

    @classmethod
    def of(cls, texts: Iterable[str], vocabulary: Words) -> Texts:
        """Return the texts in flat form; new words are added to the vocabulary."""
        ids, counts, lengths = [], [], []
        for text in texts:
            counted = _counted(text)
            ids += [vocabulary.id(word) for word, _ in counted]
            counts += [1 + math.log(count) for _, count in counted]
            lengths.append(len(counted))
        return cls(torch.tensor(ids, dtype=torch.int64), torch.tensor(counts), torch.tensor(lengths, dtype=torch.int64))

    def __len__(self) -> int:
        return len(self.lengths)

    def chosen(self, rows: torch.Tensor | None = None, drop: float = 0.0) -> Chosen:
        """Return the texts of these rows (N,), or all of them; each word is dropped with the probability `drop`."""
        rows = torch.arange(len(self)) if rows is None else rows
        starts = self.lengths.cumsum(0) - self.lengths
        positions, owner = _slices(torch.arange(len(self.ids)), starts[rows], self.lengths[rows])
        if drop:
            kept = torch.rand(len(positions)) >= drop
            positions, owner = positions[kept], owner[kept]
        return Chosen(self.ids[positions], self.counts[positions], owner, len(rows))


def _slices(flat: torch.Tensor, starts: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return flat[start : start + length] for many starts, concatenated, and the index of the slice of each number."""
    owner = torch.repeat_interleave(torch.arange(len(starts)), lengths)
    within = torch.arange(len(owner)) - (lengths.cumsum(0) - lengths)[owner]
    return flat[starts[owner] + within], owner
