"""How a learner's Encoder or Decoder is built: sizes and weights are numbers, nothing is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from ...compare import Fault
from ...draw import Draw
from ...exercise import Case
from ...show import show

__all__ = ["LSTM_NAMES", "TRAINING", "built", "constructor", "leaves", "lstm_weights", "trained_alike", "training_rules"]

#: The part that says whether training mode changes the numbers: dropout does, and nobody asked for it.
TRAINING = "numbers in training mode"

LSTM_NAMES = ("lstm.weight_ih_l0", "lstm.weight_hh_l0", "lstm.bias_ih_l0", "lstm.bias_hh_l0")


def lstm_weights(draw: Draw, vocab: int, width: int, hidden: int, **options: Any) -> dict[str, torch.Tensor]:
    """Weights for the table and the LSTM, by name. No row of the table is zero, that of the padding word included."""
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
    """Construct, set the weights by name, and switch to eval mode. Weights that nobody names are the same each time."""
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


def trained_alike(model: nn.Module, call: Callable[[], Mapping[str, Any]], before: Mapping[str, Any]) -> str:
    """Call once more in training mode, and say whether the tensors are those of `before`.

    In words, since which numbers a dropout drops differs from version to version.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model.train()
        after = call()
    model.eval()
    pairs = [(value, after.get(name)) for name, value in before.items()]
    return "the same" if all(_alike(*pair) for pair in pairs) else "other ones"


def _alike(one: Any, other: Any) -> bool:
    if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
        return type(one) is type(other)
    return one.shape == other.shape and torch.allclose(one, other, rtol=1e-3, atol=1e-4)


def _same_in_training(expected: Any, got: Any, case: Case) -> Fault | None:
    if got == expected:
        return None
    return Fault("values", "in training mode the numbers are other ones; there is no dropout unless somebody asks for it")


training_rules = {TRAINING: _same_in_training}


def leaves(model: nn.Module, weights: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The parameters that `weights` names."""
    return {name: _parameter(model, name) for name in weights}


def _parameter(model: nn.Module, name: str) -> nn.Parameter:
    """By name; an LSTMCell has no number of the layer in its names. LookupError when there is none."""
    for known in (name, name.removesuffix("_l0")):
        try:
            return model.get_parameter(known)
        except AttributeError:
            continue
    raise LookupError(f"there is no parameter {name}")


def constructor(name: str, sizes: Sequence[int], options: Mapping[str, Any]) -> str:
    """The construction as a reader would type it."""
    given = [*map(show, sizes), *(f"{key}={show(value)}" for key, value in options.items())]
    return f"{name}({', '.join(given)})"
