"""The right answer to 01.build_vocab."""

from collections import Counter
from collections.abc import Sequence


def build_vocab(
    sentences: Sequence[str],
    min_freq: int = 1,
    specials: Sequence[str] = ("<pad>", "<unk>", "<bos>", "<eos>"),
) -> dict[str, int]:
    """Give every word of a text an id.

    sentences  list of strings; words are separated by white space of any kind and length,
               and keep their capitals and punctuation
    min_freq   words that occur at least this often stay
    specials   special tokens, which come first, in this order; one that occurs in the text keeps its id
    returns    dict from word to id: the specials, then the words by falling frequency,
               words of equal frequency by first appearance

    >>> build_vocab(["b a", "a c a c"], specials=("<pad>", "<unk>"))
    {'<pad>': 0, '<unk>': 1, 'a': 2, 'c': 3, 'b': 4}
    """
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}
