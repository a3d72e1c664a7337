"""One step of training, judged by what became of the parameters."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ...checking.exercise import Case, Comparison, Criterion, Exercise, NamedParts, RandomInputs, strided

_OPTIMIZERS: dict[str, Callable[..., torch.optim.Optimizer]] = {
    "sgd": lambda groups, lr: torch.optim.SGD(groups, lr=lr),
    "sgd-momentum": lambda groups, lr: torch.optim.SGD(groups, lr=lr, momentum=0.9),
    "adam": lambda groups, lr: torch.optim.Adam(groups, lr=lr),
    "adamw": lambda groups, lr: torch.optim.AdamW(groups, lr=lr, weight_decay=0.3),
}
_LOSSES: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "cross-entropy": F.cross_entropy,
    "nn.CrossEntropyLoss(reduction='sum')": nn.CrossEntropyLoss(reduction="sum"),
    "(out ** 2 - y * out).mean()": lambda out, y: (out**2 - y * out).mean(),
    "(out ** 2 - y * out).sum()": lambda out, y: (out**2 - y * out).sum(),
    "(y * out).mean() - 50": lambda out, y: (y * out).mean() - 50,
    "(out ** 2).mean(), without y": lambda out, y: (out**2 if y is None else out * y).mean(),
    "cross_entropy(out[0], y) + (out[1] ** 2).mean()": lambda out, y: F.cross_entropy(out[0], y) + (out[1] ** 2).mean(),
}

#: How a case is set up where it does not say otherwise.
_USUAL: dict[str, Any] = {
    "loss": "cross-entropy", "optimizer": "sgd", "lr": 0.5, "old_grad": None, "frozen": [], "two_groups": False,
    "by_batch": False,
}


class _WithHidden(nn.Sequential):
    """A model that returns two things: the logits, and the hidden layer."""

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self[1](self[0](x))
        return self[2](hidden), hidden


def _model(weights: Mapping[str, torch.Tensor], by_batch: bool, pair: bool) -> nn.Sequential:
    """Return a small network of smooth parts, so that no parameter is ever without a gradient.

    The network is a single layer if `weights` has no second one. `by_batch` adds a batch norm, by which a model in training
    mode differs from one in eval mode. With `pair`, the model returns a tuple.
    """
    if "2.weight" not in weights:
        model = nn.Sequential(nn.Linear(*reversed(weights["0.weight"].shape), bias="0.bias" in weights))
    else:
        (hidden, width), (classes, _) = weights["0.weight"].shape, weights["2.weight"].shape
        layers = nn.Linear(width, hidden), nn.Softplus(), nn.Linear(hidden, classes)
        norms = [nn.BatchNorm1d(classes, affine=False)] if by_batch else []
        model = (_WithHidden if pair else nn.Sequential)(*layers, *norms).to(weights["0.weight"].dtype)
    model.load_state_dict(dict(weights), strict=False)
    return model


def _run(
    candidate: Callable[..., Any],
    weights: Mapping[str, torch.Tensor],
    batches: Sequence[Sequence[torch.Tensor | None]],
    loss: str,
    optimizer: str,
    lr: float,
    old_grad: float | None,
    frozen: Sequence[str],
    two_groups: bool,
    by_batch: bool,
) -> NamedParts:
    """Call the answer once for each batch, with one model and optimizer, and report the losses and the parameters."""
    model = _model(weights, by_batch, pair="out[0]" in loss)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name not in frozen)
        if old_grad is not None and name not in frozen:
            parameter.grad = torch.full_like(parameter, old_grad)
    learning = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups: Any = [{"params": learning[:1], "lr": lr / 4}, {"params": learning[1:]}] if two_groups else learning
    stepper = _OPTIMIZERS[optimizer](groups, lr)
    losses = [candidate(model, batch, _LOSSES[loss], stepper) for batch in batches]
    parts = NamedParts({"loss": losses[0]} if len(losses) == 1 else {"losses": losses})
    parts.update({f"parameter {name} afterwards": value for name, value in model.named_parameters()})
    parts["layers that learn"] = [name for name, value in model.named_parameters() if value.requires_grad]
    return parts


def _cases(draw: RandomInputs) -> Iterator[Case]:
    width, hidden, classes = 2, 3, 5

    def case(
        name: str,
        criterion: str,
        because: str = "",
        *,
        rows: Sequence[int] = (7,),
        sizes: Sequence[int] = (width, hidden, classes),
        dtype: torch.dtype = torch.float32,
        scale: float = 1.0,
        gaps: bool = False,
        pair: type = tuple,
        **changed: Any,
    ) -> Case:
        d, H, V = sizes
        how = _USUAL | changed
        loss = how["loss"]
        shapes = {"0.weight": (H, d), "0.bias": (H,), "2.weight": (V, H), "2.bias": (V,)}
        weights = {name: draw.normal(*shape, dtype=dtype) for name, shape in shapes.items()}
        batches = []
        for count in rows:
            x = draw.normal(count, d, dtype=dtype, scale=scale)
            y = draw.ids(count, V) if "ntropy" in loss else draw.normal(count, V, dtype=dtype)
            if gaps:
                x, y = strided(x), strided(y)
            batches.append(pair((x, None if "without y" in loss else y)))
        batch = "(x, None)" if "without y" in loss else "(x, y)"
        call = f"train_step(model, {batch}, loss_fn, optimizer) with x of shape ({rows[0]}, {d}), loss {loss}"
        call += f", {how['optimizer']} with lr {how['lr']}" + (f", {len(rows)} times" if len(rows) > 1 else "")
        call += ", a model that returns (logits, hidden layer)" if "out[0]" in loss else ""
        call += ", and gradients left over in the model" if how["old_grad"] is not None else ""
        return Case(name, {"weights": weights, "batches": batches, **how}, criterion, call=call, because=because)

    before = "The optimizer moves the parameters once; the number returned is the loss before that."
    yield case("one step", "one step", before).trying(
        "model called", "it is not put", "What it returns", "batch a pair", "returns the loss")
    yield case("a loss that takes (output, target)", "one step", "loss_fn gets the model's output first.",
               loss="(out ** 2 - y * out).mean()", lr=0.1)
    yield case("a loss that is a sum", "one step", "The loss is what loss_fn returns, whatever it is.",
               loss="(out ** 2 - y * out).sum()", lr=0.02)
    yield case("a loss that is a module", "one step", loss="nn.CrossEntropyLoss(reduction='sum')", lr=0.05)

    clean = "Gradients that were there before the call must not count."
    yield case("old gradients", "clean", clean, old_grad=2.5)
    yield case("old gradients, Adam", "clean", clean, old_grad=-40.0, optimizer="adam", lr=0.1)
    yield case("old gradients that are nan", "clean", clean, old_grad=float("nan"))
    yield case("three steps", "clean", "Each call starts from clean gradients.", rows=(7, 5, 3)).trying("returns the loss")

    own = "The optimizer takes the step, with its own state, groups and learning rates."
    yield case("three steps with momentum", "optimizer", own, rows=(7, 3, 5), optimizer="sgd-momentum", lr=0.1).trying(
        "it keeps its memory")
    yield case("three steps of Adam", "optimizer", own, rows=(3, 7, 5), optimizer="adam", lr=0.1).trying("it keeps its memory")
    yield case("two steps of AdamW", "optimizer", own, rows=(5, 7), optimizer="adamw", lr=0.1).trying("it keeps its memory")
    yield case("two groups of parameters", "optimizer", own, rows=(5, 5), two_groups=True).trying("optimizer a torch")
    yield case("a layer that is frozen", "optimizer", "A frozen parameter does not change, and stays frozen.",
               frozen=["0.weight", "0.bias"], rows=(5, 3)).trying("optimizer a torch")
    yield case("large gradients", "optimizer", "Nothing is clipped.", loss="(out ** 2 - y * out).sum()", scale=100,
               lr=1e-4).trying("optimizer a torch")

    yield case("one row", "any batch", before, rows=(1,), old_grad=1.5)
    yield case("as many rows as classes, and all widths equal", "any batch", rows=(5,), sizes=(5, 5, 5))
    yield case("a loss below 0", "any batch", "A loss may have either sign; a step makes it smaller.",
               loss="(y * out).mean() - 50", lr=0.1).trying("loss_fn takes", "the loss may be negative")
    yield case("a model with a batch norm, in training mode", "any batch", "The model is not put into eval mode.",
               rows=(5, 7), by_batch=True, loss="(out ** 2 - y * out).sum()", lr=0.005).trying("model called", "it is not put")
    yield case("float64", "any batch", dtype=torch.float64, rows=(7, 5))
    yield case("a batch with gaps in memory", "any batch", gaps=True)
    yield case("a batch without targets", "any batch", "y is None where the loss needs no targets, and is passed on unchanged.",
               loss="(out ** 2).mean(), without y", lr=0.1).trying("y may be None")
    yield case("a model that returns a tuple", "any batch", "What the model returns is passed on to loss_fn unchanged.",
               loss="cross_entropy(out[0], y) + (out[1] ** 2).mean()").trying("What it returns")
    yield case("a batch that is a list", "any batch", "A data loader gives lists.", pair=list).trying("batch a pair")
    known = {
        "weights": {"0.weight": torch.tensor([[2.0]])}, "batches": [(torch.ones(1, 1), None)],
        **_USUAL, "loss": "(out ** 2).mean(), without y", "lr": 0.25,
    }
    call = "train_step(model, (torch.ones(1, 1), None), loss_fn, optimizer) with w = 2, loss out ** 2, sgd with lr 0.25"
    yield Case("docstring example", known, "any batch", call=call, because=before).trying(
        "y may be None", "returns the loss", "With w = 2")


train_step = Exercise(
    id="04.train_step",
    title="One step of training",
    why="Every training loop of the course has these four lines, and most bugs in one are lines in the wrong order.",
    difficulty=1,
    minutes=10,
    criteria=(
        Criterion("one step", 1.5, "the parameters after one step, and the loss before it", tries=("loss_fn takes",)),
        Criterion("clean", 1, "old gradients do not count, in any call", tries=("Old gradients must not",)),
        Criterion("optimizer", 1, "the step is the optimizer's, with its memory and its groups"),
        Criterion("any batch", 0.5, "one row or many, any floating type and loss, y None, outputs of any kind"),
    ),
    hints=(
        "Forward, loss, backward, step. One thing is missing in this list: what does backward do to gradients that "
        "are already there?",
        "backward adds. So the gradients must be cleared before it; not between backward and step.",
        "The optimizer holds the parameters and the rule by which they move. Ask it to step; do not make another one.",
        "Clear the gradients, call the model on x, compare with y by loss_fn, go backward, let the optimizer step, and "
        "return the number that the loss was.",
    ),
    cases=_cases,
    of_driver=("weights", "batches", "loss", "optimizer", "lr", "old_grad", "frozen", "two_groups", "by_batch"),
    run=_run,
    by_products=("layers that learn",),
    compare=Comparison(),
)
