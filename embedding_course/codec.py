"""Plain data as a tree of JSON values beside a list of tensors, and back.

The tree goes into JSON or msgpack, the tensors into safetensors or raw bytes: the shipped expectations and the
grader's wire share this one form. Nothing is ever unpickled.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from .observe import Observation, Raised
from .plain import Foreign, Parts, axes_in_memory, laid_out, plain, strided

__all__ = ["freeze", "freeze_observation", "thaw", "thaw_observation"]


_AS_THEY_ARE = frozenset([type(None), bool, int, str])


def freeze(value: Any, tensors: list[torch.Tensor]) -> Any:
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
        tensors.append(torch.tensor(value))
        return {"$array": len(tensors) - 1}
    if isinstance(value, tuple):
        return {"$tuple": [freeze(entry, tensors) for entry in value]}
    if isinstance(value, list):
        if _AS_THEY_ARE.issuperset(map(type, value)):
            return value
        return [freeze(entry, tensors) for entry in value]
    if isinstance(value, dict):
        items = [[freeze(key, tensors), freeze(entry, tensors)] for key, entry in value.items()]
        return {"$parts" if isinstance(value, Parts) else "$dict": items}
    if isinstance(value, Foreign):
        return {"$foreign": value.type_name}
    raise TypeError(f"{type(value).__name__} is not plain data")


def thaw(tree: Any, tensors: Sequence[torch.Tensor]) -> Any:
    """The inverse of `freeze`. ValueError, and nothing else, when the tree is not one that `freeze` makes."""
    try:
        return _thaw(tree, tensors)
    except (TypeError, KeyError, IndexError, AttributeError, RuntimeError) as error:  # a RecursionError among them
        raise ValueError("not a tree that `freeze` makes") from error


def _thaw(tree: Any, tensors: Sequence[torch.Tensor]) -> Any:
    if tree is None or isinstance(tree, (bool, int, float, str)):
        return tree
    if isinstance(tree, list):
        if _AS_THEY_ARE.issuperset(map(type, tree)):
            return list(tree)
        return [_thaw(entry, tensors) for entry in tree]
    mark = next(iter(tree), None)
    body = tree.get(mark)
    if mark in ("$tensor", "$array") and type(body) is int and 0 <= body < len(tensors):
        if mark == "$array":
            return tensors[body].numpy().copy()
        if "axes" in tree:
            tensor = laid_out(tensors[body], tree["axes"])
        else:
            tensor = strided(tensors[body]) if tree.get("strided") else tensors[body].clone()
        return tensor.requires_grad_() if tree.get("requires_grad") else tensor
    if mark == "$tuple" and isinstance(body, list):
        return tuple(_thaw(entry, tensors) for entry in body)
    if mark in ("$dict", "$parts") and isinstance(body, list):
        items = {_thaw(key, tensors): _thaw(entry, tensors) for key, entry in body}
        return Parts(items) if mark == "$parts" else items
    if mark == "$float":
        return float(str(body))
    if mark == "$foreign":
        return Foreign(str(body))
    raise ValueError("not a tree that `freeze` makes")


def freeze_observation(observation: Observation, tensors: list[torch.Tensor]) -> dict[str, Any]:
    """An observation as a tree; fields that are empty are left out."""
    tree: dict[str, Any] = {}
    if observation.raised:
        raised = observation.raised
        tree["raised"] = {"types": list(raised.types), "message": raised.message, "line": raised.line}
    else:
        tree["value"] = freeze(plain(observation.value), tensors)
    if observation.modified:
        tree["modified"] = list(observation.modified)
    return tree


def thaw_observation(tree: dict[str, Any], tensors: Sequence[torch.Tensor]) -> Observation:
    """The inverse of `freeze_observation`. ValueError, and nothing else, when the tree is not one that it makes."""
    try:
        modified = tuple(str(name) for name in tree.get("modified", ()))
        if "raised" in tree:
            raised = tree["raised"]
            types = tuple(str(name) for name in raised["types"]) or ("BaseException",)
            found = Raised(types, str(raised["message"]), str(raised["line"]))
            return Observation(raised=found, modified=modified)
        return Observation(value=thaw(tree["value"], tensors), modified=modified)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("not a tree that `freeze_observation` makes") from error
