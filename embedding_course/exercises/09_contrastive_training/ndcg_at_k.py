"""NDCG at k: cases and comparison."""

from collections.abc import Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, RandomInputs, strided
from ..drivers import reported_as
from .measures import CLOSE


def _grades(draw: RandomInputs, count: int, first: int = 0) -> list[int]:
    """Return grades from 0 to 4 in random order, some of them equal; `first` comes first, and the 4 is in the second half."""
    some = [draw.integer(0, 3) for _ in range(count - 4)]
    front = [first, *draw.shuffled([2, *some[: count // 2 - 2]])]
    return [*front, *draw.shuffled([4, 1, *some[count // 2 - 2 :]])]


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, gains: Any, k: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"gains": gains, "k": k}, criterion, because=because)

    grades = "A gain g counts 2 ** g - 1, divided by log2(2), log2(3), log2(4), …"
    yield case("some grades", _grades(draw, 6), 6, "value", grades)
    yield case("more grades", _grades(draw, 9, 1), 9, "value", grades)
    many = draw.integer(17, 23)
    yield case("many grades", _grades(draw, many), many, "value", grades)
    hits = [0, 0, 0, 0, 1]
    yield case("right or wrong", [0, *draw.shuffled([1, *hits]), *draw.shuffled([1, *hits])], 13, "value",
               "Rank 1 counts 1, rank 2 counts 1 / log2(3).")
    yield case("docstring example", [0, 1], 2, "value", "Rank 1 counts 1, rank 2 counts 1 / log2(3).")
    yield case("docstring example 2", [1, 3, 2], 3, "value")

    best = "The ideal is the best order of all given gains, and it is cut at k as well."
    yield case("k below the number of gains", _grades(draw, 9, 1), 3, "cut", best).trying("The sum over")
    yield case("the best ones come after k", _grades(draw, 8, 1), draw.integer(2, 4), "cut", best).trying("The sum over")
    yield case("half of the gains", _grades(draw, 12, 1), draw.integer(4, 6), "cut", best).trying("The sum over")
    yield case("only the first place counts", [1, *draw.shuffled([0, 1, 2, 3])], 1, "cut").trying("The sum over", "k at least")
    yield case("k above the number of gains", _grades(draw, 6), 8, "cut", "What is not there counts nothing.").trying(
        "it may exceed")
    yield case("k far above the number of gains", _grades(draw, 7), 40, "cut").trying("it may exceed")
    yield case("the worst order", sorted(_grades(draw, 9)), 7, "cut", best).trying("returns")
    yield from _kinds(draw)


def _kinds(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, gains: Any, k: int, because: str = "") -> Case:
        return Case(name, {"gains": gains, "k": k}, "kinds", because=because)

    def nothing(name: str, gains: Any, k: int, because: str = "Where nothing can be gained the measure is 0.") -> Case:
        return Case(name, {"gains": gains, "k": k}, "nothing to gain", because=because)

    yield case("an int64 tensor", torch.tensor(_grades(draw, 8)), 4)
    yield case("a float32 tensor", torch.tensor(_grades(draw, 8), dtype=torch.float32), 4)
    yield case("a float64 tensor with gaps in memory", strided(torch.tensor(_grades(draw, 8), dtype=torch.float64)), 5)
    yield case("a list of floats", [float(gain) for gain in _grades(draw, 8, 1)], 3)
    yield case("halves", [0.5, 2.5, *draw.shuffled([1.5, 0.0, 3.0])], 4, "A grade may lie between two whole ones.").trying(
        "Rank i = 1")
    yield case("whole numbers and halves", [0, *draw.shuffled([0.5, 2.5]), 1], 3).trying("Rank i = 1")
    yield case("gains below 1", [0.25, *draw.shuffled([0.0, 0.5, 0.75])], 3, "A gain below 1 is a gain.").trying("Rank i = 1")
    yield case("a tensor of halves", torch.tensor([1.5, 0.0, *draw.shuffled([2.5, 0.5])]), 3).trying("Rank i = 1")
    yield case("large gains", [3, 12, *draw.shuffled([9, 0]), 11], 4).trying("Rank i = 1")

    yield nothing("no gain at all", [0, 0, 0], 2).trying("0 when no gain")
    yield nothing("a tensor of zeros", torch.zeros(4), 2).trying("0 when no gain")
    yield nothing("an empty list", [], 3).trying("it may be empty", "0 when no gain")
    yield nothing("an empty tensor", torch.zeros(0), 3).trying("it may be empty", "0 when no gain")
    yield nothing("docstring example 3", [0, 0], 2).trying("0 when no gain")
    yield nothing("nothing before k, something after", [0, 0, *draw.shuffled([2, 1])], 2, "Nothing was gained.").trying(
        "returns")
    yield nothing("a single gain", [draw.integer(1, 3)], 3, "It cannot be better: 1.").trying("returns")
    yield nothing("the best order", sorted(_grades(draw, 6), reverse=True), 6, "It cannot be better: 1.").trying("returns")


ndcg_at_k = Exercise(
    id="09.ndcg_at_k",
    title="NDCG at k",
    why="Answers are not only right or wrong: this measure, the one in most leaderboards, takes grades and ranks into account.",
    difficulty=2,
    minutes=15,
    core=False,
    criteria=(
        Criterion("value", 1, "what was gained, discounted by rank, as a fraction of the best that was possible",
                  tries=("Rank i = 1", "The sum over", "gains list")),
        Criterion("cut", 1, "both lists are cut at k, the best order is that of all gains"),
        Criterion("kinds", 0.5, "lists and tensors, whole grades and halves, large gains", tries=("gains list",)),
        Criterion("nothing to gain", 0.5, "no gain at all, one gain, no list"),
    ),
    hints=(
        "First write the sum for one list: each gain by its grade, divided by its discount. Rank 1 has the "
        "discount log2(2), which is 1.",
        "Which order has the largest sum? Sort all gains, not only the first k, and cut afterwards.",
        "Divide the DCG of the first k by the DCG of the first k sorted gains; return 0 if that is 0. `sorted` makes a new "
        "list, `list.sort` changes the caller's.",
    ),
    cases=_cases,
    run=reported_as("NDCG"),
    compare=Comparison(rounding={"NDCG": CLOSE}),
)
