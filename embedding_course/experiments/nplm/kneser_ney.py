"""Estimate trigram probabilities with Kneser–Ney smoothing, interpolated with shorter contexts.

Kneser and Ney (1995) in the form of Chen and Goodman (1999), with one discount.
"""

from collections import Counter
from collections.abc import Iterable

import torch


class _Level:
    """Hold probabilities after contexts of one length; discounted mass goes to the next shorter context."""

    def __init__(self, pairs: Iterable[tuple[tuple[int, ...], int]]) -> None:
        self.counts = Counter(pairs)
        self.totals: Counter[tuple[int, ...]] = Counter()
        self.kinds: Counter[tuple[int, ...]] = Counter()
        for (context, _), count in self.counts.items():
            self.totals[context] += count
            self.kinds[context] += 1

    def chance(self, context: tuple[int, ...], word: int, shorter: float, discount: float) -> float:
        if context not in self.totals:
            return shorter
        kept = max(self.counts[context, word] - discount, 0.0)
        return (kept + discount * self.kinds[context] * shorter) / self.totals[context]


class InterpolatedTrigram:
    """Interpolate trigrams with bigrams and unigrams. A shorter context counts *kinds* of preceding words.

    So "francisco", which is frequent but follows one word only, gets a low probability unless "san" precedes it.

    Parameters
    ----------
    contexts : torch.Tensor
        Ids (N, C), C at least 2: the words before each target, oldest first.
    targets : torch.Tensor
        Ids (N,).
    """

    def __init__(self, contexts: torch.Tensor, targets: torch.Tensor, vocab_size: int, discount: float = 0.75) -> None:
        self.vocab_size, self.discount = vocab_size, discount
        trigrams = [((u, v), w) for (u, v), w in zip(contexts[:, -2:].tolist(), targets.tolist(), strict=True)]
        bigrams = {(u, v, w) for (u, v), w in trigrams}
        unigrams = {(v, w) for _, v, w in bigrams}
        self._levels = (
            _Level(((), w) for _, w in unigrams),
            _Level(((v,), w) for _, v, w in bigrams),
            _Level(trigrams),
        )

    def probabilities(self, contexts: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the probability of each target after its context, (N,)."""
        chances = []
        for (u, v), word in zip(contexts[:, -2:].tolist(), targets.tolist(), strict=True):
            chance = 1 / self.vocab_size
            for level, context in zip(self._levels, ((), (v,), (u, v)), strict=True):
                chance = level.chance(context, word, chance, self.discount)
            chances.append(chance)
        return torch.tensor(chances)
