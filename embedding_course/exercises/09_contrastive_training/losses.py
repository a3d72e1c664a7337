"""What the contrastive losses share: how they are called and compared, and vectors that are hard for them."""

from collections.abc import Callable, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Mismatch, NamedParts, RandomInputs, show
from ...checking.gradient_rules import NO_GRAPH, gradient_rules
from ...messages import Message


def loss_of(*names: str) -> Callable[..., NamedParts]:
    """Return a driver for losses whose parameters have these names.

    The parameters in `learns` require gradients, which are reported. A gradient is None if no graph leads from the loss to the
    tensor.
    """

    def run(candidate: Callable[..., Any], *args: Any, learns: Sequence[str] = (), **options: Any) -> NamedParts:
        given = {**dict(zip(names, args, strict=False)), **options}
        for name in learns:
            given[name].requires_grad_()
        loss = candidate(*args, **options)
        parts = NamedParts({"loss": loss})
        if learns:
            if isinstance(loss, torch.Tensor) and loss.requires_grad and loss.ndim == 0:
                loss.backward()
            parts["gradients"] = {name: given[name].grad for name in learns}
        return parts

    return run


def _loss(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    """Compare the losses within rounding; a loss of 0 may be a little more or less."""
    if not isinstance(got, torch.Tensor):
        return Comparison().leaf(expected, got, Message("the loss"))
    double = expected.dtype == torch.float64
    limit = (1e-6 if double else 1e-4) * float(expected.abs()) + (1e-9 if double else 1e-6)
    return Comparison().leaf(expected, got, Message("the loss"), limit)


def _gradients(expected: dict[str, torch.Tensor], got: Any, case: Case) -> Mismatch | None:
    """Compare gradients: a loss without a graph gives none at all, and one of zeros may be missing if another arrives."""
    theirs = got if isinstance(got, dict) else {}
    if all(theirs.get(name) is None for name in expected):
        return Mismatch("property", NO_GRAPH.fill(part=Message("the loss")))
    rules = gradient_rules(*expected)
    faults = (rules[f"gradient of {name}"](wanted, theirs.get(name), case) for name, wanted in expected.items())
    return next((fault for fault in faults if fault), None)


same_loss = Comparison(rules={"loss": _loss, "gradients": _gradients})


def printed_call(name: str, args: dict[str, Any], options: dict[str, Any], learns: Sequence[str]) -> str:
    """Return the call of a loss as a learner would type it, and which tensors require grad if `learns` names some."""
    given = [show(value) for value in args.values()] + [f"{key}={show(value)}" for key, value in options.items()]
    call = f"{name}({', '.join(given)})"
    return call + (f" and then backward(), where {' and '.join(learns)} require{'s' * (len(learns) == 1)} grad"
                   if learns else "")


def unequal_lengths(draw: RandomInputs, rows: torch.Tensor) -> torch.Tensor:
    """Return the rows with norms from 0.3 to 50, so that a dot product is far from a cosine."""
    sizes = torch.logspace(-0.5, 1.7, len(rows), dtype=rows.dtype)[draw.distinct(len(rows), len(rows))]
    return rows / torch.linalg.vector_norm(rows, dim=1, keepdim=True) * sizes[:, None]


def crossed(draw: RandomInputs, rows: int, width: int, own: float = 1.0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return two sets of vectors in which row i of the second has the cosine 0.95 with another row of the first.

    Its cosine with row i of the first is 0.32 (or -0.32 with own=-1).
    """
    first = torch.linalg.qr(draw.normal(width, rows))[0].T
    return 2 * first, 3 * first.roll(1, 0) + own * first + 0.01 * draw.normal(rows, width)


def bundle(draw: RandomInputs, rows: int, width: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (rows, width) vectors around one direction, and that direction."""
    middle = draw.normal(1, width)
    middle = middle / middle.norm()
    spread = draw.normal(rows, width)
    return middle + 0.2 * spread / torch.linalg.vector_norm(spread, dim=1, keepdim=True), middle
