"""Values in the right form without the right content: constants and guesses."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from embedding_course.checking.observation import Observation, Raised
from embedding_course.checking.wire_data import NamedParts
from embedding_course.with_torch import torch

__all__ = ["filled", "guessed", "of_length_1", "refused"]


def refused() -> Observation:
    """A ValueError, which is right wherever bad input is to be refused."""
    return Observation(raised=Raised(("ValueError", "Exception", "BaseException"), "no"))


def filled(form: Observation, number: float) -> Observation:
    """Every number replaced by this one."""

    def constant(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor):
            return torch.full_like(leaf, number)
        if isinstance(leaf, np.ndarray):
            return np.full_like(leaf, number)
        return type(leaf)(number) if isinstance(leaf, (bool, int, float)) else leaf if leaf is None else ""

    return form if form.raised else replace(form, value=_mapped(form.value, constant), modified=())


def guessed(form: Observation, rng: random.Random) -> Observation:
    """Every number drawn between the least and the largest that the right result holds."""
    generator = torch.Generator().manual_seed(rng.getrandbits(31))

    def guess(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor):
            return _drawn(leaf, generator)
        if isinstance(leaf, np.ndarray):
            return _drawn(torch.tensor(leaf), generator).numpy()
        if isinstance(leaf, bool):
            return rng.random() < 0.5
        if isinstance(leaf, int):
            return rng.randint(0, max(leaf, 1) * 2)
        return rng.random() * 2 * abs(leaf) if isinstance(leaf, float) else leaf if leaf is None else ""

    return form if form.raised else replace(form, value=_mapped(form.value, guess), modified=())


def of_length_1(seen: Observation) -> Observation:
    """Every floating tensor with rows of length 1, as encoders return them."""

    def scaled(leaf: Any) -> Any:
        rows = isinstance(leaf, torch.Tensor) and leaf.is_floating_point() and leaf.ndim
        return torch.nn.functional.normalize(leaf - leaf.mean(), dim=-1) if rows else leaf

    return seen if seen.raised else replace(seen, value=_mapped(seen.value, scaled))


def _drawn(leaf: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    if not leaf.numel():
        return leaf
    if leaf.dtype == torch.bool:
        return torch.rand(leaf.shape, generator=generator) < 0.5
    exact = leaf.double().nan_to_num(0.0, 1.0, -1.0)
    low, high = exact.min(), exact.max()
    if low == high:  # the right number itself would be no guess
        low, high = low - low.abs() - 1, high + high.abs() + 1
    drawn = low + torch.rand(leaf.shape, generator=generator, dtype=torch.float64) * (high - low)
    return (drawn if leaf.is_floating_point() else drawn.round()).to(leaf.dtype)


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return type(value)({key: _mapped(entry, change) for key, entry in value.items()}) if value else NamedParts()
    if isinstance(value, list):
        return [_mapped(entry, change) for entry in value]
    return change(value)
