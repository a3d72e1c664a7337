"""The search engine's model: a text is the weighted sum of its words' vectors, a word the sum of its own and its pieces'.

Before any training the vectors are random and the weights are those of TF-IDF, so that two texts are similar where they
share rare words: the model starts as a blurred TF-IDF, and training teaches it which other words mean the same.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

from .search_text import PIECES, Texts, Words

__all__ = ["Encoder"]


class Encoder(nn.Module):
    """Texts to vectors of length 1 (N, d). Questions and answers share the table; each side has word weights of its own.

    A word that was never seen has its pieces, and the weight of the rarest word. A text without words is a zero vector.
    """

    def __init__(self, words: Words, width: int = 256, whole: bool = True, parts: bool = True) -> None:
        super().__init__()
        self.words, self.width, self.whole, self.parts = words, width, whole, parts
        idf = torch.tensor([*words.idf, max(words.idf)])  # the last one is for all words that come later
        rows = len(idf) if whole else 1
        self.table = nn.Embedding(rows, width, _weight=torch.randn(rows, width) * width**-0.5)
        self.pieces = nn.Embedding(PIECES, width, _weight=torch.randn(PIECES, width) * width**-0.5)
        self.weights = nn.ParameterDict({side: nn.Parameter(idf.log()) for side in ("question", "answer")})
        with torch.no_grad():
            self.table.weight[-1] = 0

    def forward(self, texts: Texts, side: str, rows: torch.Tensor | None = None, drop: float = 0.0) -> torch.Tensor:
        """`side` is "question" or "answer"; with `rows` these texts only; each word is dropped with the chance `drop`."""
        rows = torch.arange(len(texts)) if rows is None else rows
        ids, counts, owner = texts.chosen(rows, drop)
        different, which = torch.unique(ids, return_inverse=True)  # each word's vector is computed once
        last = len(self.words.known)
        known = different.clamp(max=last)
        vectors = self._vectors(different, known)  # (U, d)
        weights = counts * self.weights[side][known[which]].exp()  # (W,)
        starts = torch.searchsorted(owner, torch.arange(len(rows)))
        summed = F.embedding_bag(which, vectors, starts, mode="sum", per_sample_weights=weights)  # (N, d)
        return F.normalize(summed, dim=-1)

    def _vectors(self, different: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
        found = self.table(known) if self.whole else torch.zeros(len(different), self.width)
        if self.parts:
            numbers, owner = self.words.pieces_of(different)
            each = torch.bincount(owner, minlength=len(different)).clamp(min=1).float().rsqrt()  # long words are not longer
            starts = torch.searchsorted(owner, torch.arange(len(different)))
            found = found + F.embedding_bag(numbers, self.pieces.weight, starts, mode="sum") * each[:, None]
        return found

    @property
    def size(self) -> int:
        """How many numbers the model has."""
        return sum(entry.numel() for entry in self.parameters())
