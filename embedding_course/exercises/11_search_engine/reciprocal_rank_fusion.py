"""One ranking of several: cases."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs

#: With these, different choices of up to three ranks from 1 to 9 never have sums nearer than 5e-7: no order is in doubt.
_CLEAR = (17, 23, 30, 31, 40, 47)


def _ids(draw: RandomInputs, count: int, low: int = 10, many: int = 90) -> list[int]:
    return (low + draw.distinct(count, many)).tolist()


def _positions(rankings: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the positions of each id in the lists in which it stands, from 0, in rising order."""
    positions: dict[int, list[int]] = defaultdict(list)
    for ranking in rankings:
        for position, number in enumerate(ranking):
            positions[number].append(position)
    return [sorted(some) for some in positions.values()]


def _told_apart(rankings: Sequence[Sequence[int]]) -> bool:
    """Return True if five decimals tell all ids apart, for each k that is tried; so no two ids have the same ranks."""
    everywhere = _positions(rankings)
    return all(
        len({round(math.fsum(1 / (k + 1 + position) for position in some), 5) for some in everywhere}) == len(everywhere)
        for k in (60, 100, *_CLEAR)
    )


def _rankings(draw: RandomInputs, ids: Sequence[int], *lengths: int) -> list[list[int]]:
    """Return rankings of these lengths, in which no two ids have the same ranks and no list is sorted."""
    while True:
        rankings = [draw.shuffled(ids)[:length] for length in lengths]
        unsorted = all(ranking != sorted(ranking) for ranking in rankings if len(ranking) > 2)
        if unsorted and _told_apart(rankings):
            return rankings


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, rankings: list[list[int]], criterion: str, because: str = "", **options: Any) -> Case:
        by_position = {"k": options.pop("by_position")} if "by_position" in options else {}
        return Case(name, {"rankings": rankings, **by_position}, criterion, options, because=because)

    first = "Ranks are counted from 1."
    yield case("two rankings of seven ids", _rankings(draw, _ids(draw, 7), 7, 7), "order", first)
    yield case("two rankings of nine ids", _rankings(draw, _ids(draw, 9), 9, 9), "order", first)
    yield case("three rankings", _rankings(draw, _ids(draw, 8), 8, 8, 8), "order", first)
    yield case("as many rankings as ids", _rankings(draw, _ids(draw, 3), 3, 3, 3), "order", first)
    large, small, *others = sorted(_ids(draw, 5), reverse=True)
    convex = [[large, others[0], small, others[1], others[2]], [others[1], others[2], small, others[0], large]]
    yield case("ranks 1 and 5 against 3 and 3", convex, "order", "1/61 + 1/65 is a little more than 2/63.")

    yield from _unlike(draw, case)

    tie = "Of equal scores the smaller id comes first."
    pair = sorted(_ids(draw, 2))
    yield case("two ids change places", [pair[::-1], pair], "equal", tie)
    turned = _ids(draw, 7)
    yield case("a ranking and the same turned round", [turned, turned[::-1]], "equal", tie)
    apart = _ids(draw, 8)
    yield case("nothing in common", [apart[:4], apart[4:]], "equal", tie)
    first_two = sorted(apart)[:2]  # in the shortest list: what a longer list adds to it shows in the order
    others = [number for number in apart if number not in first_two]
    yield case("three times nothing in common", [others[:3], others[3:], first_two[::-1]], "equal", tie)
    yield case("docstring example 2", [[70, 40], [40, 70]], "equal", tie, k=1)

    yield from _by_k(draw, case)
    yield case("no rankings", [], "sizes", "Nothing comes back: an empty list.").trying("[] for no rankings")
    yield case("docstring example 3", [], "sizes").trying("[] for no rankings")
    yield case("empty rankings only", [[], []], "sizes", "Nothing comes back: an empty list.").trying(
        "and any of them", "[] for no rankings")
    yield case("one ranking", _rankings(draw, _ids(draw, 7), 7), "sizes", "A single ranking stays as it is.")
    yield case("one ranking of one id", [_ids(draw, 1)], "sizes")
    yield case("a long ranking", _rankings(draw, _ids(draw, 79, many=900), 79), "sizes")
    yield case("very large ids", _rankings(draw, _ids(draw, 7, 10**12), 7, 7), "sizes")
    spread = [draw.integer(1, 9) * 10**power for power in (12, 9, 6, 3, 0)]
    yield case("ids of very different sizes", [spread, [spread[0], spread[2], spread[1], *spread[3:]]], "sizes",
               "An id decides between equal scores only, however large it is.")
    yield case("a very long ranking", [draw.shuffled(range(640))], "sizes",
               "Behind rank 300 neighbours differ by less than a hundred-thousandth, and still differ.")
    yield case("the id 0 and ids without gaps", _rankings(draw, _ids(draw, 7, 0, 7), 7, 7), "sizes")


