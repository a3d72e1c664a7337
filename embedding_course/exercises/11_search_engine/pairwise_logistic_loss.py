"""RankNet's loss: cases."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, show, strided
from ...checking.gradient_rules import NO_GRAPH
from ...messages import Message


def _run(candidate: Callable[..., Any], scores: torch.Tensor, gains: torch.Tensor, backward: bool) -> NamedParts:
    """Report the loss, and with `backward` the gradient of the scores."""
    scores.requires_grad_(backward)
    loss = candidate(scores, gains)
    parts = NamedParts({"loss": loss})
    if backward:
        if isinstance(loss, torch.Tensor) and loss.requires_grad and loss.ndim == 0:
            loss.backward()
        parts["gradient"] = scores.grad
    return parts


def _loss(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    """Compare the losses within rounding; a loss of 0 may be a little more or less."""
    share = 1e-6 if expected.dtype == torch.float64 else 1e-4
    within = share * float(expected.abs()) + (1e-9 if expected.dtype == torch.float64 else 1e-6)
    return Comparison().leaf(expected, got, Message("the loss"), within if isinstance(got, torch.Tensor) else None)


def _gradient(expected: torch.Tensor | None, got: Any, case: Case) -> Mismatch | None:
    """Compare the gradients; one of zeros has to arrive, too."""
    if not isinstance(got, torch.Tensor):
        return Mismatch("property", NO_GRAPH.fill(part=Message("the loss")))
    if expected is None or not expected.numel():
        return None
    double = expected.dtype == torch.float64
    within = (1e-6 if double else 1e-4) * float(expected.abs().max()) + (1e-10 if double else 1e-7)
    return Comparison().leaf(expected, got, Message("the gradient of the scores"), within)


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str, scores: torch.Tensor, gains: torch.Tensor, criterion: str, because: str = "", backward: bool = False
    ) -> Case:
        call = f"pairwise_logistic_loss({show(scores)}, {show(gains)})" + " and then .backward()" * backward
        return Case(name, {"scores": scores, "gains": gains, "backward": backward}, criterion, call=call, because=because)

    count = draw.choice((7, 8, 9))
    graded = torch.tensor(draw.shuffled([0, 0, 1, 2, 2, 3, 0, 1, 3][:count]))
    pairs = "Only pairs with gain_i > gain_j count, and the mean is over these pairs."
    yield case("several grades", draw.normal(count), graded, "pairs", pairs)
    yield case("one right document", draw.normal(5), (draw.distinct(5, 5) == 0).long(), "pairs", pairs)
    yield case("all gains different", draw.normal(6), draw.distinct(6, 6), "pairs", "Every pair counts once, in one order.")
    larger = torch.tensor(draw.shuffled([0, 0, 4, 9, 9, 17]))
    yield case("gains far apart", draw.normal(6), larger, "pairs", "How far two gains are apart does not matter.")
    rising = draw.normal(count).sort().values
    yield case("documents in the order of their scores", rising, graded, "pairs", pairs)
    yield case("docstring example", torch.tensor([2.0, 0.0]), torch.tensor([1, 0]), "pairs", "log(1 + exp(-2)) is 0.1269.")

    yield case("floating gains", draw.normal(count), graded * 0.5 + 0.25, "gains", "Gains are only compared.")
    yield case("float64 gains, float32 scores", draw.normal(count), graded.double() / 3, "gains",
               "The loss has the dtype of the scores.")
    yield case("negative gains", draw.normal(count), graded - 2, "gains", "Gains are only compared.")
    yield case("gains that differ by little", draw.normal(6), 1000 + 0.25 * torch.tensor(draw.shuffled([0, 0, 1, 1, 2, 3])),
               "gains", "Gains are only compared.")

    nothing = "No gain is larger than another one: the loss is 0, with a graph."
    yield case("equal gains", draw.normal(count), torch.full((count,), draw.integer(1, 3)), "no pairs", nothing, backward=True)
    yield case("one document", draw.normal(1), torch.tensor([1]), "no pairs", nothing, backward=True)
    yield case("no documents", torch.zeros(0), torch.zeros(0, dtype=torch.int64), "no pairs", nothing, backward=True)
    yield case("docstring example 2", torch.zeros(3), torch.ones(3), "no pairs", nothing)

    yield case("gradients", draw.normal(count), graded, "gradient", backward=True)
    yield case("gradients, equal scores", torch.full((count,), float(draw.integer(-2, 2))), graded, "gradient",
               "At equal scores each pair pushes with half a unit.", backward=True)
    some = torch.tensor([1.0, 1.0, 0.0, 2.0, 0.0])
    yield case("gradients, some scores equal", some, torch.tensor([0, 1, 2, 1, 0]), "gradient",
               "At equal scores each pair pushes with half a unit.", backward=True)
    yield case("gradients, float64", draw.normal(count, dtype=torch.float64), graded, "gradient", backward=True)

    far = draw.distinct(5, 5).float() * 500 - 1000
    order = far.argsort(descending=True).argsort()
    yield case("scores far apart, in the right order", far, 4 - order, "numbers",
               "exp(-500) is 0 in float32; the loss and its gradient are 0 as well.", backward=True)
    yield case("scores far apart, in the wrong order", far, order, "numbers",
               "exp(500) is inf in float32; the loss is 500 and more.", backward=True)
    yield case("large scores close together", 1000 + draw.normal(5), torch.tensor(draw.shuffled([0, 1, 1, 2, 3])), "numbers",
               "Only differences of scores count.", backward=True)
    middling = torch.tensor(draw.shuffled([0.0, 30.0, 60.0, 90.0]))
    yield case("differences of 30 to 90", middling, draw.distinct(4, 4), "numbers",
               "The gradient of a pair in the wrong order is nearly -1, however wrong it is.", backward=True)
    yield case("float64", draw.normal(count, dtype=torch.float64), graded, "numbers")
    yield case("gaps in memory", strided(draw.normal(1, count))[0], strided(graded[None])[0], "numbers")


pairwise_logistic_loss = Exercise(
    id="11.pairwise_logistic_loss",
    title="Learn an order from pairs",
    why="A reranker need not know how relevant a document is, only which of two is more so; this loss teaches that.",
    difficulty=2,
    minutes=8,
    criteria=(
        Criterion("pairs", 0.5, "the mean over all pairs with gain_i > gain_j",
                  tries=("For each pair", "The loss is", "scores (N,)", "gains (N,)", "returns")),
        Criterion("gains", 0.25, "whole or floating gains of any sign, only compared", tries=("gains (N,)", "returns")),
        Criterion("no pairs", 0.25, "0 with a graph where there is no such pair", tries=("Without such a pair", "N may be 0")),
        Criterion("gradient", 0.25, "the gradient of the formula, at equal scores too",
                  tries=("For each pair", "returns", "At equal scores")),
        Criterion("numbers", 0.25, "finite for scores up to a thousand, float64, any memory layout", tries=("scores (N,)",)),
    ),
    hints=(
        "`scores[:, None] - scores[None, :]` is a table of all differences s_i - s_j, (N, N). Which of its places count?",
        "The same table of the gains, compared with `>`, is a mask of the pairs that count. Index with it, then average.",
        "log(1 + exp(-x)) is `F.softplus(-x)`, and also `-F.logsigmoid(x)`: both stay finite where exp does not.",
        "A mean of nothing is nan. Where no pair counts, return `scores.sum() * 0`, a 0 with a graph.",
    ),
    cases=_cases,
    of_driver=("backward",),
    run=_run,
    compare=Comparison(rules={"loss": _loss, "gradient": _gradient}),
)
