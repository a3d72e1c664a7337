"""Two towers that recommend, and a search that looks into a few lists only: cases and comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
import torch.nn.functional as F

from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import strided
from .negatives import any_order

__all__ = ["inverted_file_search", "recommend"]


def _towers(
    draw: Draw,
    users: int,
    items: int,
    width: int,
    low: float = -1.0,
    high: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Users at right angles to one another, and items whose likeness to each user is chosen from a ladder.

    So no two items come close for any user. `width` must exceed `users`.
    """
    steps = torch.linspace(low, high, items, dtype=torch.float64)
    likeness = torch.stack([steps[draw.distinct(items, items)] for _ in range(users)], dim=1)  # (I, U)
    likeness = likeness * (0.9 / users) ** 0.5
    turned = torch.linalg.qr(draw.normal(width, width, dtype=torch.float64))[0]
    rest = draw.normal(items, width - users, dtype=torch.float64)
    rest = rest * ((1 - (likeness**2).sum(dim=1)).sqrt() / torch.linalg.vector_norm(rest, dim=1))[:, None]
    sizes = draw.uniform(users, 1, low=0.5, high=3.0, dtype=torch.float64)
    return (sizes * turned[:users]).to(dtype), (torch.cat([likeness, rest], dim=1) @ turned).to(dtype)


def _unequal(draw: Draw, items: torch.Tensor) -> torch.Tensor:
    """The same directions, some items 30 times as long as others."""
    sizes = torch.logspace(-0.5, 1.0, len(items), dtype=items.dtype)[draw.distinct(len(items), len(items))]
    return items * sizes[:, None]


def _cancelling(likes: torch.Tensor) -> torch.Tensor:
    """Two columns for each column of small whole numbers, whose sum is a millionth of it and whose parts are large."""
    large = torch.full_like(likes, 4096.0)
    return torch.stack([large, 1e-6 * (1 + likes) - large], dim=-1).flatten(1)


