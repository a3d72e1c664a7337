"""The right answer to 01.merge_pair."""

from collections.abc import Sequence


def merge_pair(ids: Sequence[int], pair: tuple[int, int], new_id: int) -> list[int]:
    """Replace every occurrence of a pair of neighbours by one new id, from left to right.

    ids      list of ids
    pair     the two neighbours to replace
    new_id   the id that replaces them
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
