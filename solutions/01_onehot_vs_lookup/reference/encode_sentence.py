"""The right answer to 01.encode_sentence."""



def encode_sentence(sentence: str, vocab: dict[str, int]) -> list[int]:
    """Turn a sentence into the ids of its words.

    sentence  words separated by white space of any kind and length
    vocab     dict from word to id that holds "<unk>"
    returns   list of ids, one a word; a word outside the vocabulary becomes the id of "<unk>"

    >>> encode_sentence("a x", {"<unk>": 1, "a": 2})
    [2, 1]
    """
    return [vocab.get(word, vocab["<unk>"]) for word in sentence.split()]
