"""What follows which words, and how likely: counted over all sentences of a language, each of them equally likely.

The chance that a word follows is a count over a count: how often it follows, by how often anything does. The mean of
-ln of these chances is the entropy, which `entropy` computes in another way: a test compares the two.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import inf, log

from ..vocabulary import SPECIALS

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
        for words in sentences:
            for context, word in self._tokens(words):
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
        """The words that may follow the words of `prefix` and their chances, most probable first.

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
        surprise = []
        for context, word in self._tokens(sentence):
            count = self._counts[context][word] if context in self._totals else 0
            surprise.append(log(self._totals[context] / count) if count else inf)
        return surprise

    @property
    def entropy(self) -> float:
        """The mean surprise over all tokens of the language, in nats."""
        surprise = sum(
            count * log(self._totals[context] / count) for context, counts in self._counts.items() for count in counts.values()
        )
        return surprise / sum(self._totals.values())
