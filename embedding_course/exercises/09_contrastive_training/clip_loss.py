"""The loss in both directions: cases."""

from collections.abc import Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from .losses import loss_of, printed_call, same_loss


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, logits: torch.Tensor, criterion: str, because: str = "", learns: bool = False) -> Case:
        needs = ["logits"] if learns else []
        call = printed_call("clip_loss", {"logits": logits}, {}, needs)
        return Case(name, {"logits": logits}, criterion, {"learns": needs} if learns else {}, call, because)

    def some(size: int, **more: Any) -> torch.Tensor:
        return draw.normal(size, size, **{"scale": 2.0, **more})

    size = draw.choice((5, 7))
    both = "An image looks for its text along a row, a text for its image along a column."
    yield case("two pairs", some(2), "both ways", both).trying("logits (N, N)")
    yield case("three pairs", some(3), "both ways", both)
    yield case("more pairs", some(size), "both ways").trying("returns")
    yield case("many pairs", some(31), "both ways").trying("logits (N, N)")
    yield case("docstring example", torch.tensor([[2.0, 0.0], [0.0, 0.0]]), "both ways")

    yield case("gradient, three pairs", some(3), "gradient", learns=True)
    yield case("gradient, more pairs", some(size), "gradient", learns=True)
    yield case("gradient, more pairs, float64", some(size, dtype=torch.float64), "gradient", learns=True)

    alone = "There is nothing to mistake it for: the loss is 0."
    yield case("one pair", some(1), "any table", alone)
    yield case("gradient, one pair", some(1), "any table", "It is 0, but the loss has a graph all the same.",
               learns=True).trying("returns")
    yield case("gaps in memory", strided(some(size)), "any table")
    same = some(5)
    same[3], same[:, 4] = same[1], same[:, 2]
    yield case("equal rows, and equal columns", same, "any table",
               "Pairs are told apart by their index, not by their values.").trying("entry (i, j)")

    # Steps of 250: every softmax is one-hot to the last bit, so no rounding is in doubt.
    ladder = torch.linspace(-1000, 1000, 9)[draw.distinct(9, 9)].reshape(3, 3)
    yield case("logits from -1000 to 1000", ladder, "numbers", "exp(1000) is inf in every floating type.")
    levels = torch.tensor([900.0, -900.0, 0.0])[draw.distinct(3, 3)]
    yield case("rows on very different levels", levels[:, None] + some(3), "numbers",
               "Each row and each column has a largest logit of its own.")
    yield case("columns on very different levels", levels + some(3), "numbers")
    # Between two float32 numbers: rounding would take the same from every pair's own logit.
    fine = 900 + (8 * some(size, dtype=torch.float64)).round() / 8 + 2.5e-5 * torch.eye(size, dtype=torch.float64)
    yield case("float64, all logits near 900", fine, "numbers",
               "float32 has no room for the decimals of such numbers.").trying("returns")
    yield case("gradient, rows on different levels", 0.11 * levels[:, None] + some(3), "numbers", learns=True)


clip_loss = Exercise(
    id="09.clip_loss",
    title="The loss in both directions",
    why="With two towers, say images and texts, a match must be found from either side: CLIP averages both searches.",
    difficulty=1,
    minutes=10,
    criteria=(
        Criterion("both ways", 2, "the mean of the loss along rows and the loss along columns", tries=("entry (i, j)",)),
        Criterion("gradient", 1, "backward reaches the logits", tries=("returns",)),
        Criterion("any table", 0.5, "one pair, equal rows, any memory layout", tries=("logits (N, N)",)),
        Criterion("numbers", 0.5, "logits up to 1000 in size, float64", tries=("up to 1000",)),
    ),
    hints=(
        "The logits come ready, cosines and scale included. Row i and column i both belong to pair i.",
        "Along the rows it is a cross-entropy with class i for row i. How do you turn the columns into rows?",
        "Take the cross-entropy of the table and of its transpose, with the same classes. Return half of their sum.",
    ),
    cases=_cases,
    of_driver=("learns",),
    run=loss_of("logits"),
    by_products=("gradients",),
    compare=same_loss,
)
