"""A search that looks into a few lists only: cases."""

from collections.abc import Callable, Iterator, Sequence

import torch
import torch.nn.functional as F

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from ..rankings import any_order, cancelling


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        queries: torch.Tensor,
        vectors: torch.Tensor,
        centroids: torch.Tensor,
        assignment: torch.Tensor | Sequence[int],
        probes: int,
        k: int,
        criterion: str,
        because: str = "",
    ) -> Case:
        args = {"queries": queries, "vectors": vectors, "centroids": centroids,
                "assignment": torch.as_tensor(assignment), "probes": probes, "k": k}
        return Case(name, args, criterion, because=because)

    def lists(count: int, vectors: int) -> torch.Tensor:
        """Return the list of each vector; the lists are about equally long, in random order."""
        return (torch.arange(vectors) % count)[draw.distinct(vectors, vectors)]

    rows, width, count = 3, 7, 5
    total = draw.choice((17, 19))

    def alike() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return queries, and vectors and centroids of norm 1.

        Dot product, cosine and distance then agree; another criterion tells them apart.
        """
        return draw.normal(rows, width), F.normalize(draw.normal(total, width)), F.normalize(draw.normal(count, width))

    given = "The lists are as `assignment` says, whatever the centroids say."
    missed = "Only the probed lists are looked into; the best vector may be missed."
    yield case("one of five lists", *alike(), lists(count, total), 1, 2, "lists", missed).trying("probes")
    yield case("two of five lists", *alike(), lists(count, total), 2, 3, "lists", given).trying("probes", "k how many")
    yield case("three of five lists, one vector", *alike(), lists(count, total), 3, 1, "lists", given).trying("k how many")
    yield case("all lists", *alike(), lists(count, total), count, 4, "lists", "With all lists the search is exact.").trying(
        "probes")
    yield case("as many queries as lists", draw.normal(5, width), *alike()[1:], lists(count, total), 2, 3, "lists")
    points = torch.tensor([[2.0, 0.0], [1.0, 0.1], [0.0, 3.0]])
    example = torch.tensor([[1.0, 0.9]]), points, torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    yield case("docstring example", *example, [0, 0, 1], 1, 3, "lists", missed).trying("-1 where there are fewer")
    yield from _lengths(draw, case)

    missing = "Where the probed lists hold fewer than k vectors, -1 stands."
    yield case("lists shorter than k", *alike(), lists(count, total), 1, 6, "missing", missing).trying(
        "-1 where there are fewer")
    yield case("k above the number of vectors", *alike(), lists(count, total), count, total + 2, "missing", missing).trying(
        "it may exceed", "-1 where there are fewer")
    yield from _small(draw, case)
    yield from _cancelled(draw, lists, total, case)
    asked, stored, centres = (F.normalize(draw.uniform(size, width, low=0.1)) for size in (rows, total, count))
    members = lists(count, total)
    yield case("large vectors", 3e3 * asked, 3e3 * stored, 3e3 * centres, members, 2, 3, "numbers").trying("returns")
    yield case("gaps in memory", strided(asked), strided(stored), strided(centres), strided(members), 2, 3, "numbers").trying(
        "queries", "vectors (N, d)", "centroids (C, d)", "assignment")
    yield case("a single query", asked[:1], stored, centres, members, 2, 3, "numbers").trying("queries")
    yield case("a single list", asked, stored, draw.normal(1, width), lists(1, total), 1, 3, "numbers").trying(
        "centroids (C, d)", "probes")


def _lengths(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    # The nearest centroid is the first by dot product, the second by angle, the third by distance.
    far = torch.tensor([[6.0, 8.0, 0.0], [3.0, 0.3, 0.0], [0.6, 0.6, 0.0]])
    ask = torch.tensor([[1.0, 0.0, 0.0], [0.9, 0.1, 0.2]])
    yield case("centroids of different lengths", ask, draw.normal(7, 3), far, [0, 1, 2, 0, 1, 2, 0], 1, 2, "dot product",
               "The nearest lists are those whose centroids have the largest dot products.")
    # Likewise two by two; the last one is in another list.
    spread = torch.tensor([[4.0, 9.0, 0.0], [5.0, 0.0, 20.0], [3.0, 0.2, 0.0], [0.4, 0.0, 0.0], [0.9, 0.3, 0.1],
                           [1.0, 0.5, 0.0], [-1.0, 3.0, 3.0]])
    order = draw.distinct(7, 7)
    yield case("vectors of different lengths", ask, spread[order], far, (order == 6).long(), 1, 2, "dot product",
               "The vectors are compared by dot product as well.").trying("returns")
    opposite = (-draw.uniform(2, 3, low=0.5, high=1.0), draw.uniform(7, 3, low=0.5, high=1.0))
    negative = (*opposite, draw.uniform(2, 3, low=0.5, high=1.0))
    members = draw.shuffled([0, 1, 0, 1, 0, 1, 0])
    yield case("all dot products negative", *negative, members, 1, 2, "dot product")
    below = "A vector of a probed list is an answer, however far below 0 its dot product is."
    distant = (9e3 * opposite[0], 9e3 * opposite[1], 9e3 * F.normalize(negative[2]))
    yield case("large vectors, all dot products negative", *distant, members, 1, 5, "numbers", below).trying("Near means")
    vast = [draw.uniform(size, 13, low=9e3, high=9.9e3) for size in (2, 7)]
    yield case("dot products below minus a billion", -vast[0], vast[1], F.normalize(draw.uniform(2, 13, low=0.1)),
               members, 1, 5, "numbers", below).trying("Near means")


def _small(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    """Yield cases with lists that are small enough to follow by eye."""
    corners = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    points = torch.tensor([[2.0, 0.0], [1.0, 0.1], [0.0, 3.0], [0.2, 1.0]])
    aside = torch.tensor([[1.0, 0.9]])
    both = torch.cat([aside, aside.flip(1)])
    yield case("the best one is in the other list", aside, points, corners, [0, 0, 1, 1], 1, 2, "numbers",
               "Only the probed lists are looked into; the best vector may be missed.").trying("assignment")
    yield case("each query has its own lists", both, points, corners, [0, 0, 1, 1], 1, 2, "numbers").trying("probes")
    away = torch.tensor([[2.0, 0.0], [-1.0, 0.5], [0.0, 3.0], [0.2, 1.0]])
    yield case("a vector that points away", torch.tensor([[1.0, 0.2]]), away, corners, [0, 0, 1, 1], 1, 2, "numbers").trying(
        "returns")
    twice = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    yield case("the same vector stored twice", torch.tensor([[1.0, 0.5]]), twice, corners, [0, 0, 1], 1, 2, "numbers",
               "Vectors are told apart by their number, not by their dot product: both are found.").trying("vectors (N, d)")
    better = torch.cat([torch.tensor([5.0, 0.0]) + draw.uniform(60, 2), torch.tensor([[0.1, 0.2], [-0.3, 0.1], [0.4, 0.3]])])
    order = draw.distinct(63, 63)
    two = torch.tensor([[2.0, 0.0], [1.0, 0.0]])
    yield case("sixty better ones in the other list", torch.tensor([[1.0, 0.2]]), better[order], two, (order < 60).long(), 1, 2,
               "missing", "However many are better, what the probed list holds is found.")
    yield case("an empty list is the nearest", aside, points, corners, [1, 1, 1, 1], 1, 2, "missing",
               "An empty list counts as a probe all the same.").trying("a list may be empty", "empty ones")
    yield case("an empty list and another one", aside, points, corners, [1, 1, 1, 1], 2, 3, "missing").trying(
        "a list may be empty", "empty ones")
    apart = torch.tensor([[-2.0, 0.0], [1.0, 0.1], [0.0, 3.0], [0.2, 1.0]])
    yield case("one vector in the list", both, apart, corners, [0, 1, 1, 1], 1, 3, "missing",
               "Where the probed lists hold fewer than k vectors, -1 stands.").trying("-1 where there are fewer")


def _cancelled(draw: RandomInputs, lists: Callable[..., torch.Tensor], total: int, case: Callable[..., Case]) -> Iterator[Case]:
    """Yield float64 cases in which the first two columns decide among the vectors, and the next two choose the lists."""
    near = F.pad(cancelling(torch.arange(total)[:, None].double()), (0, 5))
    centres = F.pad(cancelling(draw.distinct(5, 5)[:, None].double()), (2, 3))
    signs = torch.tensor([[1.0], [-1.0], [2.0]])
    ask = torch.cat([torch.ones(3, 2), signs, signs, draw.normal(3, 3)], dim=1).double()
    equal = "In float32 the vectors would all be equal, and so would the centroids."
    members = lists(5, total)
    yield case("float64, what matters nearly cancels", ask, near, centres, members, 2, 2, "numbers", equal).trying(
        "queries", "vectors (N, d)", "centroids (C, d)")
    yield case("float64, the same vectors turned round", ask, near.flip(0), centres, members, 2, 2, "numbers", equal).trying(
        "queries", "vectors (N, d)", "centroids (C, d)")


inverted_file_search = Exercise(
    id="11.inverted_file_search",
    title="Search in a few lists",
    why="Vector databases do not compare a query with everything: they search a few lists, and miss a few neighbours.",
    difficulty=3,
    minutes=10,
    criteria=(
        Criterion("lists", 1, "the k best among the vectors of the probed lists, for each query its own",
                  tries=("queries", "vectors (N, d)", "centroids (C, d)", "assignment", "returns")),
        Criterion("dot product", 1, "lists and vectors are compared by dot product", tries=("Near means",)),
        Criterion("missing", 0.5, "-1 where the probed lists hold fewer than k vectors"),
        Criterion("numbers", 0.5, "one query, one list, large vectors, float64, any memory layout"),
    ),
    hints=(
        "Two searches one after the other: which lists, then which vectors of those lists.",
        "For one query: the `probes` centroids with the largest dot products; a vector is a candidate when its list is "
        "one of them. `torch.isin` answers that for all vectors.",
        "Keep the indices of the candidates, not only their dot products, so that the best ones can be named; start "
        "from a result full of -1 and fill in as many as there are.",
    ),
    cases=_cases,
    compare=any_order,
)
