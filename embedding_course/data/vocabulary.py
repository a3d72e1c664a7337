"""Map words to ids, with the four special tokens of notebook 01."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

SPECIALS = ("<pad>", "<unk>", "<bos>", "<eos>")
PAD, UNK, BOS, EOS = range(4)


class Vocabulary:
    """Map words to ids and back. Ids 0 to 3 are `<pad>`, `<unk>`, `<bos>`, `<eos>`; `words` lists the words by id.

    The other words follow by falling frequency, ties in the order of their characters. `size` is the largest number of words,
    special tokens included. An unknown word has the id of `<unk>`.

    Examples
    --------
    >>> vocabulary = Vocabulary(["b a", "a c"])
    >>> vocabulary.words
    ('<pad>', '<unk>', '<bos>', '<eos>', 'a', 'b', 'c')
    >>> vocabulary.encode("c a x")
    [6, 4, 1]
    >>> vocabulary.decode([6, 4, 3, 0, 0])
    'c a'
    """

    def __init__(self, sentences: Iterable[str], size: int | None = None) -> None:
        counts = Counter(chain.from_iterable(map(str.split, sentences)))
        self.words = (*SPECIALS, *sorted(counts, key=lambda word: (-counts[word], word)))[:size]
        self.ids = {word: index for index, word in enumerate(self.words)}
        self.pad, self.unk, self.bos, self.eos = PAD, UNK, BOS, EOS

    def __len__(self) -> int:
        return len(self.words)

    def encode(self, sentence: str) -> list[int]:
        """Return the ids of the words of a sentence, which are separated by spaces; without `<bos>` and `<eos>`."""
        return [self.ids.get(word, self.unk) for word in sentence.split()]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the words of `ids` up to the first `<eos>`, without `<pad>` and `<bos>`."""
        ids = list(ids)
        if self.eos in ids:
            ids = ids[: ids.index(self.eos)]
        return " ".join(self.words[index] for index in ids if index not in (self.pad, self.bos))
