"""The gradient of the loss: cases and comparison."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, Observation, RandomInputs, strided
from .batches import shuffled_rows


def _run(candidate: Callable[..., Any], logits: torch.Tensor, targets: torch.Tensor, twice: bool = False) -> Any:
    """Call the answer, with `twice` two times with the same tensors, and return the last result."""
    if twice:
        candidate(logits, targets)
    return candidate(logits, targets)


def _compare(expected: Observation, got: Observation, case: Case) -> Mismatch | None:
    """Compare the gradients; in the first criterion only up to a factor, so that a forgotten 1/N does not cost all points."""
    if case.criterion == "direction":
        expected, got = _to_size_one(expected), _to_size_one(got)
    return Comparison()(expected, got, case)


def _to_size_one(seen: Observation) -> Observation:
    """Divide the result by its largest number in absolute value, which becomes 1 or -1."""
    value = seen.value
    if not isinstance(value, torch.Tensor) or not value.is_floating_point() or not value.any():
        return seen
    return replace(seen, value=value / value.abs().max())


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, logits: torch.Tensor, targets: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"logits": logits, "targets": targets}, criterion, because=because)

    def targets_for(rows: int, classes: int) -> torch.Tensor:
        last = torch.tensor([classes - 1])
        return shuffled_rows(draw, torch.cat([last, draw.ids(rows - 1, classes)]))

    rows, classes = draw.choice(((2, 5), (3, 5), (3, 7), (5, 7)))
    any_factor = "In this case a positive multiple of the gradient is right, too."
    yield case("probabilities minus truth", draw.normal(rows, classes), targets_for(rows, classes), "direction",
               any_factor).trying("Return the gradient")
    yield case("probabilities minus truth, many rows", draw.normal(7, 3, scale=2), targets_for(7, 3), "direction",
               any_factor).trying("Return the gradient")

    yield case("more classes than rows", draw.normal(rows, classes, scale=2), targets_for(rows, classes), "mean",
               "The loss is the mean over the rows, so each row counts 1/N.").trying("returns")
    yield case("more rows than classes", draw.normal(11, 3), targets_for(11, 3), "mean").trying("targets int64")
    yield case("as many rows as classes", draw.normal(5, 5), targets_for(5, 5), "mean").trying("targets int64")
    yield case("docstring example", torch.zeros(2, 2), torch.tensor([0, 1]), "mean")
    again = {"logits": draw.normal(rows, classes), "targets": targets_for(rows, classes)}
    call = f"softmax_cross_entropy_grad(logits, targets) a second time, logits of shape ({rows}, {classes})"
    yield Case("the same tensors a second time", again, "mean", {"twice": True}, call,
               because="What autograd leaves behind in the caller's logits adds up.")

    # Neither the first nor the last class is the target: it stands in for no index of a row and no number of classes.
    yield case("a single row", draw.normal(1, 5), 1 + draw.ids(1, 3), "any size")
    yield case("a single row, float64", draw.normal(1, 7, dtype=torch.float64), 1 + draw.ids(1, 5), "any size").trying(
        "returns")
    yield case("float64", draw.normal(classes, rows, dtype=torch.float64, scale=3), targets_for(classes, rows),
               "any size").trying("returns")
    yield case("a single class", draw.normal(rows, 1), torch.zeros(rows, dtype=torch.int64), "any size",
               "With a single class there is nothing to learn.")
    yield case("logits and targets with gaps in memory", strided(draw.normal(rows, classes)),
               strided(targets_for(rows, classes)), "any size")

    # Gaps of 200 and more: every row's softmax is one-hot to the last bit, so no rounding is in doubt.
    ladder = torch.linspace(-1000, 1000, 7)
    yield case("logits from -1000 to 1000", torch.stack([ladder[draw.distinct(7, 7)] for _ in range(3)]),
               targets_for(3, 7), "large logits", "Adding a constant to a row changes no probability.")
    yield case("logits around 300", 300 + draw.normal(rows, classes), targets_for(rows, classes), "large logits")
    yield case("logits around -1000, float64", draw.normal(rows, classes, dtype=torch.float64) - 1000,
               targets_for(rows, classes), "large logits")
    levels = torch.tensor([[1000.0], [-1000.0], [0.0]], dtype=torch.float64)[draw.distinct(3, 3)]
    yield case("rows on very different levels, float64", levels + draw.normal(3, 5, dtype=torch.float64),
               targets_for(3, 5), "large logits", "Each row has a largest logit of its own.")


softmax_cross_entropy_grad = Exercise(
    id="02.softmax_cross_entropy_grad",
    title="The gradient of the loss",
    why="With a softmax and a cross-entropy at the end, the backward pass of a model starts with this gradient.",
    difficulty=2,
    minutes=18,
    criteria=(
        Criterion("direction", 1, "probabilities minus the one-hot targets, up to a factor"),
        Criterion("mean", 2, "for a batch it is the gradient of the mean loss", tries=("The loss is the mean",)),
        Criterion("any size", 1, "a single row, a single class, float64, any memory layout",
                  tries=("tensor of shape (N, V), N",)),
        Criterion("large logits", 1, "large logits neither overflow nor underflow", tries=("values up",)),
    ),
    hints=(
        "Write the loss of one row as log(sum of exp) minus the target's logit, and differentiate both terms.",
        "The derivative of the first term is the softmax. That of the second is -1 at the target's index and 0 elsewhere.",
        "The loss is the mean over N rows. What does that do to the gradient of each row?",
        "exp(1000) is inf. Subtract the largest logit of each row first: this does not change the softmax.",
    ),
    cases=_cases,
    of_driver=("twice",),
    run=_run,
    compare=_compare,
)
