"""How a learner's Encoder or Decoder is built from numbers, and which gradients reach it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from ...checking.exercise import RandomInputs, show

LSTM_NAMES = ("lstm.weight_ih_l0", "lstm.weight_hh_l0", "lstm.bias_ih_l0", "lstm.bias_hh_l0")


def lstm_weights(draw: RandomInputs, vocab: int, width: int, hidden: int, **options: Any) -> dict[str, torch.Tensor]:
    """Return weights for the table and the LSTM, by name; no row of the table is zero, not even that of the padding word."""
    shapes = ((4 * hidden, width), (4 * hidden, hidden), (4 * hidden,), (4 * hidden,))
    weights = {"embedding.weight": draw.normal(vocab, width, **options)}
    for name, shape in zip(LSTM_NAMES, shapes, strict=True):
        weights[name] = draw.normal(*shape, scale=0.6, **options)
    return weights


def away_from_zero(draw: RandomInputs, *shape: int) -> torch.Tensor:
    """Return numbers from 0.5 to 1.5 of either sign; multiplied by 1e4, they saturate every gate."""
    sign = torch.where(draw.uniform(*shape) < 0.5, -1.0, 1.0)
    return sign * draw.uniform(*shape, low=0.5, high=1.5)


def saturating(draw: RandomInputs, vocab: int, width: int, hidden: int) -> dict[str, torch.Tensor]:
    """Return a table with one large number in each row, and LSTM weights away from 0, so that every gate saturates."""
    table = torch.zeros(vocab, width)
    table[torch.arange(vocab), draw.ids(vocab, width)] = 1e4 * draw.uniform(vocab, low=0.5)
    return {"embedding.weight": table, "lstm.weight_ih_l0": away_from_zero(draw, 4 * hidden, width)}


def built(
    candidate: Callable[..., nn.Module],
    sizes: Sequence[int],
    options: Mapping[str, Any],
    weights: Mapping[str, torch.Tensor],
) -> nn.Module:
    """Construct the module, set the weights by name, and switch to eval mode; other weights are the same each time."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = candidate(*sizes, **options).eval()
    if any(value.dtype == torch.float64 for value in weights.values()):
        model = model.double()
    for name, value in weights.items():
        parameter = _parameter(model, name)
        if parameter.shape != value.shape:
            raise ValueError(f"{name} has shape {tuple(parameter.shape)}; {tuple(value.shape)} was expected")
        parameter.data.copy_(value)
    return model


def leaves(model: nn.Module, weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the parameters that `weights` names."""
    return {name: _parameter(model, name) for name in weights}


def _parameter(model: nn.Module, name: str) -> nn.Parameter:
    """Return a parameter by name; raise LookupError if there is none.

    In an LSTMCell, the names lack the number of the layer.
    """
    for known in (name, name.removesuffix("_l0")):
        try:
            return model.get_parameter(known)
        except AttributeError:
            continue
    raise LookupError(f"there is no parameter {name}")


def gradients(
    ends: Iterable[tuple[Any, torch.Tensor | None]], leaves: Mapping[str, torch.Tensor]
) -> dict[str, torch.Tensor | None]:
    """Start at the results in `ends`, each with the gradient that arrives there; None means that none does.

    Returns "gradient of <name>" for every leaf: None where nothing reaches it. A sparse one, as an nn.Embedding may give,
    is spread out.
    """
    started = [
        (end, grad.to(end.dtype))
        for end, grad in ends
        if grad is not None and isinstance(end, torch.Tensor) and end.requires_grad and end.shape == grad.shape
    ]
    asked = {name: leaf for name, leaf in leaves.items() if leaf.requires_grad}
    found: dict[str, torch.Tensor | None] = {f"gradient of {name}": None for name in leaves}
    if started and asked:
        results, arriving = zip(*started, strict=True)
        reached = torch.autograd.grad(results, list(asked.values()), arriving, allow_unused=True)
        for name, grad in zip(asked, reached, strict=True):
            found[f"gradient of {name}"] = grad.to_dense() if grad is not None and grad.is_sparse else grad
    return found


def constructor(name: str, sizes: Sequence[int], options: Mapping[str, Any]) -> str:
    """Return the construction of a module as a reader would type it."""
    given = [*map(show, sizes), *(f"{key}={show(value)}" for key, value in options.items())]
    return f"{name}({', '.join(given)})"
