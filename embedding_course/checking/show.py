"""Values in a sentence: small ones in full, large ones by kind and shape."""

from __future__ import annotations

import builtins
import collections
import itertools
import re
import types
from functools import cache
from typing import Any

import numpy as np

from ..subject.tensors import TENSORS, torch
from .wire_data import OtherObject, dtype_name

__all__ = ["axes", "is_common_type", "kind", "show", "without_sizes"]

_SHAPE = re.compile(r"\b(of |has |have |)shape \(([\d, ]*)\)")
_WITH = {"of ": "with "}
_SIZE = re.compile(r"\d+")
_LENGTH = re.compile(r"\b(list|tuple|dict) of \d+")
_FEW = 16
_LONG = 120


def _number(value: float) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_nested(entry) for entry in value) + "]"
    return _number(value)


def _array(value: np.ndarray) -> str:
    usual = value.dtype.name in ("float64", "int64", "bool")
    return f"array({_nested(value.tolist())}" + (")" if usual else f", dtype={value.dtype.name})")


@cache
def _type_names() -> frozenset[str]:
    """The names of types that everybody has. A name of a learner's own could say anything, hidden inputs too."""
    found = {
        one.__name__
        for home in (builtins, types, collections, itertools)
        for one in vars(home).values()
        if isinstance(one, type)
    }
    for home in (np, torch, torch.nn):
        found |= {name for name, one in vars(home).items() if isinstance(one, type)}
    return frozenset(found)


def is_common_type(name: str) -> bool:
    """Is that the name of a type which everybody has?"""
    return name in _type_names() or isinstance(getattr(torch, name.removesuffix(" tensor"), None), torch.dtype)


def axes(count: int) -> str:
    """Say how many axes there are.

    >>> axes(1), axes(2)
    ('1 axis', '2 axes')
    """
    return f"{count} {'axis' if count == 1 else 'axes'}"


def without_sizes(said: str) -> str:
    """Return the sentence with the number of axes in place of each shape, and lists and dicts without their lengths.

    >>> without_sizes("it is a float32 tensor of shape (3, 2); a list of 4 was expected")
    'it is a float32 tensor with 2 axes; a list was expected'
    """
    said = _SHAPE.sub(lambda found: f"{_WITH.get(found[1], found[1])}{axes(len(_SIZE.findall(found[2])))}", said)
    return _LENGTH.sub(r"\1", said)


def kind(value: Any, *, sizes: bool = True) -> str:
    """Say what sort of thing this is, without its values; without its `sizes` too where it is told of a hidden case.

    >>> kind([1, 2]), kind(torch.zeros(3, 2)), kind(torch.zeros(3, 2), sizes=False)
    ('list of 2', 'float32 tensor of shape (3, 2)', 'float32 tensor with 2 axes')
    """
    if not sizes:
        return without_sizes(kind(value))
    if isinstance(value, torch.Tensor):
        return f"{dtype_name(value.dtype)} tensor of shape {tuple(value.shape)}"
    if isinstance(value, np.ndarray):
        return f"numpy array of shape {value.shape}" if TENSORS else f"{value.dtype.name} array of shape {value.shape}"
    if isinstance(value, OtherObject):
        return f"object of type {value.type_name}" if is_common_type(value.type_name) else "object of a type of its own"
    if isinstance(value, (list, tuple)):
        return f"{'list' if isinstance(value, list) else 'tuple'} of {len(value)}"
    if isinstance(value, dict):
        return f"dict of {len(value)}"
    if value is None:
        return "None"
    return type(value).__name__


def show(value: Any) -> str:
    """The value itself where it is small, else its kind.

    >>> show(torch.tensor([1, 2]))
    'tensor([1, 2])'
    """
    if isinstance(value, torch.Tensor):
        text = f"tensor({_nested(value.tolist())})" if value.numel() <= _FEW else ""
        if value.dtype not in (torch.float32, torch.int64, torch.bool):
            text = text[:-1] + f", dtype={dtype_name(value.dtype)})" if text else ""
        return text or f"<{kind(value)}>"
    if isinstance(value, OtherObject):
        return f"<object of type {value.type_name}>"
    if isinstance(value, np.ndarray):  # where numbers are tensors, an array is a foreign thing
        return _array(value) if not TENSORS and 0 < value.size <= _FEW else f"<{kind(value)}>"
    if isinstance(value, dict):
        text = "{" + ", ".join(f"{key!r}: {show(entry)}" for key, entry in value.items()) + "}"
    elif isinstance(value, list):
        text = "[" + ", ".join(show(entry) for entry in value) + "]"
    elif isinstance(value, tuple):
        text = "(" + ", ".join(show(entry) for entry in value) + ("," if len(value) == 1 else "") + ")"
    elif isinstance(value, float):
        text = f"{value:.6g}"
    else:
        text = repr(value)
    return text if len(text) <= _LONG else f"<{kind(value)}>" if not isinstance(value, str) else text[:_LONG] + "…'"
