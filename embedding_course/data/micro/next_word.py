"""Count which words follow which, over all sentences of a language, each of them equally likely.

The probability of a next word is a count divided by a count: how often it follows the given words, and how often any word
does. The mean of -ln of these probabilities is the entropy, which `entropy` computes in another way: a test compares both.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from math import inf, log

from ..vocabulary import SPECIALS

_BOS, _EOS = SPECIALS[2:]


class NextWord:
    """Model the next word of `sentences`, given the `window` words before it, or given all of them (None).

    A sentence is preceded by as many `<bos>` as the window is long, as in a model with a fixed window.

    Examples
    --------
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
        """Yield the context and the token for each word of `sentence` and for `<eos>`."""
        words = [*sentence.split(), _EOS]
        if self.window is None:
            return ((" ".join(words[:position]), word) for position, word in enumerate(words))
        padded = [_BOS] * self.window + words
        return ((" ".join(padded[position : position + self.window]), word) for position, word in enumerate(words))

    def after(self, prefix: str) -> dict[str, float]:
        """Return the words that may follow `prefix` with their probabilities, most probable first.

        Raises
        ------
        KeyError
            If no sentence has such a context.
        """
        words = prefix.split()
        if self.window is not None:
            words = ([_BOS] * self.window + words)[len(words) :]
        context = " ".join(words)
        if context not in self._counts:
            raise KeyError(f"nothing follows {context!r}")
        return {word: count / self._totals[context] for word, count in self._counts[context].most_common()}

    def surprise(self, sentence: str) -> list[float]:
        """Return -ln of the probability of each word and of `<eos>`, in nats; inf if the words do not occur in the language."""
        surprise = []
        for context, word in self._tokens(sentence):
            count = self._counts[context][word] if context in self._totals else 0
            surprise.append(log(self._totals[context] / count) if count else inf)
        return surprise

    @property
    def entropy(self) -> float:
        """Return the mean surprise over all tokens of the language, in nats."""
        surprise = sum(
            count * log(self._totals[context] / count) for context, counts in self._counts.items() for count in counts.values()
        )
        return surprise / sum(self._totals.values())
