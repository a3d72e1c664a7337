"""From ranks to points: nothing for no answer, half for BM25's quality, all for the course's own best."""

from collections.abc import Sequence

import msgspec


class NoAnchors(RuntimeError):
    """The course's own engines failed, or came out in the wrong order: no points can be given."""


class Measures(msgspec.Struct, frozen=True):
    """Of some queries: the share whose first document was right, and the mean of 1 / rank of the first right one."""

    recall: float
    mrr: float

    @property
    def quality(self) -> float:
        return (self.recall + self.mrr) / 2


def measures(ranks: Sequence[int]) -> Measures:
    """Of ranks from 1; 0 where no right document was found.

    >>> measures([1, 2, 0, 1])
    Measures(recall=0.5, mrr=0.625)
    """
    if not ranks:
        return Measures(0.0, 0.0)
    return Measures(sum(rank == 1 for rank in ranks) / len(ranks), sum(1 / rank for rank in ranks if rank) / len(ranks))


def share(quality: float, bm25: float, course: float) -> float:
    """The share of the points, in two straight lines through (0, 0), (bm25, 1/2) and (course, 1). NoAnchors unless
    0 < bm25 < course.

    >>> [round(share(quality, 0.3, 0.4), 3) for quality in (0, 0.15, 0.3, 0.35, 0.5)]
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    if not 0 < bm25 < course:
        raise NoAnchors(f"BM25 came to {bm25:.3f} here and the course's own engine to {course:.3f}: no points can be given")
    if quality <= bm25:
        return quality / bm25 / 2
    return min(1.0, 0.5 + (quality - bm25) / (course - bm25) / 2)
