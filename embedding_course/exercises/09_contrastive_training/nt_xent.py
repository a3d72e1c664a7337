"""The contrastive loss over two views: cases."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from .losses import bundle, crossed, loss_of, printed_call, same_loss, unequal_lengths


def _nt_xent_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        z1: torch.Tensor,
        z2: torch.Tensor,
        temperature: float,
        criterion: str,
        because: str = "",
        learns: Sequence[str] = (),
    ) -> Case:
        args = {"z1": z1, "z2": z2, "temperature": temperature}
        options = {"learns": list(learns)} if learns else {}
        return Case(name, args, criterion, options, printed_call("nt_xent", args, {}, learns), because)

    def pair(rows: int, width: int, **more: Any) -> tuple[torch.Tensor, torch.Tensor]:
        return draw.normal(rows, width, **more), draw.normal(rows, width, **more)

    def each(change: Callable[[torch.Tensor], torch.Tensor], rows: int, width: int) -> tuple[torch.Tensor, torch.Tensor]:
        first, second = pair(rows, width)
        return change(first), change(second)

    rows, width = draw.shuffled((3, 5, 7))[:2]
    heat = draw.shuffled((0.3, 0.35, 0.4, 0.5, 0.6))
    views = "Each of the 2N views looks for its partner among the 2N - 1 others, itself left out."
    yield case("two sentences, two views each", *pair(2, 3), heat[0], "views", views)
    yield case("more sentences", *pair(rows, width), heat[1], "views", views).trying("returns")
    yield case("as many sentences as columns", *pair(5, 5), heat[2], "views")
    yield case("views of very different lengths", *each(lambda part: unequal_lengths(draw, part), rows, width), heat[3],
               "views", "A cosine does not depend on lengths.").trying("the vectors")
    yield case("a high temperature", *pair(rows, width), 2.0 + heat[4], "views").trying("temperature a positive")
    example = torch.tensor([[1.0, 0.0], [0.0, 5.0]])
    yield case("docstring example", example, example.clone(), 1.0, "views")

    both = ("z1", "z2")
    alike = draw.normal(5, 3)
    alike[3] = alike[1]
    yield case("gradient, both views", *pair(rows, width), heat[0], "gradient", learns=both)
    yield case("gradient, both views point the same way", alike, 2 * alike, 0.5, "gradient",
               "Where a cosine is 1 its gradient is finite.", both)
    yield case("gradient, more sentences", *pair(7, 3), heat[1], "gradient", learns=both)

    yield case("one sentence", *pair(1, width), 0.5, "edges", "Each view has only its partner left: the loss is 0.")
    yield case("gradient, one sentence", *pair(1, width), 0.5, "edges", "It is 0, but the loss has a graph all the same.",
               both).trying("returns")
    yield case("both views point the same way", alike, 2 * alike, 0.5, "edges",
               "A view equal to another one is still another view; only the view itself is left out.").trying(
        "A view is no candidate")
    yield case("the temperature is an int", *pair(rows, width), draw.integer(1, 3), "edges",
               "A number need not be a float.").trying("temperature a positive")
    yield case("gaps in memory", *each(strided, rows, width), heat[2], "edges")

    yield case("large vectors", *pair(rows, width, scale=1e4), 0.3, "numbers").trying("The logit of two", "the vectors")
    yield case("short vectors", *pair(rows, width, scale=2.4e-4), 0.3, "numbers", "Short vectors have a direction too.").trying(
        "The logit of two", "the vectors")
    yield from _low_temperatures(draw, rows, width, case)


def _low_temperatures(draw: RandomInputs, rows: int, width: int, case: Callable[..., Case]) -> Iterator[Case]:
    yield case("temperature 0.01, the nearest view is another one", *crossed(draw, 3, 5, own=-1.0), 0.01, "numbers",
               "exp(95) is more than float32 can hold; softmax does not need it.").trying("temperature a positive")
    around, middle = bundle(draw, 2 * rows, width)
    around[0] = -middle[0] + 0.05 * draw.normal(width)
    yield case("temperature 0.01, one view opposite to all others", around[:rows], around[rows:], 0.01, "numbers",
               "Each view has a largest logit of its own; one view's may lie far below another's.").trying(
        "temperature a positive")
    yield case("temperature 0.025, one view opposite to all others", around[:rows], around[rows:], 0.025, "numbers",
               "Its own exp, exp(40), takes no part: added and subtracted again, it would wipe out the others.").trying(
        "A view is no candidate")
    single = draw.normal(1, 3)
    yield case("temperature 0.01, one sentence with opposite views", single, -2 * single, 0.01, "numbers",
               "The only logit of each view is -100, and the loss is 0 all the same.").trying("temperature a positive")
    near = bundle(draw, 2 * rows, width)[0].double()  # their cosines differ little: in float32 the loss would be coarse
    yield case("float64, temperature 0.01, all views alike", near[:rows], near[rows:], 0.01, "numbers").trying(
        "temperature a positive", "returns")
    yield case("gradient, float64", near[:rows], near[rows:], 0.02, "numbers", learns=("z1", "z2")).trying("returns")
    yield case("gradient, temperature 0.01", *crossed(draw, 3, 5, own=-1.0), 0.01, "numbers", learns=("z1", "z2")).trying(
        "temperature a positive")


nt_xent = Exercise(
    id="09.nt_xent",
    title="Two views of everything",
    why="SimCLR and SimCSE need no pairs: two noisy views of one sentence are a positive pair, all other views negatives.",
    difficulty=3,
    minutes=20,
    core=False,
    criteria=(
        Criterion("views", 1, "2N views, each against all the others but itself, on cosines",
                  tries=("The logit of two", "A view is no candidate", "The result", "z1, z2 (N, d)")),
        Criterion("gradient", 1, "backward reaches both views", tries=("returns",)),
        Criterion("edges", 0.5, "one sentence, equal views, an int as the temperature, any memory layout",
                  tries=("z1, z2 (N, d)",)),
        Criterion("numbers", 0.5, "low temperatures, large and short vectors, float64"),
    ),
    hints=(
        "Put the views under each other: (2N, d). Which row is the partner of row i when i < N, and when i >= N?",
        "All cosines among the 2N views, divided by the temperature, are logits. The diagonal must take no part: not "
        "with the logit 0, which is a cosine like any other.",
        "Normalise, stack, multiply by the transpose, divide. Put -inf on the diagonal of a new tensor. Then take the "
        "cross-entropy, in which the class of row i is the row of its partner.",
    ),
    cases=_nt_xent_cases,
    of_driver=("learns",),
    run=loss_of("z1", "z2", "temperature"),
    by_products=("gradients",),
    compare=same_loss,
)