def _unlike(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    absent = "A ranking in which an id does not stand adds nothing to its score."
    ids = _ids(draw, 11)
    yield case("some ids in one ranking only", _rankings(draw, ids[:9], 6, 6), "different ids", absent)
    yield case("three rankings, some ids in one only", _rankings(draw, ids, 7, 7, 7), "different ids", absent)
    yield case("rankings of different lengths", _rankings(draw, ids[:9], 9, 4), "different ids", absent)
    yield case("the shorter ranking first", _rankings(draw, ids[:9], 3, 9, 5), "different ids", absent)
    best, both, one, two, three, four, *_ = ids
    late = [[best, one, two, both], [one, two, three, four, both]]
    yield case("first in one, fourth and fifth in both", late, "different ids", "1/64 + 1/65 is more than 1/61.")
    yield case("an empty ranking among others", [*_rankings(draw, ids[:7], 5), []], "different ids", absent).trying(
        "and any of them")
    yield case("docstring example", [[30, 10, 20], [10, 50, 30]], "different ids", absent)


def _by_k(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    yield case("a first place against two late ones", _balanced(draw), "k", "1/61 is a little less than 1/121 + 1/122.")
    one, two, three, four, five = _ids(draw, 5)
    steep = [[one, two, three], [two, four, five, three]]
    yield case("a k of 1", steep, "k", "With k = 1 a first place weighs more than a third and a fourth together.", k=1)
    yield case("the same without k", steep, "k", "Unless said otherwise k is 60.")
    yield case("a k given by position", _rankings(draw, _ids(draw, 9), 9, 9), "k", by_position=draw.choice(_CLEAR))
    yield case("a k given by name", _rankings(draw, _ids(draw, 9), 9, 9, 9), "k", k=draw.choice(_CLEAR))
    long = _rankings(draw, _ids(draw, 23), 23)
    yield case("fewer than the ids", long, "k", "k is no number of results: all ids come back.", k=draw.integer(3, 9)).trying(
        "returns")
    yield case("a k of 100", _rankings(draw, _ids(draw, 9), 9, 9), "k", k=100)


def _balanced(draw: RandomInputs) -> list[list[int]]:
    """Return two rankings in which an id at rank 1 of one comes between two others for k = 60, but for no other k.

    One of these has the ranks 61 and 62, the other 62 and 63.
    """
    first, early, late, *rest = _ids(draw, 64)
    return [[first, *rest[:59], early, late], [*rest[:59], *rest[59:61], early, late]]


reciprocal_rank_fusion = Exercise(
    id="11.reciprocal_rank_fusion",
    title="One ranking of several",
    why="A search by words and one by vectors fail on different questions; search engines ask both and merge the ranks.",
    difficulty=1,
    minutes=8,
    criteria=(
        Criterion("order", 1, "all ids, by falling sum of 1 / (k + rank)",
                  tries=("Merge several rankings", "An id's score", "ranks are counted", "rankings a list",
                         "They are not modified", "returns")),
        Criterion("different ids", 0.5, "rankings that do not hold the same ids, or are not equally long",
                  tries=("An id's score", "and a ranking", "they need not hold", "returns")),
        Criterion("equal", 0.5, "of equal scores the smaller id first", tries=("Of equal scores",)),
        Criterion("k", 0.25, "any k from 1 on, 60 unless said otherwise", tries=("k how little",)),
        Criterion("sizes", 0.25, "no ranking, one ranking, empty ones, any ids", tries=("rankings a list",)),
    ),
    hints=(
        "Give every id a score that begins at 0, and add to it while you read the rankings from the front.",
        "`enumerate(ranking, 1)` gives ranks from 1. A dict from id to score has room for any ids; `defaultdict(float)` or "
        "`scores.get(number, 0)` begins at 0.",
        "Sort by two things at once: a key of (minus the score, the id) puts high scores first, and small ids among equals.",
        "`total[one] += 1 / (k + place)`, and at the end `sorted(total, key=lambda one: (-total[one], one))`.",
    ),
    cases=_cases,
)
