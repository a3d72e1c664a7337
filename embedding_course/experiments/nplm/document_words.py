"""Turn documents into ids and search them by the mean of their words' vectors, as the five questions of notebook 04 do."""

import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import torch

LEAST = 3  # A word needs so many occurrences to get a vector.
LONGEST = 60  # Words of a document that are read.
SAMPLE = 1e-3  # The t of word2vec: words that make up a larger share of the text are dropped at random.
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class DocumentWords:
    """Hold the ids of each document, the id of each word, and how often each word occurs, (V,)."""

    documents: list[list[int]]
    index: dict[str, int]
    counts: torch.Tensor

    def encode(self, text: str) -> list[int]:
        """Return the ids of the known words of a text."""
        return [self.index[word] for word in _words(text) if word in self.index]

    def thinned(self, seed: int = 0) -> list[list[int]]:
        """Return the documents after subsampling: the more frequent a word is, the more often it is dropped."""
        kept = (SAMPLE / (self.counts / self.counts.sum())).sqrt().clamp(max=1).tolist()
        draw = random.Random(seed)
        return [[word for word in words if draw.random() < kept[word]] for words in self.documents]


def read(texts: Sequence[str]) -> DocumentWords:
    """Return the words of documents; only the first `LONGEST` words of each are read.

    Examples
    --------
    >>> words = read(["sort a list", "sort an array", "sort the keys"])
    >>> words.index, words.encode("Sort my list")
    ({'sort': 0}, [0])
    """
    documents = [_words(text)[:LONGEST] for text in texts]
    counts = Counter(word for words in documents for word in words)
    index = {word: row for row, (word, count) in enumerate(counts.most_common()) if count >= LEAST}
    ids = [[index[word] for word in words if word in index] for words in documents]
    return DocumentWords(ids, index, torch.tensor([counts[word] for word in index]).float())


def mean_vectors(table: torch.Tensor, texts: Sequence[Sequence[int]]) -> torch.Tensor:
    """Return the mean of the rows of each text, scaled to norm 1, (N, d). A text without a known word gets zeros.

    Parameters
    ----------
    table : torch.Tensor
        One row for each word, (V, d).
    texts : sequence of sequences of int
        The ids of each text.

    Examples
    --------
    >>> mean_vectors(torch.tensor([[3.0, 0.0], [0.0, 4.0]]), [[0], [1, 1], []]).tolist()
    [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]
    """
    sums = torch.stack([table[torch.tensor(ids, dtype=torch.int64)].sum(dim=0) for ids in texts])
    norms = sums.norm(dim=1, keepdim=True).clamp(min=1e-12)
    return sums / norms


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
