"""Tables of merges for the cases on encoding and decoding, with texts that they were learned from."""

from collections.abc import Mapping, Sequence

from ...checking.exercise import RandomInputs
from . import corpora
from .texts import rename, words_of

Merges = dict[tuple[int, int], int]


def numbered(pairs: Sequence[tuple[int, int]], letters: Mapping[str, str], count: int | None = None) -> Merges:
    """Return the first `count` merges of a shipped table with renamed letters, and with the ids 256, 257 and so on."""
    names = {ord(old): ord(new) for old, new in letters.items()}
    renamed = [tuple(names.get(token, token) for token in pair) for pair in pairs[:count]]
    return {(left, right): 256 + index for index, (left, right) in enumerate(renamed)}


def learned(draw: RandomInputs, count: int | None = None, runs: bool = True) -> tuple[Merges, list[str]]:
    """Return a table that was learned from one of the texts, and words of that text.

    With `runs`, the text may be one with runs of one letter.
    """
    texts = (*corpora.WORDS, *corpora.RUNS) if runs else corpora.WORDS
    index = draw.integer(0, len(texts) - 1)
    counts, letters = texts[index], rename(draw)
    return numbered(corpora.MERGES[index], letters, count), words_of(draw, counts, letters)


def learned_in_pieces(draw: RandomInputs) -> tuple[Merges, list[str]]:
    """Return a table that was learned from a text cut by the pattern `corpora.PIECES`, and words of that text."""
    index = draw.integer(0, 2)
    letters = rename(draw)
    return numbered(corpora.PIECES_MERGES[index], letters), words_of(draw, corpora.PIECES_WORDS[index], letters)


def across(merges: Merges) -> str:
    """Return a word of four letters that `PIECES` cuts between the two letters of the first merge, and SPLIT does not."""
    left, right = next(iter(merges))
    return f" zz{chr(left)}{chr(right)}"


CHINESE = numbered(corpora.CHINESE_MERGES, {})

#: A text with a seam of every kind that patterns differ in, and pairs that lie across the seams.
SEAMS = "🙂🙂 爱狗x cafe\u0301 1111 it's , (x  x.\n"
SEAM_TABLE = numbered(
    [(151, 120), (177, 231), (32, 231), (101, 204), (49, 49), (39, 115), (32, 44), (32, 32), (32, 120), (40, 120), (46, 10),
     (130, 240)], {},
)
