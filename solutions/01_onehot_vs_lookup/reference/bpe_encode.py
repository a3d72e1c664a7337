"""The right answer to 01.bpe_encode."""

import math

import regex

from embedding_course.data.split import SPLIT


def bpe_encode(text: str, merges: dict[tuple[int, int], int], pattern: str = SPLIT) -> list[int]:
    """Turn a text into token ids: cut it into chunks, then apply the merges in the order in which they were learned.

    text     any text
    merges   what train_bpe returned
    pattern  the regular expression that train_bpe used; the chunks are its matches
    returns  list of ids

    >>> bpe_encode("ab", {(97, 98): 256})
    [256]
    """
    encoded: list[int] = []
    for chunk in regex.findall(pattern, text):
        ids = list(chunk.encode("utf-8"))
        while len(ids) > 1:
            pair = min(zip(ids, ids[1:], strict=False), key=lambda pair: merges.get(pair, math.inf))
            if pair not in merges:
                break
            ids = merge_pair(ids, pair, merges[pair])
        encoded += ids
    return encoded
