"""Group pairs that must stay in the same split because their texts are nearly the same."""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from .api_clean import words_of

SUMMARIES, BODIES = 0.7, 0.5  # Smallest similarities of near-duplicates.
RUN, COMMON, ROWS = 5, 100, 512


def groups_of(pairs: Sequence[tuple[str, str]]) -> list[int]:
    """Return the group of each (summary, body) pair.

    Two pairs are in the same group if their summaries or their bodies are nearly identical, or if the body of one contains the
    summary of the other.

    Examples
    --------
    >>> groups_of([("Sort the array", "b"), ("Compute a mean", "c"), ("Sort an array up", "d"), ("x", "to sort an array up")])
    [0, 1, 2, 2]
    """
    summaries = [words_of(summary) for summary, _ in pairs]
    bodies = [words_of(body) for _, body in pairs]
    runs = [_runs(words) for words in bodies]
    alike = _similar_pairs([set(words) for words in summaries], SUMMARIES, len(pairs))
    links = [alike, _similar_pairs(runs, BODIES, COMMON), _quoting_pairs(summaries, bodies)]
    rows, columns = (np.concatenate([link[side] for link in links]) for side in (0, 1))
    graph = csr_matrix((np.ones(len(rows), dtype=bool), (rows, columns)), shape=(len(pairs), len(pairs)))
    return connected_components(graph, directed=False)[1].tolist()


def _runs(words: list[str]) -> set[int]:
    """Return all n-grams of five words, each as a hash that is stable within this process."""
    return set(map(hash, zip(*(words[start:] for start in range(RUN)), strict=False)))


def _similar_pairs(sets: Sequence[set], least: float, common: int) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of sets whose Jaccard similarity is at least `least`; members of more than `common` sets are ignored."""
    column: dict[object, int] = {}
    columns = [[column.setdefault(member, len(column)) for member in each] for each in sets]
    indices = np.fromiter((column_index for each in columns for column_index in each), dtype=np.int64)
    starts = np.cumsum([0, *map(len, columns)])
    table = csr_matrix((np.ones(len(indices), dtype=np.int32), indices, starts), shape=(len(sets), max(len(column), 1)))
    table = table[:, np.asarray(table.sum(axis=0)).ravel() <= common]
    sizes = np.asarray(table.sum(axis=1)).ravel()
    pairs = []
    for start in range(0, len(sets), ROWS):
        both = (table[start : start + ROWS] @ table.T).tocoo()
        left, right = both.row + start, both.col
        near = (left < right) & (both.data >= least * (sizes[left] + sizes[right] - both.data))
        pairs.append((left[near], right[near]))
    return np.concatenate([left for left, _ in pairs]), np.concatenate([right for _, right in pairs])


def _quoting_pairs(summaries: list[list[str]], bodies: list[list[str]]) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs (summary, body) where the body contains the words of the summary, at least four, in order."""
    first: dict[tuple[str, ...], list[int]] = {}
    for at, words in enumerate(summaries):
        if len(words) >= 4:
            first.setdefault(tuple(words[:4]), []).append(at)
    pairs = {
        (index, other)
        for other, words in enumerate(bodies)
        for start in range(len(words) - 3)
        for index in first.get(tuple(words[start : start + 4]), ())
        if index != other and words[start : start + len(summaries[index])] == summaries[index]
    }
    links = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    return links[:, 0], links[:, 1]
