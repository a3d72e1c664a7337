"""How well can the next word be known? Exactly, for a finite language all of whose sentences are equally likely.

The chance that a word follows is a count over a count: how often it follows, by how often anything does. The mean of
-ln of these chances over all tokens, the closing `<eos>` being one of them, is the entropy in nats per token, and its
exponential is the perplexity that no model of the language can get below.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import log

from .vocabulary import SPECIALS

__all__ = ["NextWord"]

_BOS, _EOS = SPECIALS[2:]


class NextWord:
    """The next word of `sentences`, given the `window` words before it, or given all of them (None).

    Before a sentence begins stand as many `<bos>` as the window has places: a model with a window sees no more.

    >>> NextWord(["a b", "a c"]).after("a")
    {'b': 0.5, 'c': 0.5}
    >>> round(NextWord(["a b", "a c"]).entropy, 4)  # 1 bit in 3 tokens
    0.231
    """

    def __init__(self, sentences: Iterable[str], window: int | None = None) -> None:
        if window is not None and window < 0:
            raise ValueError(f"a window of {window} words does not exist")
        self.window = window
        self._counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for sentence in sentences:
            for context, word in self._tokens(sentence):
                self._counts[context][word] += 1
        self._totals = {context: counts.total() for context, counts in self._counts.items()}

    def _tokens(self, sentence: str) -> Iterable[tuple[str, str]]:
        """Each word of `sentence` and `<eos>`, with what is seen before it."""
        words = [*sentence.split(), _EOS]
        if self.window is None:
            return ((" ".join(words[:position]), word) for position, word in enumerate(words))
        padded = [_BOS] * self.window + words
        return ((" ".join(padded[position : position + self.window]), word) for position, word in enumerate(words))

    def after(self, prefix: str) -> dict[str, float]:
        """The words that may follow the words of `prefix` and their chances, likeliest first.

        KeyError when no sentence has such a context.
        """
        words = prefix.split()
        if self.window is not None:
            words = ([_BOS] * self.window + words)[len(words) :]
        context = " ".join(words)
        if context not in self._counts:
            raise KeyError(f"nothing follows {context!r}")
        return {word: count / self._totals[context] for word, count in self._counts[context].most_common()}

    def surprise(self, sentence: str) -> list[float]:
        """-ln of the chance of each word and of `<eos>`, in nats; inf where the sentence leaves the language."""
        chances = (
            self._counts[context][word] / self._totals[context] if context in self._totals else 0.0
            for context, word in self._tokens(sentence)
        )
        return [-log(chance) if chance else float("inf") for chance in chances]

    @property
    def entropy(self) -> float:
        """The mean surprise over all tokens of the language, in nats."""
        surprise = sum(
            count * log(self._totals[context] / count)
            for context, counts in self._counts.items()
            for count in counts.values()
        )
        return surprise / sum(self._totals.values())
