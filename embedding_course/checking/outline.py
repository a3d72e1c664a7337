"""Reduce a result to what recognises it again: small values are kept whole, a large tensor becomes a few numbers.

A tensor of n entries becomes its largest entry and four weighted sums of all entries, with fixed weights of mean square 1 / n
(random projections: Johnson and Lindenstrauss, 1984). If one entry of a thousand is wrong by a hundredth of the largest, each
sum changes by about 3e-4 of it, which is thirty times the tolerance for rounding.
"""

from __future__ import annotations

import zlib
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from ..subject.tensors import torch
from .observation import Observation, Place
from .wire_data import NamedParts, dtype_name

__all__ = ["outline"]

#: Tensors of at most so many entries stay whole: an outline of them would be no shorter.
_WHOLE = 8
_SUMS = 4
#: Entries that are summed, some ten times as many as any case asks for: what a learner's process sends may be huge.
_MAX_SIZE = 2**17


def outline(observation: Observation) -> Observation:
    """Return the observation with each large tensor cut down.

    The numbers of a named part that is a tensor keep the part's name, so that a tolerance for that part applies to them too.

    >>> outline(Observation(value=torch.ones(3, 4))).value["shape"]
    [3, 4]
    """
    raised = observation.raised and replace(observation.raised, place=Place())
    value = observation.value
    kept = _parts(value) if isinstance(value, NamedParts) else _outlined(value)
    return Observation(kept, raised, observation.modified)


def _parts(value: NamedParts) -> NamedParts:
    kept = NamedParts()
    for name, part in value.items():
        form = _outlined(part)
        if form is not part and isinstance(part, torch.Tensor) and "numbers" in form:
            kept[name] = form.pop("numbers")
            kept[f"{name}, its form"] = form
        else:
            kept[name] = form
    return kept


def _outlined(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value if value.numel() <= _WHOLE else _numbers(value)
    if isinstance(value, dict):
        return {key: _outlined(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_outlined(part) for part in value]
    return value


def _numbers(tensor: torch.Tensor) -> dict[str, Any]:
    kept: dict[str, Any] = {"shape": list(tensor.shape), "dtype": dtype_name(tensor.dtype)}
    if not tensor.is_floating_point():
        return {**kept, "bytes": zlib.crc32(tensor.contiguous().numpy().tobytes())}
    entries = tensor.flatten()[:_MAX_SIZE].double()
    finite = torch.isfinite(entries)
    if not finite.all():
        spots = torch.stack([entries.isnan(), entries == torch.inf, entries == -torch.inf])
        kept["not finite"] = zlib.crc32(spots.numpy().tobytes())
        entries = torch.where(finite, entries, 0.0)
    sums = torch.from_numpy(_weights(entries.numel())) @ entries
    numbers = torch.cat([entries.abs().max()[None], sums])
    return {**kept, "numbers": numbers if tensor.dtype == torch.float64 else numbers.float()}


@lru_cache(maxsize=16)
def _weights(size: int) -> np.ndarray:
    """Return (4, size) numbers, evenly spread over [-1, 1] and then scaled; a hash makes them the same on every machine."""
    index = np.arange(_SUMS * size, dtype=np.uint64).reshape(_SUMS, size) + np.uint64(1)
    mixed = index * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    even = (mixed >> np.uint64(11)).astype(np.float64) / 2**52 - 1
    return even * np.sqrt(3 / size)
