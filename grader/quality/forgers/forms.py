"""Values in the right form without the right content: constants and guesses."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from embedding_course.checking.observation import Observation, Raised
from embedding_course.checking.wire_data import NamedParts
from embedding_course.subject.tensors import TENSORS, torch

__all__ = ["filled", "guessed", "of_length_1", "refused"]


def refused() -> Observation:
    """Return the observation of an exception that is a ValueError and a KeyError, as if every case had to be refused."""
    return Observation(raised=Raised(("ValueError", "KeyError", "Exception", "BaseException"), "no"))


def filled(form: Observation, number: float) -> Observation:
    """Return the observation with every number replaced by `number`."""

    def constant(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor):
            return torch.full_like(leaf, number)
        if isinstance(leaf, np.ndarray):
            return np.full_like(leaf, number)
        return type(leaf)(number) if isinstance(leaf, (bool, int, float)) else leaf if leaf is None else ""

    return form if form.raised else replace(form, value=_mapped(form.value, constant), modified=())


def guessed(form: Observation, rng: random.Random) -> Observation:
    """Return the observation with every number replaced by a random one of about the same range."""
    seed = rng.getrandbits(31)
    generator: Any = torch.Generator().manual_seed(seed) if TENSORS else np.random.default_rng(seed)

    def guess(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor):
            return _drawn(leaf, generator)
        if isinstance(leaf, np.ndarray):
            return _drawn(torch.tensor(leaf), generator).numpy() if TENSORS else _drawn_array(leaf, generator)
        if isinstance(leaf, bool):
            return rng.random() < 0.5
        if isinstance(leaf, int):
            return rng.randint(0, max(leaf, 1) * 2)
        return rng.random() * 2 * abs(leaf) if isinstance(leaf, float) else leaf if leaf is None else ""

    return form if form.raised else replace(form, value=_mapped(form.value, guess), modified=())


def of_length_1(seen: Observation) -> Observation:
    """Return the observation with rows of norm 1 in every floating tensor, as encoders return them."""

    def scaled(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() and leaf.ndim:
            return torch.nn.functional.normalize(leaf - leaf.mean(), dim=-1)
        return _unit_rows(leaf) if isinstance(leaf, np.ndarray) and not TENSORS else leaf

    return seen if seen.raised else replace(seen, value=_mapped(seen.value, scaled))


def _drawn_array(leaf: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    if not leaf.size:
        return leaf
    if leaf.dtype == bool:
        return generator.random(leaf.shape) < 0.5
    exact = np.nan_to_num(leaf.astype(np.float64), nan=0.0, posinf=1.0, neginf=-1.0)
    low, high = exact.min(), exact.max()
    if low == high:  # the right number itself would be no guess
        low, high = low - abs(low) - 1, high + abs(high) + 1
    drawn = low + generator.random(leaf.shape) * (high - low)
    return (drawn if leaf.dtype.kind == "f" else drawn.round()).astype(leaf.dtype)


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


def _unit_rows(leaf: np.ndarray) -> np.ndarray:
    if leaf.dtype.kind != "f" or not leaf.ndim or not leaf.size:
        return leaf
    middle = leaf - leaf.mean()
    return middle / np.maximum(np.linalg.norm(middle, axis=-1, keepdims=True), 1e-12)


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(value, dict):
        return type(value)({key: _mapped(part, change) for key, part in value.items()}) if value else NamedParts()
    if isinstance(value, list):
        return [_mapped(part, change) for part in value]
    return change(value)
