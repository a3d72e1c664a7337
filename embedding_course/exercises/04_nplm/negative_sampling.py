"""Skip-gram with negative sampling: which words to draw, and what they cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...gradient_rules import gradient_rules, has_graph
from ...observe import Observation
from ...plain import Parts, strided

__all__ = ["negative_sampling_distribution", "sgns_loss"]


def _distribution_cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str,
        counts: list[int],
        criterion: str,
        because: str = "",
        *,
        floats: bool = False,
        gaps: bool = False,
        **options: Any,
    ) -> Case:
        tensor = torch.tensor(counts, dtype=torch.float32 if floats else torch.int64)
        return Case(name, {"counts": strided(tensor) if gaps else tensor}, criterion, options, because=because)

    def some(size: int, top: int = 400) -> list[int]:
        return [1, top, *(draw.integer(2, top - 1) for _ in range(size - 2))]

    size = draw.choice((5, 7))
    share = "The counts are raised to the power first; their sum is what makes them sum to one."
    yield case("integer counts", draw.shuffled(some(size)), "shares", share)
    yield case("floating counts", draw.shuffled(some(size)), "shares", share, floats=True)
    yield case("large counts", draw.shuffled([3, 10_000_000, *(draw.integer(1_000, 9_000_000) for _ in range(3))]), "shares")
    yield case("a single word", [draw.integer(2, 9)], "shares")
    yield case("words that are equally frequent", [6] * size, "shares")
    yield case("counts with gaps in memory", draw.shuffled(some(size)), "shares", gaps=True)

    never = "A word that never occurs is never drawn."
    yield case("zero counts", draw.shuffled([0, 0, *some(size)]), "zero counts", never)
    yield case("zero counts, floating", draw.shuffled([0, *some(size)]), "zero counts", never, floats=True)
    yield case("one word only occurs", [0, 0, 17, 0], "zero counts", never)
    yield case("zero counts, a small power", draw.shuffled([0, 0, *some(size)]), "zero counts", never, power=0.05)

    yield case("power 1", draw.shuffled(some(size)), "power", "Power 1 leaves the shares as they are.", power=1.0)
    yield case("power 1, floating", draw.shuffled(some(size)), "power", floats=True, power=1)
    yield case("power 1 as an int", draw.shuffled(some(size)), "power", power=1)
    yield case("power 0.5", draw.shuffled(some(size)), "power", power=0.5)
    yield case("power 2", draw.shuffled(some(size, 40)), "power", power=2.0)
    yield case("power 3 as an int, large counts", [10_000_000, 3_000_000, 17], "power", power=3)
    yield case("power 0.3, floating", draw.shuffled(some(size)), "power", floats=True, power=0.3)


def _compare_distribution(expected: Observation, got: Observation, case: Case) -> Fault | None:
    """Floating counts keep their type; for integer counts either floating type is right."""
    free = not case.args["counts"].is_floating_point()
    fault = Same(dtype="floating" if free else "same")(expected, got, case)
    if fault is None and bool((got.value[case.args["counts"] == 0] != 0).any()):
        return Fault("values", "a word that never occurs has a small chance of being drawn; it has none")
    return fault


negative_sampling_distribution = Exercise(
    id="04.negative_sampling_distribution",
    title="Which words to draw",
    why="Wrong words to learn from are drawn by their frequency, but not quite: rare ones get a little more than their share.",
    difficulty=1,
    minutes=6,
    core=False,
    criteria=(
        Criterion("shares", 1, "counts to the power, divided by their sum"),
        Criterion("zero counts", 0.5, "a word that never occurs has probability 0"),
        Criterion("power", 0.5, "any power"),
    ),
    hints=(
        "Two steps in the right order: the power, and the division by a sum. By the sum of what?",
        "Shares raised to 0.75 do not sum to one any more. Divide last.",
        "0 to a positive power is 0: nothing has to be added to the counts, and no logarithm is needed.",
    ),
    cases=_distribution_cases,
    compare=_compare_distribution,
)


def _run_loss(
    candidate: Callable[..., Any], center: torch.Tensor, context: torch.Tensor, negatives: torch.Tensor, backward: bool
) -> Parts:
    """Report the loss, whether it carries a graph, and with `backward` what reaches each of the three."""
    given = {"center": center, "context": context, "negatives": negatives}
    for tensor in given.values():
        tensor.requires_grad_()
    loss = candidate(center, context, negatives)
    parts = Parts({"loss": loss})
    if isinstance(loss, torch.Tensor):
        parts["graph"] = loss.requires_grad
        if backward and loss.requires_grad:
            loss.backward()
    if backward:
        parts.update({f"gradient of {name}": tensor.grad for name, tensor in given.items()})
    return parts


def _scalar(expected: torch.Tensor, got: Any, case: Case) -> Fault | None:
    if isinstance(got, float):
        return Fault("type", "the loss is a Python float; a 0-d tensor with a graph was expected")
    return Same().leaf(expected, got, "the loss")


def _loss_cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str,
        sizes: tuple[int, int, int],
        criterion: str,
        because: str = "",
        *,
        backward: bool = False,
        dtype: torch.dtype = torch.float32,
        scale: float = 1.0,
        gaps: bool = False,
    ) -> Case:
        N, K, d = sizes
        args = {
            "center": scale * draw.normal(N, d, dtype=dtype),
            "context": draw.normal(N, d, dtype=dtype),
            "negatives": draw.normal(N, K, d, dtype=dtype),
        }
        if gaps:
            args = {key: strided(value) for key, value in args.items()}
        told = f"sgns_loss(center, context, negatives) with N = {N}, K = {K}, d = {d}" + ", and backward" * backward
        return Case(name, {**args, "backward": backward}, criterion, call=told, because=because)

    def scores(pairs: list[tuple[float, float]], dtype: torch.dtype = torch.float32, backward: bool = True) -> dict[str, Any]:
        """Vectors whose score with the context is the first number, and with each of two negatives the second."""
        N = len(pairs)
        center = torch.where(draw.normal(N, 1) < 0, -1.0, 1.0).to(dtype) * draw.uniform(N, 3, low=0.5, high=1.5, dtype=dtype)
        unit = center / (center * center).sum(dim=1, keepdim=True)
        context = torch.stack([unit[n] * good for n, (good, _) in enumerate(pairs)])
        negatives = torch.stack([torch.stack([unit[n] * bad, unit[n] * (bad + 1.5)]) for n, (_, bad) in enumerate(pairs)])
        return {"center": center, "context": context, "negatives": negatives, "backward": backward}

    N, K, d = draw.sizes(3)
    one = "One context word to be told apart from K negatives: a logarithm for each, and all of them are added."
    yield case("one pair, one negative", (1, 1, d), "loss", one)
    yield case("one pair, several negatives", (1, K, d), "loss", one)
    yield case("several pairs", (N, K, d), "loss", "The mean is over the N pairs only; each has negatives of its own.")
    yield case("several pairs, one negative each", (N, 1, d), "loss", one)
    yield case("vectors of one number", (N, K, 1), "loss")
    hit = case(
        "a negative that is the context word", (N, K, d), "loss", "A word drawn by chance may be the right one; it counts."
    )
    hit.args["negatives"][0, 0] = hit.args["context"][0]
    yield hit
    yield case("as many pairs as negatives", (3, 3, 5), "loss")
    yield case("all sizes equal", (3, 3, 3), "loss")
    yield case("no negatives", (N, 0, d), "loss", "Without negatives the context word's part is left.")
    yield case("float64", (N, K, d), "loss", dtype=torch.float64)
    yield case("vectors with gaps in memory", (N, K, d), "loss", gaps=True)

    arrives = "Training needs a gradient at all three, center, context and negatives."
    yield case("gradients", (N, K, d), "gradients", arrives, backward=True)
    yield case("gradients, all sizes equal", (3, 3, 3), "gradients", arrives, backward=True)
    yield case("gradients, float64", (K, N, d), "gradients", arrives, backward=True, dtype=torch.float64)
    yield case("gradients, one negative each", (N, 1, d), "gradients", arrives, backward=True)
    yield case("gradients without negatives", (N, 0, d), "gradients", "", backward=True)

    large = "A score of -800 costs 800: log(sigmoid(-800)) is not -inf, if it is computed in one step."
    told = "sgns_loss(center, context, negatives) with large scores, and backward"
    for name, pairs in (
        ("pairs that are far off", [(-800.0, 700.0), (-350.0, 900.0)]),
        ("pairs that are right by far", [(900.0, -800.0), (300.0, -400.0)]),
        ("large scores of either kind", [(900.0, 600.0), (-500.0, -700.0), (0.7, -0.4)]),
    ):
        yield Case(name, scores(pairs), "large scores", call=told, because=large)
    yield Case("large scores, float64", scores([(-900.0, 950.0), (800.0, -650.0), (20.0, 30.0)], torch.float64),
               "large scores", call=told, because=large)  # fmt: skip


sgns_loss = Exercise(
    id="04.sgns_loss",
    title="Skip-gram with negative sampling",
    why="A softmax over a large vocabulary costs much; telling one true neighbour from a few drawn ones costs next to "
    "nothing, and still gives useful vectors.",
    difficulty=2,
    minutes=12,
    core=False,
    criteria=(
        Criterion("loss", 2, "log-sigmoids of one context and K negatives, summed, and the mean over the pairs"),
        Criterion("gradients", 1, "gradients reach center, context and negatives"),
        Criterion("large scores", 1, "large scores give a finite loss and finite gradients"),
    ),
    hints=(
        "Scores first: one number for each pair, (N,), and one for each negative, (N, K). All are dot products with center.",
        "The context's score should be large, the negatives' small: which sign does each get inside the sigmoid?",
        "`log(sigmoid(x))` is -inf for x = -800. torch has both in one function, which is exact there.",
        "Add the context's log-sigmoid and the sum over the K negatives; the loss is minus the mean of that over N.",
    ),
    cases=_loss_cases,
    run=_run_loss,
    compare=Same(
        rules={
            "loss": _scalar,
            "graph": has_graph("loss"),
            **gradient_rules("center", "context", "negatives"),
        }
    ),
)
