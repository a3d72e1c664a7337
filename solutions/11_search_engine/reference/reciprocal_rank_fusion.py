"""The right answer to 11.reciprocal_rank_fusion."""

from collections import defaultdict
from collections.abc import Sequence


def reciprocal_rank_fusion(rankings: Sequence[Sequence[int]], k: int = 60) -> list[int]:
    """Merge several rankings into one by ranks alone, so that the units of their scores do not matter.

    An id's score is the sum of 1 / (k + rank) over the rankings in which it stands; ranks are counted from 1, and a ranking
    in which it does not stand adds nothing. Of equal scores the smaller id comes first.

    rankings  a list of lists of ids (whole numbers), best first, no id twice in one list; they need not hold the same ids
              nor be equally long, and any of them may be empty. They are not modified
    k         how little the first places weigh: at least 1
    returns   a list of all ids that stand in any ranking, each once, the highest score first; [] for no rankings

    >>> reciprocal_rank_fusion([[30, 10, 20], [10, 50, 30]])
    [10, 30, 50, 20]
    >>> reciprocal_rank_fusion([[70, 40], [40, 70]], k=1)
    [40, 70]
    >>> reciprocal_rank_fusion([])
    []

    Source: Cormack, Clarke and Büttcher, Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
    Methods, 2009 (there k = 60).
    """
    scores: dict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] += 1 / (k + rank)
    return sorted(scores, key=lambda number: (-scores[number], number))
