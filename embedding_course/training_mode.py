"""Does a module compute the same in training mode? Dropout that nobody asked for shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from .compare import Fault
from .exercise import Case

__all__ = ["TRAINING", "trained_alike", "training_rules"]

#: The name of the part that says so.
TRAINING = "numbers in training mode"


def trained_alike(model: nn.Module, call: Callable[[], Mapping[str, Any]], before: Mapping[str, Any]) -> str:
    """Call once more in training mode, and say whether the tensors are those of `before`.

    In words, since which numbers a dropout drops differs from version to version.
    """
    with torch.random.fork_rng(devices=[]):
        # torch.manual_seed also writes down the stack for every kind of device there might be
        torch.default_generator.manual_seed(0)
        model.train()
        after = call()
    model.eval()
    return "the same" if all(_alike(value, after.get(name)) for name, value in before.items()) else "other ones"


def _alike(one: Any, other: Any) -> bool:
    if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
        return type(one) is type(other)
    return one.shape == other.shape and torch.allclose(one, other, rtol=1e-3, atol=1e-4)


def _same_in_training(expected: Any, got: Any, _: Case) -> Fault | None:
    if got == expected:
        return None
    return Fault("values", "in training mode the numbers are other ones; there is no dropout unless somebody asks for it")


training_rules = {TRAINING: _same_in_training}
