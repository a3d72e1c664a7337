"""Define the search engine's model: a text is the weighted sum of word vectors, a word the sum of its row and its pieces.

Before training the vectors are random and the weights are those of TF-IDF, so that texts are similar if they share rare
words: the model starts as an approximate TF-IDF, and training teaches it which other words mean the same.
"""

import torch
import torch.nn.functional as F
from torch import nn

from .search_text import PIECES, Chosen, Texts, Words


class Encoder(nn.Module):
    """Map texts to unit vectors (N, d). Questions and answers share the table; each side has word weights of its own.

    An unseen word has its pieces, and the weight of the rarest word. A text without words is a zero vector.
    """

    def __init__(self, words: Words, width: int = 256, whole: bool = True, parts: bool = True) -> None:
        super().__init__()
        self.words, self.width, self.whole, self.parts = words, width, whole, parts
        idf = torch.tensor([*words.idf, max(words.idf)])  # The last weight is for all later words.
        rows = len(idf) if whole else 1
        self.table = nn.Embedding(rows, width, _weight=torch.randn(rows, width) * width**-0.5)
        self.pieces = nn.Embedding(PIECES, width, _weight=torch.randn(PIECES, width) * width**-0.5)
        self.weights = nn.ParameterDict({side: nn.Parameter(idf.log()) for side in ("question", "answer")})
        with torch.no_grad():
            self.table.weight[-1] = 0

    def forward(self, texts: Texts, side: str) -> torch.Tensor:
        """Return the vectors of all these texts; `side` is "question" or "answer"."""
        return self.together((side, texts.chosen()))[0]

    def together(self, *chosen: tuple[str, Chosen]) -> list[torch.Tensor]:
        """Return the vectors of several (side, texts), as if encoded separately; a word in many of them is computed once."""
        sizes = [len(some.ids) for _, some in chosen]
        vectors, known, which = self._unique_vectors(torch.cat([some.ids for _, some in chosen]))
        encoded = []
        for (side, some), words in zip(chosen, which.split(sizes), strict=True):
            weights = some.counts * self.weights[side][known[words]].exp()  # (W,)
            starts = torch.searchsorted(some.owner, torch.arange(some.number))
            summed = F.embedding_bag(words, vectors, starts, mode="sum", per_sample_weights=weights)  # (N, d)
            encoded.append(F.normalize(summed, dim=-1))
        return encoded

    def tokens(self, some: Chosen, side: str) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a unit vector for each word of these texts (W, d), and the word's weight (W,), before they are summed."""
        vectors, known, which = self._unique_vectors(some.ids)
        return F.normalize(vectors, dim=-1)[which], some.counts * self.weights[side][known[which]].exp()

    def _unique_vectors(self, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the vectors of the different ids (U, d), their weight rows (U,), and the index of each id among them (W,)."""
        different, which = torch.unique(ids, return_inverse=True)
        known = different.clamp(max=len(self.words.known))
        return self._vectors(different, known), known, which

    def _vectors(self, different: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
        vectors = F.embedding(*_used(known, self.table)) if self.whole else torch.zeros(len(different), self.width)
        if self.parts:
            numbers, owner = self.words.pieces_of(different)
            # This keeps long words from having larger norms.
            each = torch.bincount(owner, minlength=len(different)).clamp(min=1).float().rsqrt()
            starts = torch.searchsorted(owner, torch.arange(len(different)))
            vectors = vectors + F.embedding_bag(*_used(numbers, self.pieces), starts, mode="sum") * each[:, None]
        return vectors

    @property
    def size(self) -> int:
        """Return the number of parameters."""
        return sum(parameter.numel() for parameter in self.parameters())


class DenseGradients:
    """Provide dense gradients of an encoder's tables between `backward()` and `step()`, for optimizers that need them.

    `backward()` computes sparse gradients of the rows in use. The memory for dense ones is allocated once, not at every step.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.room = {table: torch.zeros_like(table) for table in (encoder.table.weight, encoder.pieces.weight)}

    def fill(self) -> None:
        """Replace the sparse gradients by dense ones."""
        for table, buffer in self.room.items():
            if table.grad is not None:
                table.grad = buffer.zero_().add_(table.grad)


def _used(ids: torch.Tensor, table: nn.Embedding) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the index of each id among the different ones, and their rows: only these rows get gradients."""
    used, indices = ids.unique(return_inverse=True)
    return indices, F.embedding(used, table.weight, sparse=True)
