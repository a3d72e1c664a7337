"""Check the results of a module in training mode, in which unwanted dropout shows.

An exercise that asks for a module builds it, switches it to eval mode and judges it there. One case also calls it in training
mode, with `train()` before and `eval()` after, and reports the tensors that it returns. The rule `no_dropout` compares them
with those of the reference, in the process that judges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from ..messages import Message
from .compare import Comparison, Mismatch, part_named
from .exercise import Case

__all__ = ["IN_TRAINING", "in_training_mode", "no_dropout", "no_dropout_in", "parts_in_training_mode", "whatever_was_dropped"]

#: The name of the part that holds it.
IN_TRAINING = "result in training mode"

#: Tolerances with which a known mistake is recognised: which numbers a dropout drops differs from version to version.
whatever_was_dropped = {IN_TRAINING: math.inf}


def in_training_mode(model: nn.Module, call: Callable[[], Any]) -> Any:
    """Return what `call` returns while the model is in training mode; afterwards it is in eval mode."""
    with torch.random.fork_rng(devices=[]):
        # torch.manual_seed also writes down the stack for every kind of device there might be
        torch.default_generator.manual_seed(0)
        model.train()
        try:
            return call()
        finally:
            model.eval()


def parts_in_training_mode(model: nn.Module, call: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """Return the named parts that `call` returns in training mode, each under a name that says so."""
    return {_in_training(name): value for name, value in in_training_mode(model, call).items()}


def no_dropout(stage: str = "values", share: float = 1e-3) -> Callable[[Any, Any, Case], Mismatch | None]:
    """Return the rule for that part: the result is the reference's, up to this share of its largest number."""

    def rule(expected: torch.Tensor, got: Any, _: Case) -> Mismatch | None:
        close = 1e-4 + share * float(expected.abs().max())
        fault = Comparison(dtype="floating").leaf(expected, got, part_named(IN_TRAINING), close)
        message = Message("In training mode the numbers are other ones; there is no dropout unless somebody asks for it.")
        return fault and Mismatch(stage, message)

    return rule


def no_dropout_in(*names: str) -> dict[str, Any]:
    """Return that rule for each of several named parts, and their tolerances: keywords of `Comparison`."""
    parts = [_in_training(name) for name in names]
    return {"rules": {part: no_dropout() for part in parts}, "tolerances": dict.fromkeys(parts, math.inf)}


def _in_training(name: str) -> str:
    return f"{name} in training mode"
