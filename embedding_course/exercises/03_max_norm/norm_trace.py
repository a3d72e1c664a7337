"""Row norms along a training run: cases and comparison."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, show
from ...messages import Message
from .tables import limit, table

_OPTIMIZERS: dict[str, Callable[..., torch.optim.Optimizer]] = {
    "sgd": lambda parameters, lr: torch.optim.SGD(parameters, lr=lr),
    "sgd-momentum": lambda parameters, lr: torch.optim.SGD(parameters, lr=lr, momentum=0.9),
    "adam": lambda parameters, lr: torch.optim.Adam(parameters, lr=lr),
}


def _run(
    candidate: Callable[..., Any],
    table: torch.Tensor,
    batches: Sequence[torch.Tensor],
    target: torch.Tensor,
    optimizer: str = "sgd",
    lr: float = 0.1,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    old_grad: torch.Tensor | None = None,
    earlier_grad: torch.Tensor | None = None,
) -> NamedParts:
    """Train towards `target`; afterwards overwrite the table, which must not reach the norms that were returned.

    With `earlier_grad` the optimizer has taken a step by it, at twice the rate, and takes another one after the call: so it
    shows whether its memory and its rate were used, and whether they went on.

    The loss refuses what has not the shape of a whole batch: it stands for one that does not add up over words.
    """
    embedding = torch.nn.Embedding(*table.shape, max_norm=max_norm, norm_type=norm_type, _weight=table.clone())
    stepper = _OPTIMIZERS[optimizer](embedding.parameters(), lr if earlier_grad is None else 2 * lr)

    def step_by(gradient: torch.Tensor) -> None:
        embedding.weight.grad = gradient.clone()
        stepper.step()

    if earlier_grad is not None:
        step_by(earlier_grad)
        stepper.param_groups[0]["lr"] = lr
    embedding.weight.grad = None if old_grad is None else old_grad.clone()

    shapes = {(*batch.shape, table.shape[1]) for batch in batches}

    def loss_fn(out: torch.Tensor) -> torch.Tensor:
        if tuple(out.shape) not in shapes:
            raise ValueError(f"loss_fn takes embedding(batch), (*batch.shape, d); it was given shape {tuple(out.shape)}")
        return ((out - target) ** 2).sum() / 2

    norms = candidate(embedding, stepper, batches, loss_fn)
    afterwards = {"weight afterwards": embedding.weight.detach().clone()}
    if earlier_grad is not None:
        step_by(earlier_grad)
        afterwards["weight after one more step"] = embedding.weight.detach().clone()
    with torch.no_grad():
        embedding.weight.mul_(-3.0).add_(1.0)
    return NamedParts({"norms": norms, **afterwards})


def _norms(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    """Compare the norms; in the first criterion, a trace of one step may lack its first axis, which "any batches" asks for."""
    if case.criterion == "one step" and isinstance(got, torch.Tensor) and got.ndim == 1:
        got = got[None]
    return Comparison().leaf(expected, got, Message("the norms"))


def _cases(draw: RandomInputs) -> Iterator[Case]:
    width = draw.choice((3, 5))
    rows, steps = 7, draw.choice((3, 4, 6))

    def case(
        name: str,
        weight: torch.Tensor,
        batches: list[torch.Tensor],
        criterion: str,
        because: str = "",
        old_grad: bool = False,
        stepped: bool = False,
        **options: Any,
    ) -> Case:
        target = draw.uniform(weight.shape[1], low=3.0, high=6.0, dtype=weight.dtype)
        given = {"optimizer": "sgd", "lr": 0.1, **options}
        if old_grad:
            given["old_grad"] = draw.normal(*weight.shape, dtype=weight.dtype)
        if stepped:
            given["earlier_grad"] = draw.uniform(*weight.shape, low=0.5, high=2.0, dtype=weight.dtype)
        clip = "".join(f", {key}={options[key]}" for key in ("max_norm", "norm_type") if key in options)
        call = (
            f"norm_trace(embedding, optimizer, {show(batches)}, loss_fn) with embedding.weight = {show(weight)}{clip}, "
            f"{given['optimizer']} with lr {given['lr']}, loss_fn = lambda out: ((out - {show(target)}) ** 2).sum() / 2, "
            "for out of shape (*batch.shape, d)"
        )
        if old_grad:
            call += ", and a gradient left over in embedding.weight.grad"
        if stepped:
            call += ", and an optimizer that has taken a step before, when its lr was twice as large, and takes one afterwards"
        return Case(name, {"table": weight, "batches": batches, "target": target}, criterion, given, call, because)

    def some(dtype: torch.dtype = torch.float32) -> torch.Tensor:
        return table(draw, rows, width, 1.0, dtype=dtype)

    def seen(count: int, words: int = 4) -> list[torch.Tensor]:
        """Return batches in which the last rows of the table do not occur."""
        return [draw.ids(words, rows - 2) for _ in range(count)]

    after = "The norms of a step are those after optimizer.step(), for every row of the table."
    yield case("one step", some(), seen(1), "one step", after).trying(
        "Train the embedding", "both are changed", "row s holds", "does not change")
    square = table(draw, width, width, 1.0)
    yield case("one step, as many rows as columns", square, [draw.ids(2, width)], "one step", after).trying("row s holds")

    example = {
        "table": torch.tensor([[3.0, 4.0], [0.0, 2.0]]), "batches": [torch.tensor([0]), torch.tensor([0, 1])],
        "target": torch.zeros(2),
    }
    call = "norm_trace(embedding, optimizer, [tensor([0]), tensor([0, 1])], loss_fn) as in the docstring"
    yield Case("docstring example", example, "clean steps", {"lr": 0.5}, call, after).trying("Train the embedding")

    clean = "Each step starts from cleared gradients: an old gradient does not count."
    yield case("one step, an old gradient", some(), seen(1), "clean steps", clean, old_grad=True).trying(
        "Gradients from before")
    yield case("several steps", some(), seen(steps), "clean steps", after).trying(
        "Train the embedding", "embedding nn.Embedding", "one training", "(steps, V)", "row s holds", "does not change")
    yield case("several steps with momentum", some(), seen(steps), "clean steps", optimizer="sgd-momentum", lr=0.05).trying(
        "an optimizer")
    yield case("several steps of Adam, an old gradient", some(), seen(steps), "clean steps", clean, old_grad=True,
               optimizer="adam", lr=0.2).trying("an optimizer", "Gradients from before")
    kept = "The optimizer keeps its state and its learning rate from before, and goes on with them."
    for optimizer, lr in (("sgd-momentum", 0.05), ("adam", 0.2)):
        yield case(f"an optimizer that has stepped before, {optimizer}", some(), seen(2), "clean steps", kept, stepped=True,
                   optimizer=optimizer, lr=lr).trying("which may have taken", "both are changed")

    clipped = "Calling embedding(batch) clips the rows of the batch; measuring norms must clip none."
    top = limit(draw)
    weight = table(draw, rows, width, top, long=True)
    yield case("one step with max_norm", weight, seen(1), "max_norm", clipped, max_norm=top).trying("loss_fn")
    weight = table(draw, rows, width, top, long=True)
    yield case("several steps with max_norm", weight, seen(steps), "max_norm", clipped, max_norm=top)
    weight = table(draw, rows, width, top, long=True)
    yield case("several steps of Adam with max_norm", weight, seen(steps), "max_norm", clipped, max_norm=top,
               optimizer="adam", lr=0.3)
    weight = table(draw, rows, width, top, long=True, norm_type=1.0)
    yield case("max_norm for the sum of absolute values", weight, seen(steps), "max_norm",
               "norm_type is the norm that max_norm bounds; the trace still holds L2 norms.",
               max_norm=top, norm_type=1.0).trying("row s holds")

    yield case("a trace of one step", some(), seen(1), "any batches", "One step gives (1, V), not (V,).").trying("(steps, V)")
    yield case("no batches", some(), [], "any batches", f"Without a step there are 0 rows of {rows} norms.").trying(
        "one training", "It has shape")
    yield case("as many steps as rows", some(), seen(rows), "any batches").trying("one training", "(steps, V)")
    shapes = ((2, 3), (5,), (1, 1), (2, 1, 2))
    yield case("batches of several shapes", some(), [draw.ids(shape, rows - 2) for shape in shapes], "any batches",
               "loss_fn takes embedding(batch) as it is, (*batch.shape, d).").trying("list of int64", "loss_fn")
    yield case("an empty batch among others", some(), [*seen(1), draw.ids((0,), rows), *seen(1)], "any batches",
               "An empty batch is a step too, which moves nothing under SGD.").trying("list of int64")
    yield case("an empty batch under Adam", some(), [*seen(1), draw.ids((0,), rows), *seen(1)], "any batches",
               "An empty batch is a step too: Adam goes on moving what moved before.", optimizer="adam", lr=0.2).trying(
        "one training")
    own = "The norms have the table's floating type."
    yield case("float64", some(torch.float64), seen(steps), "any batches", own).trying("(steps, V)")
    yield case("no batches, float64", some(torch.float64), [], "any batches", own).trying("It has shape")
    large = table(draw, rows, width, 2500.0)
    yield case("large values", large, seen(steps), "any batches", lr=0.25).trying("loss_fn")


norm_trace = Exercise(
    id="03.norm_trace",
    title="Row norms during training",
    why="The norm of every row after each step shows what max_norm bounds, and what it does not.",
    difficulty=2,
    minutes=12,
    core=False,
    criteria=(
        Criterion("one step", 1, "a full training step, then the L2 norm of every row"),
        Criterion("clean steps", 1, "every step counts by itself, and its norms stay what they were"),
        Criterion("max_norm", 1, "a table with max_norm is clipped by the lookups in training, and by nothing else",
                  tries=("embedding nn.Embedding",)),
        Criterion("any batches", 1, "no batch, batches of any shape, as many steps as rows, float64"),
    ),
    hints=(
        "A step has four parts: zero_grad, the loss, backward, step. Measure the norms after all four.",
        "Measure every row, also rows that no batch contains: one number for each row of embedding.weight.",
        "Keep new numbers of each step. A detached weight shares memory with the weight and goes on changing.",
        "`torch.stack` makes (steps, V) of a list of (V,) tensors, but it refuses an empty list. So create the result "
        "before the loop, in the dtype of the table.",
    ),
    cases=_cases,
    of_driver=("table", "target", "optimizer", "lr", "old_grad", "earlier_grad", "max_norm", "norm_type"),
    run=_run,
    compare=Comparison(rules={"norms": _norms}),
)
