"""Show values in a sentence: small ones in full, large ones by kind and shape."""

from __future__ import annotations

import builtins
import collections
import itertools
import types
from functools import cache
from typing import Any

import numpy as np

from ..messages import Count, Message
from ..subject.tensors import TENSORS, torch
from .wire_data import NamedParts, OtherObject, dtype_name

__all__ = ["common_types", "describe", "kind", "show"]

_MAX_NUMBERS = 16
_LONG = 120
_KINDS = {
    type(None): Message("None"),
    bool: Message("a bool"),
    int: Message("an int"),
    float: Message("a float"),
    str: Message("a str"),
    bytes: Message("a bytes object"),
    list: Message("a list"),
    tuple: Message("a tuple"),
    dict: Message("a dict"),
    NamedParts: Message("a dict"),
}
_CONTAINERS = {
    list: Message.plural("a list of {count} entry", "a list of {count} entries", 0),
    tuple: Message.plural("a tuple of {count} entry", "a tuple of {count} entries", 0),
    dict: Message.plural("a dict of {count} entry", "a dict of {count} entries", 0),
}


def _number(value: float) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _nested(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_nested(item) for item in value) + "]"
    return _number(value)


def _array(value: np.ndarray) -> str:
    usual = value.dtype.name in ("float64", "int64", "bool")
    return f"array({_nested(value.tolist())}" + (")" if usual else f", dtype={value.dtype.name})")


@cache
def common_types() -> frozenset[str]:
    """Return the names of types that everybody has. A name of a learner's own could say anything, hidden inputs too."""
    names = {
        item.__name__
        for home in (builtins, types, collections, itertools)
        for item in vars(home).values()
        if isinstance(item, type)
    }
    for home in (np, torch, torch.nn):
        names |= {name for name, value in vars(home).items() if isinstance(value, type)}
    dtypes = {name for name, value in vars(torch).items() if isinstance(value, torch.dtype)}
    # Tensors that do not travel are described by the process that sandboxes the learner: see `wire_data`.
    return frozenset(names | dtypes | {f"{name} tensor" for name in dtypes} | {"tensor of no plain shape"})


def kind(value: Any) -> str:
    """Return what sort of thing a value is, in a form that is data: it is compared, and shown as code is.

    >>> kind([1, 2]), kind(torch.zeros(3, 2))
    ('list of 2', 'float32 tensor of shape (3, 2)')
    """
    if isinstance(value, torch.Tensor):
        return f"{dtype_name(value.dtype)} tensor of shape {tuple(value.shape)}"
    if isinstance(value, np.ndarray):
        return f"numpy array of shape {value.shape}" if TENSORS else f"{value.dtype.name} array of shape {value.shape}"
    if isinstance(value, OtherObject):
        return f"object of type {value.type_name}"
    if isinstance(value, (list, tuple)):
        return f"{'list' if isinstance(value, list) else 'tuple'} of {len(value)}"
    if isinstance(value, dict):
        return f"dict of {len(value)}"
    return "None" if value is None else type(value).__name__


def describe(value: Any, *, sizes: bool = True) -> Message:
    """Return a noun phrase for what sort of thing a value is, without its values.

    Parameters
    ----------
    value : object
        Plain data.
    sizes : bool
        False for a value of a hidden case: of a shape the number of axes is named, and no length.

    Examples
    --------
    >>> str(describe(torch.zeros(3, 2))), str(describe(torch.zeros(3, 2), sizes=False))
    ('a tensor of type float32 and shape (3, 2)', 'a tensor of type float32 with 2 axes')
    """
    if isinstance(value, torch.Tensor):
        if sizes:
            whole = Message("a tensor of type {dtype} and shape {shape}")
            return whole.fill(dtype=dtype_name(value.dtype), shape=tuple(value.shape))
        axes = Message.plural(
            "a tensor of type {dtype} with {count} axis", "a tensor of type {dtype} with {count} axes", Count(value.ndim)
        )
        return axes.fill(dtype=dtype_name(value.dtype))
    if isinstance(value, np.ndarray):
        if sizes:
            return Message("a numpy array of type {dtype} and shape {shape}", dtype=value.dtype.name, shape=value.shape)
        axes = Message.plural(
            "a numpy array of type {dtype} with {count} axis",
            "a numpy array of type {dtype} with {count} axes",
            Count(value.ndim),
        )
        return axes.fill(dtype=value.dtype.name)
    if isinstance(value, (list, tuple, dict)) and sizes:
        return _CONTAINERS[type(value) if type(value) in _CONTAINERS else dict].fill(count=len(value))
    if isinstance(value, OtherObject):
        return Message("an object of type {type}", type=value.type_name)
    return _KINDS.get(type(value)) or Message("an object of type {type}", type=type(value).__name__)


def show(value: Any) -> str:
    """Return the value itself where it is small, else its kind.

    >>> show(torch.tensor([1, 2]))
    'tensor([1, 2])'
    """
    if isinstance(value, torch.Tensor):
        text = f"tensor({_nested(value.tolist())})" if value.numel() <= _MAX_NUMBERS else ""
        if value.dtype not in (torch.float32, torch.int64, torch.bool):
            text = text[:-1] + f", dtype={dtype_name(value.dtype)})" if text else ""
        return text or f"<{kind(value)}>"
    if isinstance(value, OtherObject):
        return f"<object of type {value.type_name}>"
    if isinstance(value, np.ndarray):  # where numbers are tensors, an array is a foreign thing
        return _array(value) if not TENSORS and 0 < value.size <= _MAX_NUMBERS else f"<{kind(value)}>"
    if isinstance(value, dict):
        text = "{" + ", ".join(f"{key!r}: {show(item)}" for key, item in value.items()) + "}"
    elif isinstance(value, list):
        text = "[" + ", ".join(show(item) for item in value) + "]"
    elif isinstance(value, tuple):
        text = "(" + ", ".join(show(item) for item in value) + ("," if len(value) == 1 else "") + ")"
    elif isinstance(value, float):
        text = f"{value:.6g}"
    else:
        text = repr(value)
    return text if len(text) <= _LONG else f"<{kind(value)}>" if not isinstance(value, str) else text[:_LONG] + "…'"
