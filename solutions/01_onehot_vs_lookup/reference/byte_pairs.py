"""Right answers to notebook 01: byte-pair encoding."""

import math
from collections import Counter
from collections.abc import Sequence

import regex
import tiktoken

from embedding_course.data.split import SPLIT


def merge_pair(ids: Sequence[int], pair: tuple[int, int], new_id: int) -> list[int]:
    """Replace every occurrence of a pair of neighbours by one new id, from left to right.

    ids      list of ids; it is left as it is
    pair     the two neighbours to replace
    new_id   what stands in their place
    returns  a new list; an id belongs to one pair only, so (1, 1) in [1, 1, 1] is replaced once

    >>> merge_pair([1, 2, 3, 1, 2], (1, 2), 9)
    [9, 3, 9]
    """
    merged, place = [], 0
    while place < len(ids):
        if tuple(ids[place : place + 2]) == tuple(pair):
            merged.append(new_id)
            place += 2
        else:
            merged.append(ids[place])
            place += 1
    return merged


def train_bpe(text: str, vocab_size: int, pattern: str = SPLIT) -> dict[tuple[int, int], int]:
    """Learn the merges of byte-pair encoding from a text (Sennrich et al. 2016, on bytes).

    text        what to learn from
    vocab_size  256 byte ids plus one id for each merge
    pattern     regular expression (module regex); the chunks are its matches, and no pair crosses a cut
    returns     dict from pair of ids to new id, the ids 256, 257, ... in the order of merging

    Each step merges a pair that stands side by side most often. A pair is counted at every place where it stands
    (three equal ids in a row hold it twice), in every occurrence of a chunk. Of several pairs with the highest
    count any will do. Training ends early when no pair is left; vocab_size of 256 or less gives {}.

    >>> train_bpe("ab ab ac", 257)
    {(97, 98): 256}
    """
    chunks = [(list(chunk.encode("utf-8")), count) for chunk, count in Counter(regex.findall(pattern, text)).items()]
    merges: dict[tuple[int, int], int] = {}
    while len(merges) < vocab_size - 256:
        pairs: Counter[tuple[int, int]] = Counter()
        for ids, count in chunks:
            for pair in zip(ids, ids[1:], strict=False):
                pairs[pair] += count
        if not pairs:
            break
        best = max(pairs, key=lambda pair: pairs[pair])
        merges[best] = 256 + len(merges)
        chunks = [(merge_pair(ids, best, merges[best]), count) for ids, count in chunks]
    return merges


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


def bpe_decode(ids: Sequence[int], merges: dict[tuple[int, int], int]) -> str:
    """Turn token ids back into text.

    ids      list of ids, each a byte (0 ... 255) or a merge
    merges   what train_bpe returned
    returns  the text; bytes that are no UTF-8 become the replacement character, as in
             bytes.decode("utf-8", errors="replace")

    >>> bpe_decode([256, 33], {(97, 98): 256})
    'ab!'
    """
    tokens = {index: bytes([index]) for index in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    return b"".join(tokens[index] for index in ids).decode("utf-8", errors="replace")


def to_tiktoken(merges: dict[tuple[int, int], int], pattern: str = SPLIT) -> tiktoken.Encoding:
    """Put the learned tokenizer into tiktoken's engine.

    merges   what train_bpe returned
    pattern  the regular expression that train_bpe used
    returns  a tiktoken.Encoding without special tokens that gives the same ids as bpe_encode; it needs no network

    >>> to_tiktoken({(97, 98): 256}).encode("ab")
    [256]
    """
    tokens = {index: bytes([index]) for index in range(256)}
    for (left, right), new_id in merges.items():
        tokens[new_id] = tokens[left] + tokens[right]
    ranks = {token: index for index, token in tokens.items()}
    return tiktoken.Encoding("my-tokenizer", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
