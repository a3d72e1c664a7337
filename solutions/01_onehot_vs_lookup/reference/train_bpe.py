"""The right answer to 01.train_bpe."""

from collections import Counter

import regex

from embedding_course.data.split import SPLIT


def train_bpe(text: str, vocab_size: int, pattern: str = SPLIT) -> dict[tuple[int, int], int]:
    """Learn the merges of byte-pair encoding from a text (Sennrich et al. 2016, on bytes).

    text        training text
    vocab_size  256 byte ids plus one id for each merge
    pattern     regular expression (module regex) without capturing groups; the chunks are its matches, and no pair
                crosses a cut
    returns     dict from pair of ids to new id, the ids 256, 257, ... in the order of merging

    Each step merges a pair that occurs most often. A pair is counted at every position where it
    occurs (three equal ids in a row hold it twice), in every occurrence of a chunk. Of several pairs with the highest
    count any will do. Training ends early when no pair is left; vocab_size of 256 or less gives {}.

    >>> train_bpe("ab cab", 257)
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
