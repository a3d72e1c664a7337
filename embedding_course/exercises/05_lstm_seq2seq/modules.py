"""How a learner's Encoder or Decoder is built: sizes and weights are numbers, nothing is drawn."""

from collections.abc import Callable, Mapping, Sequence
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


def constructor(name: str, sizes: Sequence[int], options: Mapping[str, Any]) -> str:
    """Return the construction of a module as a reader would type it."""
    given = [*map(show, sizes), *(f"{key}={show(value)}" for key, value in options.items())]
    return f"{name}({', '.join(given)})"
