"""Convert plain data to a tree of JSON values with a list of tensors, and back.

The tree goes into JSON or msgpack, the tensors into safetensors or raw bytes. The shipped expectations and the messages
between the grader's processes share this form. Nothing is ever unpickled.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from ..subject.tensors import torch
from .carried import array_of, carried
from .observation import Observation, Place, Raised
from .wire_data import MAX_DEPTH, NamedParts, OtherObject, axes_in_memory, laid_out, plain, strided

__all__ = ["decode", "decode_observation", "encode", "encode_observation"]


_AS_THEY_ARE = frozenset([type(None), bool, int, str])


def encode(value: Any, tensors: list[torch.Tensor]) -> Any:
    """Turn plain data into a tree; its tensors are appended to `tensors` and referred to by index."""
    if type(value) in _AS_THEY_ARE or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"$float": str(value)}
    if isinstance(value, torch.Tensor):
        tensors.append(value.detach().contiguous())
        layout: dict[str, Any] = {}
        if not value.is_contiguous():
            order = axes_in_memory(value)
            layout = {"strided": True} if order is None else {"axes": order}
        leaf = {"requires_grad": True} if value.requires_grad else {}
        return {"$tensor": len(tensors) - 1, **layout, **leaf}
    if isinstance(value, np.ndarray):
        tensors.append(carried(value))
        return {"$array": len(tensors) - 1}
    if isinstance(value, tuple):
        return {"$tuple": [encode(item, tensors) for item in value]}
    if isinstance(value, list):
        if _AS_THEY_ARE.issuperset(map(type, value)):
            return value
        return [encode(item, tensors) for item in value]
    if isinstance(value, dict):
        items = [[encode(key, tensors), encode(item, tensors)] for key, item in value.items()]
        return {"$parts" if isinstance(value, NamedParts) else "$dict": items}
    if isinstance(value, OtherObject):
        return {"$foreign": value.type_name}
    raise TypeError(f"{type(value).__name__} is not plain data")


def decode(tree: Any, tensors: Sequence[torch.Tensor]) -> Any:
    """Return the value that `encode` made this tree from.

    Raises
    ------
    ValueError
        If `encode` does not make such a tree: for example, because it refers to a tensor twice or is nested too deeply.
        No other exception is raised.
    """
    try:
        return _decode(tree, tensors, set(), 0)
    except (TypeError, KeyError, IndexError, AttributeError, RuntimeError) as error:  # a RecursionError among them
        raise ValueError("not a tree that `encode` makes") from error


def _decode(tree: Any, tensors: Sequence[torch.Tensor], used: set[int], depth: int) -> Any:
    """Return the value of one part of a tree, and add to `used` the positions of the tensors that it refers to.

    `depth` is the nesting depth of the value that is decoded.
    """
    if tree is None or isinstance(tree, (bool, int, float, str)):
        return tree
    if depth > MAX_DEPTH + 1:
        raise ValueError("a tree too deep")
    if isinstance(tree, list):
        if _AS_THEY_ARE.issuperset(map(type, tree)):
            return list(tree)
        return [_decode(item, tensors, used, depth + 1) for item in tree]
    mark = next(iter(tree), None)
    body = tree.get(mark)
    if mark in ("$tensor", "$array") and type(body) is int and 0 <= body < len(tensors) and body not in used:
        used.add(body)
        return _decode_tensor(tree, tensors[body])
    if mark == "$tuple" and isinstance(body, list):
        return tuple(_decode(item, tensors, used, depth + 1) for item in body)
    if mark in ("$dict", "$parts") and isinstance(body, list):
        items = {_decode(key, tensors, used, depth): _decode(item, tensors, used, depth + 1) for key, item in body}
        return NamedParts(items) if mark == "$parts" else items
    if mark == "$float":
        return float(str(body))
    if mark == "$foreign":
        return OtherObject(str(body))
    raise ValueError("not a tree that `encode` makes")


def _decode_tensor(tree: dict[str, Any], tensor: torch.Tensor) -> Any:
    """Return a copy of the tensor, laid out as the tree says."""
    if "$array" in tree:
        array = array_of(tensor)
        if carried(array).dtype != tensor.dtype:
            raise ValueError("no array is of this type")
        return array
    if "axes" in tree:
        copy = laid_out(tensor, tree["axes"])
    elif tree.get("strided"):
        copy = strided(tensor)
    else:
        copy = tensor.clone()
    return copy.requires_grad_() if tree.get("requires_grad") else copy


def encode_observation(observation: Observation, tensors: list[torch.Tensor]) -> dict[str, Any]:
    """Return an observation as a tree; fields that are empty are left out."""
    tree: dict[str, Any] = {}
    if observation.raised:
        raised = observation.raised
        tree["raised"] = {"types": list(raised.types), "message": raised.message}
        if raised.by_driver:
            tree["raised"]["by_driver"] = True
        if raised.place != Place():
            tree["raised"]["place"] = list(astuple(raised.place))
    else:
        tree["value"] = encode(plain(observation.value), tensors)
    if observation.modified:
        tree["modified"] = list(observation.modified)
    if observation.after is not None:
        tree["after"] = encode(dict(observation.after), tensors)
    return tree


def _raised(tree: dict[str, Any]) -> Raised:
    types = tuple(str(name) for name in tree["types"]) or ("BaseException",)
    line, code, method, function, called_from = tree.get("place", (0, "", "", "", 0))
    if not type(line) is type(called_from) is int:
        raise TypeError("a line has a number")
    place = Place(line, str(code), str(method), str(function), called_from)
    return Raised(types, str(tree["message"]), place, tree.get("by_driver") is True)


def decode_observation(tree: dict[str, Any], tensors: Sequence[torch.Tensor]) -> Observation:
    """Return the inverse of `encode_observation`. ValueError, and nothing else, when the tree is not one that it makes."""
    try:
        modified = tuple(str(name) for name in tree.get("modified", ()))
        raised, value, after = None, None, None
        whole = decode([tree.get("value"), tree.get("after")], tensors)  # at once: no tensor may stand in both
        if "raised" in tree:
            raised = _raised(tree["raised"])
        else:
            value = whole[0] if "value" in tree else tree["value"]
        if "after" in tree:
            after = dict(whole[1])
        return Observation(value, raised, modified, after)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("not a tree that `encode_observation` makes") from error
