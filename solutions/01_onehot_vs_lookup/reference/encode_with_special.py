"""The right answer to 01.encode_with_special."""

import regex

from embedding_course.data.split import SPLIT


def encode_with_special(
    text: str, merges: dict[tuple[int, int], int], special: dict[str, int], pattern: str = SPLIT
) -> list[int]:
    """Turn a text into token ids, and the special strings in it into their ids.

    The text is read from left to right: where special strings overlap, the one that begins first wins, and of those that
    begin at the same position the longest. Nothing merges across a special token: bpe_encode encodes the text between
    two of them.

    text     any text
    merges   what train_bpe returned
    special  dict from strings, none of them empty, to their ids, 256 + len(merges) or more; an empty one changes nothing
    pattern  the regular expression that train_bpe used
    returns  list of ids

    >>> encode_with_special("ab<|end|>ab", {(97, 98): 256}, {"<|end|>": 257})
    [256, 257, 256]
    """
    if not special:
        return bpe_encode(text, merges, pattern)
    longest_first = sorted(special, key=len, reverse=True)
    marks = "|".join(regex.escape(string) for string in longest_first)
    encoded: list[int] = []
    for part in regex.split(f"({marks})", text):
        encoded += [special[part]] if part in special else bpe_encode(part, merges, pattern)
    return encoded