def _recommend_cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str, towers: tuple[torch.Tensor, torch.Tensor], seen: torch.Tensor, k: int, criterion: str, because: str = ""
    ) -> Case:
        users, items = towers
        return Case(name, {"users": users, "items": items, "seen": seen, "k": k}, criterion, because=because)

    def none(users: int, items: int) -> torch.Tensor:
        return torch.zeros(users, items, dtype=torch.bool)

    def some(users: int, items: int, left: int) -> torch.Tensor:
        """Each user has seen all items but `left`, every one others."""
        seen = torch.ones(users, items, dtype=torch.bool)
        for row in seen:
            row[draw.distinct(left, items)] = False
        return seen

    first = (torch.tensor([[2.0, 0.0], [0.0, 1.0]]), torch.tensor([[0.6, 0.8], [0.8, 0.6], [-1.0, 0.0], [5.0, 0.5]]))
    yield case("two users, nothing seen", first, none(2, 4), 2, "best first")
    users, items = draw.choice(((2, 7), (3, 7), (3, 11)))
    width = 5
    yield case("all items in order", _towers(draw, users, items, width), none(users, items), items, "best first")
    long = (first[0], torch.tensor([[0.3, 0.02], [20.0, 30.0], [0.1, 9.0], [-8.0, 1.0]]))
    yield case("long items and short ones", long, none(2, 4), 2, "best first", "A cosine does not depend on lengths.")
    tall, wide = _towers(draw, users, items, width)
    yield case("items of many lengths", (tall, _unequal(draw, wide)), none(users, items), 3, "best first")
    yield case("as many items as columns", _towers(draw, 3, 5, 5), none(3, 5), 2, "best first")
    yield case("as many users as items", _towers(draw, 5, 5, 7), none(5, 5), 2, "best first")

    seen = torch.tensor([[False, False, False, True], [True, False, False, False]])
    yield case("each user has seen the best one", first, seen, 2, "unseen")
    new = "What one user has seen may be new to another."
    yield case("half of the items seen", _towers(draw, users, items, width), some(users, items, 4), 3, "unseen", new)
    yield case("as many users as items, some seen", _towers(draw, 5, 5, 7), some(5, 5, 3), 3, "unseen", new)
    cold = _towers(draw, users, items, width, low=-1.0, high=-0.2)
    yield case("all cosines negative", cold, some(users, items, 4), 3, "unseen",
               "An unseen item is better than a seen one, however unlike the user.")  # fmt: skip
    against = (first[0], torch.tensor([[-0.1, -1.0], [-1.0, -0.1], [0.5, 0.5], [-1.0, -1.2]]))
    against_seen = torch.tensor([[False, False, True, False], [False, False, True, False]])
    yield case("almost opposite items", against, against_seen, 3, "unseen")

    turned = (torch.tensor([[1.0, 0.0], [2.0, 0.0]]), torch.tensor([[0.0, 1.0], [2.0, 1.0], [-1.0, 0.0], [1.0, -2.0]]))
    passed = torch.tensor([[True, False, False, False], [False, False, False, True]])
    yield case("an unseen item exactly opposite", turned, passed, 3, "unseen",
               "It has the cosine -1, and is better than a seen one all the same.")  # fmt: skip

    missing = "Where no unseen item is left, -1 stands."
    yield case("fewer unseen than k", _towers(draw, users, items, width), some(users, items, 2), 4, "missing", missing)
    yield case("fewer unseen than k, almost opposite", against, against_seen, 4, "missing", missing)
    seen = some(users, items, 3)
    seen[0] = True
    yield case("one user has seen everything", _towers(draw, users, items, width), seen, 3, "missing", missing)
    yield case("k above the number of items", first, none(2, 4), 6, "missing", missing)
    yield case("k above the number of items, some seen", _towers(draw, 3, 5, 4), some(3, 5, 3), 7, "missing", missing)
    only = torch.tensor([[False], [True], [False]])
    yield case("a single item", _towers(draw, 3, 1, 5, low=0.4), only, 1, "missing", missing)

    yield case("a single user", _towers(draw, 1, items, width), some(1, items, 4), 2, "numbers")
    likes = torch.stack([draw.distinct(7, 7), draw.distinct(7, 7)], dim=1).double()
    pairs = torch.tensor([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 2.0, 2.0]], dtype=torch.float64)
    equal = "In float32 the items would all be equal."
    yield case("float64, what matters nearly cancels", (pairs, _cancelling(likes)), none(2, 7), 3, "numbers", equal)
    yield case("float64, the same items turned round", (pairs, _cancelling(likes).flip(0)), none(2, 7), 3, "numbers", equal)
    yield case("large vectors", (3e3 * against[0], 9e3 * against[1]), against_seen, 3, "numbers")
    tall, wide = _towers(draw, users, items, width)
    yield case("short items", (tall, 2.4e-4 * _unequal(draw, wide)), none(users, items), 3, "numbers",
               "Short vectors have a direction too.")  # fmt: skip
    yield case("very short items", (long[0], 2e-5 * long[1]), none(2, 4), 2, "numbers", "Short vectors have a direction too.")
    gaps = tuple(strided(part) for part in _towers(draw, users, items, width))
    yield case("gaps in memory", (gaps[0], gaps[1]), strided(some(users, items, 4)), 3, "numbers")


recommend = Exercise(
    id="09.recommend",
    title="Recommend by two towers",
    why="One tower for users, one for items: after training, a shop is a nearest-neighbour search with a memory.",
    difficulty=2,
    minutes=12,
    core=False,
    criteria=(
        Criterion("best first", 1, "the items nearest by cosine, best first"),
        Criterion("unseen", 1, "nothing that this user has seen"),
        Criterion("missing", 0.5, "-1 where no unseen item is left"),
        Criterion("numbers", 0.5, "one user, large vectors, float64, any memory layout"),
    ),
    hints=(
        "A user's length changes all scores of a row alike; an item's length does not.",
        "A seen item must come behind every unseen one, also behind one with the cosine -1.",
        "Normalise, multiply, put -inf where seen, top min(k, I). Where the value that came out is -inf, write -1; fill "
        "up to k columns with -1.",
    ),
    cases=_recommend_cases,
)


