"""Recommendations by two towers: cases."""

from collections.abc import Callable, Iterator

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from ..rankings import cancelling


def _towers(
    draw: RandomInputs,
    users: int,
    items: int,
    width: int,
    low: float = -1.0,
    high: float = 1.0,
    dtype: torch.dtype = torch.float32,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return users at right angles to one another, and items whose similarities to each user are evenly spaced.

    No two items are therefore close for any user. `width` must exceed `users`.
    """
    steps = torch.linspace(low, high, items, dtype=torch.float64)
    likeness = torch.stack([steps[draw.distinct(items, items)] for _ in range(users)], dim=1)  # (I, U)
    likeness = likeness * (0.9 / users) ** 0.5
    turned = torch.linalg.qr(draw.normal(width, width, dtype=torch.float64))[0]
    rest = draw.normal(items, width - users, dtype=torch.float64)
    rest = rest * ((1 - (likeness**2).sum(dim=1)).sqrt() / torch.linalg.vector_norm(rest, dim=1))[:, None]
    sizes = draw.uniform(users, 1, low=0.5, high=3.0, dtype=torch.float64)
    return (sizes * turned[:users]).to(dtype), (torch.cat([likeness, rest], dim=1) @ turned).to(dtype)


def _unequal(draw: RandomInputs, items: torch.Tensor) -> torch.Tensor:
    """Return the items scaled by factors from 0.3 to 10, in the same directions."""
    sizes = torch.logspace(-0.5, 1.0, len(items), dtype=items.dtype)[draw.distinct(len(items), len(items))]
    return items * sizes[:, None]


def _recommend_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str, towers: tuple[torch.Tensor, torch.Tensor], seen: torch.Tensor, k: int, criterion: str, because: str = ""
    ) -> Case:
        users, items = towers
        return Case(name, {"users": users, "items": items, "seen": seen, "k": k}, criterion, because=because)

    def none(users: int, items: int) -> torch.Tensor:
        return torch.zeros(users, items, dtype=torch.bool)

    def some(users: int, items: int, left: int) -> torch.Tensor:
        """Return what each user has seen: all items but `left` random ones."""
        seen = torch.ones(users, items, dtype=torch.bool)
        for row in seen:
            row[draw.distinct(left, items)] = False
        return seen

    users, items = draw.choice(((2, 7), (3, 7), (3, 11)))
    width = 5
    yield case("all items in order", _towers(draw, users, items, width), none(users, items), items, "best first")
    yield case("the best three", _towers(draw, users, items, width), none(users, items), 3, "best first").trying("k how many")
    tall, wide = _towers(draw, users, items, width)
    yield case("items of many lengths", (tall, _unequal(draw, wide)), none(users, items), 3, "best first",
               "A cosine does not depend on lengths.")
    yield case("as many items as columns", _towers(draw, 3, 5, 5), none(3, 5), 2, "best first")
    yield case("as many users as items", _towers(draw, 5, 5, 7), none(5, 5), 2, "best first")
    length = "A vector's length is the Euclidean one."
    yield case("items along an axis and between axes", _along_and_between(draw), none(2, 6), 6, "best first", length)
    example = torch.tensor([[1.0, 0.0]]), torch.tensor([[9.0, 9.0], [2.0, 1.0], [0.0, 3.0]])
    yield case("docstring example", example, none(1, 3), 2, "best first")

    new = "What one user has seen may be new to another."
    yield case("half of the items seen", _towers(draw, users, items, width), some(users, items, 4), 3, "unseen", new)
    yield case("as many users as items, some seen", _towers(draw, 5, 5, 7), some(5, 5, 3), 3, "unseen", new)
    others = "However many are passed over, others are left."
    yield case("the best five seen", *_best_seen(draw, 5), 2, "unseen", others)
    yield case("the best sixty of seventy seen", *_best_seen(draw, 60, of=70), 2, "unseen", others)
    cold = _towers(draw, users, items, width, low=-1.0, high=-0.2)
    yield case("all cosines negative", cold, some(users, items, 4), 3, "unseen",
               "An unseen item is better than a seen one, however unlike the user.")
    first = torch.tensor([[2.0, 0.0], [0.0, 1.0]])
    against = (first, torch.tensor([[-0.1, -1.0], [-1.0, -0.1], [0.5, 0.5], [-1.0, -1.2]]))
    against_seen = torch.tensor([[False, False, True, False], [False, False, True, False]])
    yield case("almost opposite items", against, against_seen, 3, "unseen")
    turned = (torch.tensor([[1.0, 0.0], [2.0, 0.0]]), torch.tensor([[0.0, 1.0], [2.0, 1.0], [-1.0, 0.0], [1.0, -2.0]]))
    passed = torch.tensor([[True, False, False, False], [False, False, False, True]])
    yield case("an unseen item exactly opposite", turned, passed, 3, "unseen",
               "It has the cosine -1, and is better than a seen one all the same.")

    missing = "Where no unseen item is left, -1 stands."
    yield case("fewer unseen than k", _towers(draw, users, items, width), some(users, items, 2), 4, "missing", missing)
    yield case("fewer unseen than k, almost opposite", against, against_seen, 4, "missing", missing)
    seen = some(users, items, 3)
    seen[0] = True
    yield case("one user has seen everything", _towers(draw, users, items, width), seen, 3, "missing", missing)
    yield case("k above the number of items", _towers(draw, 3, 5, 4), none(3, 5), 7, "missing", missing).trying("it may exceed")
    yield case("k above the number of items, some seen", _towers(draw, 3, 5, 4), some(3, 5, 3), 7, "missing", missing).trying(
        "it may exceed")
    only = torch.tensor([[False], [True], [False]])
    yield case("a single item", _towers(draw, 3, 1, 5, low=0.4), only, 1, "missing", missing).trying(
        "items (I, d)", "k how many")
    yield case("docstring example 2", example, torch.tensor([[False, True, True]]), 2, "missing", missing)

    yield case("a single user", _towers(draw, 1, items, width), some(1, items, 4), 2, "numbers").trying("users")
    yield case("one item for each", _towers(draw, users, items, width), some(users, items, 4), 1, "numbers").trying(
        "k how many")
    yield case("large vectors", (3e3 * against[0], 9e3 * against[1]), against_seen, 3, "numbers").trying("users")
    tall, wide = _towers(draw, users, items, width)
    yield case("short items", (tall, 2.4e-4 * _unequal(draw, wide)), none(users, items), 3, "numbers",
               "Short vectors have a direction too.")
    uneven = torch.tensor([[0.3, 0.02], [20.0, 30.0], [0.1, 9.0], [-8.0, 1.0]])[draw.distinct(4, 4)]
    yield case("long items and short ones", (first, uneven), none(2, 4), 2, "numbers", "A cosine does not depend on lengths.")
    yield case("very short items", (first, 2e-5 * uneven), none(2, 4), 2, "numbers", "Short vectors have a direction too.")
    yield from _cancelled(draw, case)
    gaps = tuple(strided(part) for part in _towers(draw, users, items, width))
    yield case("gaps in memory", (gaps[0], gaps[1]), strided(some(users, items, 4)), 3, "numbers").trying("users")


def _along_and_between(draw: RandomInputs) -> tuple[torch.Tensor, torch.Tensor]:
    """Return two users between two axes each, and six items.

    For each user, an item of the same direction is the best, and its absolute values sum to more than those of an item along
    an axis.
    """
    users = torch.tensor([[1.0, 0.8, 0.0], [0.0, 0.8, 1.0]]) * draw.uniform(2, 1, low=1.0, high=3.0)
    items = torch.tensor([[1, 0.7, 0], [1, 0, 0], [0, 0.7, 1], [0, 0, 1], [0, 1, 0], [-1, 0.2, -1]])
    return users, items[draw.distinct(6, 6)] * draw.uniform(6, 1, low=0.5, high=2.0)


def _best_seen(draw: RandomInputs, count: int, of: int = 11) -> tuple[tuple[torch.Tensor, torch.Tensor], torch.Tensor]:
    """Return three users and `of` items, and a mask by which each user has seen the `count` best items."""
    users, items = _towers(draw, 3, of, 5)
    seen = torch.zeros(3, of, dtype=torch.bool)
    for user in range(3):
        seen[user, (items @ users[user]).argsort(descending=True)[:count]] = True  # all items are of one length
    return (users, items), seen


def _cancelled(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    likes = torch.stack([draw.distinct(7, 7), draw.distinct(7, 7)], dim=1).double()
    pairs = torch.tensor([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 2.0, 2.0]], dtype=torch.float64)
    seen = torch.zeros(2, 7, dtype=torch.bool)
    equal = "In float32 the items would all be equal."
    yield case("float64, what matters nearly cancels", (pairs, cancelling(likes)), seen, 3, "numbers", equal)
    yield case("float64, the same items turned round", (pairs, cancelling(likes).flip(0)), seen, 3, "numbers", equal)


recommend = Exercise(
    id="09.recommend",
    title="Recommend by two towers",
    why="One tower for users, one for items: after training, to recommend is a nearest-neighbour search without the items "
        "that were seen.",
    difficulty=2,
    minutes=16,
    core=False,
    criteria=(
        Criterion("best first", 1, "the items nearest by cosine, best first", tries=("users", "items (I, d)", "returns")),
        Criterion("unseen", 1, "nothing that this user has seen", tries=("seen (U, I)",)),
        Criterion("missing", 0.5, "-1 where no unseen item is left", tries=("no unseen item",)),
        Criterion("numbers", 0.5, "one user, large vectors, float64, any memory layout", tries=("items (I, d)",)),
    ),
    hints=(
        "A user's length changes all scores of a row alike; an item's length does not.",
        "A seen item must come behind every unseen one, also behind one with the cosine -1.",
        "Normalise, multiply, put -inf where seen, and take the top min(k, I). Where a value is -inf, write -1 in place of "
        "its index. Fill up to k columns with -1.",
    ),
    cases=_recommend_cases,
)
