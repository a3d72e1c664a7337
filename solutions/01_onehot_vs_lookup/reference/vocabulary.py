"""Right answers to notebook 01: vocabulary and encoding."""

from collections import Counter
from collections.abc import Sequence


def build_vocab(
    sentences: Sequence[str],
    min_freq: int = 1,
    specials: Sequence[str] = ("<pad>", "<unk>", "<bos>", "<eos>"),
) -> dict[str, int]:
    """Give every word of a text an id.

    sentences  list of strings; words are separated by white space of any kind and length,
               and stand as they are, capitals and punctuation included
    min_freq   words counted at least this often stay
    specials   names that come first, in this order; one that occurs in the text keeps its id
    returns    dict from word to id: the specials, then the words by falling frequency,
               those of one frequency by first appearance

    >>> build_vocab(["b a", "a c"], specials=("<pad>", "<unk>"))
    {'<pad>': 0, '<unk>': 1, 'a': 2, 'b': 3, 'c': 4}
    """
    counts = Counter(word for sentence in sentences for word in sentence.split())
    words = [word for word, count in counts.most_common() if count >= min_freq and word not in specials]
    return {word: index for index, word in enumerate([*specials, *words])}


def encode_sentence(sentence: str, vocab: dict[str, int]) -> list[int]:
    """Turn a sentence into the ids of its words.

    sentence  words separated by white space of any kind and length
    vocab     dict from word to id that holds "<unk>"
    returns   list of ids, one a word; a word outside the vocabulary becomes the id of "<unk>"

    >>> encode_sentence("a x", {"<unk>": 1, "a": 2})
    [2, 1]
    """
    return [vocab.get(word, vocab["<unk>"]) for word in sentence.split()]
