"""Plain data: the only thing that passes between a learner's code and the process that judges it.

Numbers, strings, None, lists, dicts, dense tensors and numpy arrays are plain. Everything else becomes an `OtherObject`,
which holds only the name of its type.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..subject.tensors import torch
from .carried import DTYPES, carried, carries

__all__ = [
    "DTYPES",
    "MAX_AXES",
    "MAX_DEPTH",
    "MAX_EMPTY_SPAN",
    "NamedParts",
    "OtherObject",
    "axes_in_memory",
    "laid_out",
    "plain",
    "strided",
    "tensors_in",
    "with_gaps_of",
    "writable",
]

_NAMES = {dtype: name for name, dtype in DTYPES.items()}
#: How deep lists and dicts may lie in one another.
MAX_DEPTH = 12
#: How many axes a tensor may have, and how many numbers the strides of an empty tensor may span.
MAX_AXES, MAX_EMPTY_SPAN = 16, 2**20


class NamedParts(dict):
    """Several results of one call under names that a reader understands ("weight afterwards")."""


@dataclass(frozen=True)
class OtherObject:
    """Something that is not plain data: only its type's name is kept."""

    type_name: str


def dtype_name(dtype: torch.dtype) -> str:
    return _NAMES.get(dtype, str(dtype).removeprefix("torch."))


def strided(tensor: torch.Tensor) -> torch.Tensor:
    """Return the values in a non-contiguous tensor: every second column of a wider one.

    >>> strided(torch.zeros(3, 2)).is_contiguous()
    False
    """
    wide = tensor.new_zeros(*tensor.shape[:-1], 2 * tensor.shape[-1] + 1)
    view = wide[..., : 2 * tensor.shape[-1] : 2]
    view.copy_(tensor)
    return view


def axes_in_memory(tensor: torch.Tensor) -> list[int] | None:
    """Return the order of axes in which the tensor lies in memory without a gap, or None where there is no such order.

    >>> axes_in_memory(torch.zeros(2, 3, 4).transpose(1, 2))
    [0, 2, 1]
    """
    order = sorted(range(tensor.ndim), key=lambda axis: -tensor.stride(axis))
    return order if tensor.permute(order).is_contiguous() else None


def laid_out(tensor: torch.Tensor, order: Sequence[int]) -> torch.Tensor:
    """Return a copy whose axes lie in memory in this order.

    >>> laid_out(torch.zeros(2, 3), [1, 0]).stride()
    (1, 2)
    """
    back = sorted(range(len(order)), key=order.__getitem__)
    return tensor.permute(*order).clone(memory_format=torch.contiguous_format).permute(back)


def with_gaps_of(tensor: torch.Tensor) -> torch.Tensor:
    """Return a copy that is irregular in memory where `tensor` is: the same order of axes, or else gaps between the columns."""
    order = axes_in_memory(tensor)
    return strided(tensor) if order is None else laid_out(tensor, order)


def plain(value: Any, depth: int = 0) -> Any:
    """Return a copy of `value` made of plain data alone. Tuples become lists; tensors lose their graph."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, OtherObject):
        return value
    if isinstance(value, torch.Tensor):
        return _tensor(value)
    if isinstance(value, np.generic):
        return plain(value.item(), depth)
    if isinstance(value, int):
        return int(value) if -(2**63) <= value < 2**63 else OtherObject("int")
    if isinstance(value, float):
        return float(value)
    if isinstance(value, np.ndarray):
        return np.array(value) if carries(value.dtype) else OtherObject("ndarray")
    if depth > MAX_DEPTH:
        return OtherObject(type(value).__name__)
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, dict):
        items = {_key(key): plain(item, depth + 1) for key, item in value.items()}
        return NamedParts(items) if isinstance(value, NamedParts) else items
    return OtherObject(type(value).__name__)


def writable(value: str) -> str:
    r"""Return the string itself; a half of a surrogate pair, which no UTF-8 can hold, is written out.

    >>> writable("cut\udce6")
    'cut\\udce6'
    """
    value = str(value)  # of a class of its own, perhaps
    return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")


def tensors_in(value: Any) -> Iterator[torch.Tensor]:
    """Yield the tensors of a value with their graph, and its arrays, in the order in which `encode` lists them.

    >>> [tensor.shape[0] for tensor in tensors_in({"a": torch.zeros(2), "b": [torch.zeros(3), 1.0]})]
    [2, 3]
    """
    if isinstance(value, torch.Tensor):
        if not (value.is_quantized or value.is_complex()):
            yield value
    elif isinstance(value, np.ndarray):
        if carries(value.dtype):
            yield carried(value)
    elif isinstance(value, (list, tuple, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from tensors_in(item)


def _tensor(value: torch.Tensor) -> torch.Tensor | OtherObject:
    if value.is_quantized or value.dtype not in DTYPES.values():
        return OtherObject(f"{dtype_name(value.dtype)} tensor")
    if value.is_nested or value.ndim > MAX_AXES or (not value.numel() and _gaps(value) > MAX_EMPTY_SPAN):
        return OtherObject("tensor of no plain shape")
    value = value.detach()
    if value.layout is not torch.strided:
        value = value.to_dense()
    return value.cpu().clone(memory_format=torch.contiguous_format).as_subclass(torch.Tensor)


def _gaps(value: torch.Tensor) -> int:
    """Return how many numbers an empty tensor would have with an entry along each of its empty axes."""
    return math.prod(max(size, 1) for size in value.shape)


def _key(key: Any) -> Any:
    """Return a dict key that can be compared: str, int, or a tuple of them; a tensor key counts as its number."""
    if isinstance(key, (tuple, list)):
        return tuple(_key(item) for item in key)
    if isinstance(key, (torch.Tensor, np.generic)):
        key = key.item()
    if isinstance(key, str):
        return writable(key)
    return key if isinstance(key, int) else f"<{type(key).__name__}>"
