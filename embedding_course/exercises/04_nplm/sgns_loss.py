"""Skip-gram with negative sampling: what the drawn words cost."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, strided
from ...checking.gradient_rules import gradient_rules
from ...messages import Message


def _run(
    candidate: Callable[..., Any], center: torch.Tensor, context: torch.Tensor, negatives: torch.Tensor, backward: bool
) -> NamedParts:
    """Report the loss, and with `backward` what reaches each of the three."""
    given = {"center": center, "context": context, "negatives": negatives}
    for tensor in given.values():
        tensor.requires_grad_()
    loss = candidate(center, context, negatives)
    parts = NamedParts({"loss": loss})
    if backward:
        if isinstance(loss, torch.Tensor) and loss.requires_grad:
            loss.backward()
        parts.update({f"gradient of {name}": tensor.grad for name, tensor in given.items()})
    return parts


def _scalar(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    if isinstance(got, float):
        return Mismatch("type", Message("The loss is a Python float; a 0-d tensor with a graph was expected."))
    return Comparison().leaf(expected, got, Message("the loss"))


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        sizes: tuple[int, int, int],
        criterion: str,
        because: str = "",
        *,
        backward: bool = False,
        dtype: torch.dtype = torch.float32,
        gaps: bool = False,
    ) -> Case:
        N, K, d = sizes
        args = {
            "center": draw.normal(N, d, dtype=dtype),
            "context": draw.normal(N, d, dtype=dtype),
            "negatives": draw.normal(N, K, d, dtype=dtype),
        }
        if gaps:
            args = {key: strided(value) for key, value in args.items()}
        call = f"sgns_loss(center, context, negatives) with N = {N}, K = {K}, d = {d}" + ", and backward" * backward
        return Case(name, {**args, "backward": backward}, criterion, call=call, because=because)

    def scores(pairs: list[tuple[float, float]], dtype: torch.dtype = torch.float32) -> dict[str, Any]:
        """Return vectors with given scores.

        In each pair of `pairs`, the first number is the score with the context. The second is the score with the first of two
        negatives; the score with the other negative is larger by 1.5.
        """
        N = len(pairs)
        center = torch.where(draw.normal(N, 1) < 0, -1.0, 1.0).to(dtype) * draw.uniform(N, 3, low=0.5, high=1.5, dtype=dtype)
        unit = center / (center * center).sum(dim=1, keepdim=True)
        context = torch.stack([unit[n] * good for n, (good, _) in enumerate(pairs)])
        negatives = torch.stack([torch.stack([unit[n] * bad, unit[n] * (bad + 1.5)]) for n, (_, bad) in enumerate(pairs)])
        return {"center": center, "context": context, "negatives": negatives, "backward": True}

    N, K, d = draw.sizes(3)
    why = "The loss of a pair has one logarithm for its context word and one for each of its K negatives; they are added."
    yield case("one pair, several negatives", (1, K, d), "loss", why).trying("For one pair")
    yield case("several pairs", (N, K, d), "loss", "The mean is over the N pairs only; each has negatives of its own.").trying(
        "The result", "context (N, d)", "negatives (N, K, d)", "K may be 0")
    yield case("several pairs, one negative each", (N, 1, d), "loss", why).trying("The result")
    yield case("as many pairs as negatives", (3, 3, 5), "loss").trying("context (N, d)")

    yield case("one pair, one negative", (1, 1, d), "any input", why).trying("center tensor")
    yield case("vectors of one number", (N, K, 1), "any input").trying("center tensor")
    hit = case(
        "a negative that is the context word", (N, K, d), "any input", "A word that is drawn may be the right one; it counts."
    )
    hit.args["negatives"][0, 0] = hit.args["context"][0]
    yield hit.trying("For one pair")
    yield case("all sizes equal", (3, 3, 3), "any input").trying("negatives (N, K, d)", "K may be 0")
    yield case("no negatives", (N, 0, d), "any input", "Without negatives the context word's part is left.").trying(
        "negatives (N, K, d)", "K may be 0")
    yield case("float64", (N, K, d), "any input", dtype=torch.float64).trying("center tensor", "returns")
    yield case("vectors with gaps in memory", (N, K, d), "any input", gaps=True).trying("center tensor")
    zero = torch.zeros(1, 2)
    known = {"center": zero, "context": zero.clone(), "negatives": torch.zeros(1, 3, 2), "backward": False}
    yield Case("docstring example", known, "any input", call="sgns_loss(zero, zero, torch.zeros(1, 3, 2))", because=why).trying(
        "For one pair")
    center, half, almost = (draw.normal(N, K + 1, 3, dtype=torch.float64) for _ in range(3))
    given = {
        "center": torch.cat([center[:, 0], center[:, 0]], dim=1),
        "context": torch.cat([1e5 * half[:, 0], almost[:, 0] - 1e5 * half[:, 0]], dim=1),
        "negatives": torch.cat([1e5 * half[:, 1:], almost[:, 1:] - 1e5 * half[:, 1:]], dim=2),
        "backward": False,
    }
    call = f"sgns_loss(center, context, negatives) with N = {N}, K = {K}, d = 6, in float64"
    yield Case("float64, large terms that almost cancel", given, "any input", call=call).trying("center tensor")

    arrives = "Training needs a gradient at all three, center, context and negatives."
    yield case("gradients", (N, K, d), "gradients", arrives, backward=True)
    yield case("gradients, all sizes equal", (3, 3, 3), "gradients", arrives, backward=True)
    yield case("gradients, float64", (K, N, d), "gradients", arrives, backward=True, dtype=torch.float64)
    yield case("gradients, one negative each", (N, 1, d), "gradients", arrives, backward=True)
    yield case("gradients without negatives", (N, 0, d), "gradients", "", backward=True).trying(
        "negatives (N, K, d)", "K may be 0")
    start = case("gradients, scores of exactly 0", (N, K, d), "gradients",
                 "Before training context vectors are often zeros: a score of 0 has a gradient like any other.", backward=True)
    start.args["context"].zero_()
    start.args["negatives"].zero_()
    yield start

    large = "A score of -800 costs 800: log(sigmoid(-800)) is not -inf, if it is computed in one step."
    call = "sgns_loss(center, context, negatives) with large scores, and backward"
    for name, pairs in (
        ("pairs that are far off", [(-800.0, 700.0), (-350.0, 900.0)]),
        ("pairs that are right by far", [(900.0, -800.0), (300.0, -400.0)]),
        ("large scores of either kind", [(900.0, 600.0), (-500.0, -700.0), (0.7, -0.4)]),
    ):
        yield Case(name, scores(pairs), "large scores", call=call, because=large)
    yield Case("large scores, float64", scores([(-900.0, 950.0), (800.0, -650.0), (20.0, 30.0)], torch.float64),
               "large scores", call=call, because=large)


sgns_loss = Exercise(
    id="04.sgns_loss",
    title="Skip-gram with negative sampling",
    why="A softmax over a large vocabulary costs much. Telling one true neighbour from a few drawn words is cheap "
    "and still gives useful vectors.",
    difficulty=2,
    minutes=17,
    criteria=(
        Criterion("loss", 2, "log-sigmoids of one context and K negatives, summed, and the mean over the pairs"),
        Criterion("any input", 1, "sizes of one, sizes that coincide, no negatives, float64, any memory layout"),
        Criterion("gradients", 1, "gradients reach center, context and negatives", tries=("returns",)),
        Criterion("large scores", 1, "large scores give a finite loss and finite gradients", tries=("loss and gradients",)),
    ),
    hints=(
        "Scores first: one number for each pair, (N,), and one for each negative, (N, K). All are dot products with center.",
        "The context's score should be large, the negatives' small: which sign does each get inside the sigmoid?",
        "`log(sigmoid(x))` is -inf for x = -800. torch has both in one function, which is exact there.",
        "Add the context's log-sigmoid and the sum over the K negatives; the loss is minus the mean of that over N.",
    ),
    cases=_cases,
    of_driver=("backward",),
    run=_run,
    compare=Comparison(rules={
        "loss": _scalar,
        **gradient_rules("center", "context", "negatives"),
    }),
)