def _search_cases(draw: Draw) -> Iterator[Case]:
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
                "assignment": torch.as_tensor(assignment), "probes": probes, "k": k}  # fmt: skip
        return Case(name, args, criterion, because=because)

    def lists(count: int, vectors: int) -> torch.Tensor:
        """Every list gets its share of the vectors, in no order."""
        return (torch.arange(vectors) % count)[draw.distinct(vectors, vectors)]

    corners = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    points = torch.tensor([[2.0, 0.0], [1.0, 0.1], [0.0, 3.0], [0.2, 1.0]])
    aside = torch.tensor([[1.0, 0.9]])
    yield case("two lists, one of them searched", torch.tensor([[1.0, 0.2]]), points, corners, [0, 0, 1, 1], 1, 2, "lists")
    yield case("the best one is in the other list", aside, points, corners, [0, 0, 1, 1], 1, 2, "lists",
               "Only the probed lists are looked into; the best vector may be missed.")  # fmt: skip
    yield case("each query has its own lists", torch.cat([aside, aside.flip(1)]), points, corners, [0, 0, 1, 1], 1, 2,
               "lists")  # fmt: skip
    away = torch.tensor([[2.0, 0.0], [-1.0, 0.5], [0.0, 3.0], [0.2, 1.0]])
    yield case("a vector that points away", torch.tensor([[1.0, 0.2]]), away, corners, [0, 0, 1, 1], 1, 2, "lists")
    twice = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    yield case("the same vector stored twice", torch.tensor([[1.0, 0.5]]), twice, corners, [0, 0, 1], 1, 2, "lists",
               "Vectors are told apart by their number, not by their dot product: both are found.")  # fmt: skip
    rows, width, count = 3, 7, 5
    total = draw.choice((17, 19))
    # Of equal lengths, so that dot product, cosine and distance agree; another criterion tells them apart.
    some = (draw.normal(rows, width), F.normalize(draw.normal(total, width)), F.normalize(draw.normal(count, width)))
    given = "The lists are as `assignment` says, whatever the centroids say."
    yield case("two of five lists", *some, lists(count, total), 2, 3, "lists", given)
    yield case("one of five lists", *some, lists(count, total), 1, 2, "lists", given)
    yield case("all lists", *some, lists(count, total), count, 4, "lists", "With all lists the search is exact.")
    yield case("as many queries as lists", draw.normal(5, width), *some[1:], lists(count, total), 2, 3, "lists")

    # The nearest centroid is the first by dot product, the second by angle, the third by distance.
    far = torch.tensor([[6.0, 8.0, 0.0], [3.0, 0.3, 0.0], [0.6, 0.6, 0.0]])
    ask = torch.tensor([[1.0, 0.0, 0.0], [0.9, 0.1, 0.2]])
    yield case("centroids of different lengths", ask, draw.normal(7, 3), far, [0, 1, 2, 0, 1, 2, 0], 1, 2, "dot product",
               "The nearest lists are those whose centroids have the largest dot products.")  # fmt: skip
    # Likewise two by two; the last one is in another list.
    spread = torch.tensor([[4.0, 9.0, 0.0], [5.0, 0.0, 20.0], [3.0, 0.2, 0.0], [0.4, 0.0, 0.0], [0.9, 0.3, 0.1],
                           [1.0, 0.5, 0.0], [-1.0, 3.0, 3.0]])  # fmt: skip
    order = draw.distinct(7, 7)
    yield case("vectors of different lengths", ask, spread[order], far, (order == 6).long(), 1, 2, "dot product",
               "The vectors are compared by dot product as well.")  # fmt: skip
    opposite = (-draw.uniform(2, 3, low=0.5, high=1.0), draw.uniform(7, 3, low=0.5, high=1.0))
    negative = (*opposite, draw.uniform(2, 3, low=0.5, high=1.0))
    yield case("all dot products negative", *negative, [0, 1, 0, 1, 0, 1, 0], 1, 2, "dot product")

    missing = "Where the probed lists hold fewer than k vectors, -1 stands."
    yield case("lists shorter than k", *some, lists(count, total), 1, 6, "missing", missing)
    yield case("an empty list is the nearest", aside, points, corners, [1, 1, 1, 1], 1, 2, "missing",
               "An empty list counts as a probe all the same.")  # fmt: skip
    yield case("an empty list and another one", aside, points, corners, [1, 1, 1, 1], 2, 3, "missing")
    yield case("k above the number of vectors", *some, lists(count, total), count, total + 2, "missing", missing)
    apart = torch.tensor([[-2.0, 0.0], [1.0, 0.1], [0.0, 3.0], [0.2, 1.0]])
    yield case("one vector in the list", torch.cat([aside, aside.flip(1)]), apart, corners, [0, 1, 1, 1], 1, 3, "missing",
               missing)  # fmt: skip

    # The first two columns decide among the vectors, the next two choose the lists.
    near = F.pad(_cancelling(torch.arange(total)[:, None].double()), (0, width - 2))
    centres = F.pad(_cancelling(draw.distinct(count, count)[:, None].double()), (2, width - 4))
    signs = torch.tensor([[1.0], [-1.0], [2.0]])
    ask = torch.cat([torch.ones(rows, 2), signs, signs, draw.normal(rows, width - 4)], dim=1).double()
    equal = "In float32 the vectors would all be equal, and so would the centroids."
    members = lists(count, total)
    yield case("float64, what matters nearly cancels", ask, near, centres, members, 2, 2, "numbers", equal)
    yield case("float64, the same vectors turned round", ask, near.flip(0), centres, members, 2, 2, "numbers", equal)
    asked, stored, centres = (F.normalize(draw.uniform(size, width, low=0.1)) for size in (rows, total, count))
    yield case("large vectors", 3e3 * asked, 3e3 * stored, 3e3 * centres, members, 2, 3, "numbers")
    distant = (9e3 * opposite[0], 9e3 * opposite[1], 9e3 * F.normalize(negative[2]))
    yield case("large vectors, all dot products negative", *distant,
               [0, 1, 0, 1, 0, 1, 0], 1, 5, "numbers",
               "A vector of a probed list is an answer, however far below 0 its dot product is.")  # fmt: skip
    vast = [draw.uniform(size, 13, low=9e3, high=9.9e3) for size in (2, 7)]
    yield case("dot products below minus a billion", -vast[0], vast[1], F.normalize(draw.uniform(2, 13, low=0.1)),
               [0, 1, 0, 1, 0, 1, 0], 1, 5, "numbers",
               "A vector of a probed list is an answer, however far below 0 its dot product is.")  # fmt: skip
    yield case("gaps in memory", strided(asked), strided(stored), strided(centres), strided(members), 2, 3, "numbers")
    yield case("a single query", asked[:1], stored, centres, members, 2, 3, "numbers")
    yield case("a single list", asked, stored, draw.normal(1, width), lists(1, total), 1, 3, "numbers")


inverted_file_search = Exercise(
    id="09.inverted_file_search",
    title="Search in a few lists",
    why="Vector databases do not compare a query with everything: they look into a few lists, and miss a little.",
    difficulty=3,
    minutes=15,
    core=False,
    criteria=(
        Criterion("lists", 1, "the k best among the vectors of the probed lists, for each query its own"),
        Criterion("dot product", 1, "lists and vectors are compared by dot product"),
        Criterion("missing", 0.5, "-1 where the probed lists hold fewer than k vectors"),
        Criterion("numbers", 0.5, "one query, one list, large vectors, float64, any memory layout"),
    ),
    hints=(
        "Two searches one after the other: which lists, then which vectors of those lists.",
        "For one query: the `probes` centroids with the largest dot products; a vector is a candidate when its list is "
        "one of them. `torch.isin` answers that for all vectors.",
        "Keep the numbers of the candidates, not only their dot products, so that the best ones can be named; start "
        "from a result full of -1 and fill in as many as there are.",
    ),
    cases=_search_cases,
    compare=any_order,
)
