"""Other forms of a right result: what a check accepts as well as the form that the reference returns.

This text is also put into notebooks, below a learner's answers, so it imports only what a learner has.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import torch


def _map(change: Callable[[Any], Any], value: Any) -> Any:
    """Change the numbers and tensors in a result, and keep its containers."""
    if isinstance(value, dict):
        return {key: _map(change, item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([_map(change, item) for item in value])
    return change(value)


def _as_tensor(value: Any) -> Any:
    if isinstance(value, (bool, int)):
        return torch.tensor(value)
    return torch.tensor(value, dtype=torch.float64) if isinstance(value, float) else value


def _as_numpy(value: Any) -> Any:
    if isinstance(value, bool):
        return np.bool_(value)
    if isinstance(value, int):
        return np.int64(value)
    return np.float32(value) if isinstance(value, float) else value


def _as_python(value: Any) -> Any:
    if isinstance(value, torch.Tensor) and value.ndim == 0:
        return value.item()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _with_graph(value: Any) -> Any:
    """A floating tensor that needs a gradient, as it comes of an answer that computes with parameters."""
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value * torch.ones((), dtype=value.dtype, requires_grad=True)
    return value


def _widened(value: Any) -> Any:
    return value.double() if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def _with_gaps(value: Any) -> Any:
    """The same tensor, not contiguous in memory."""
    if isinstance(value, torch.Tensor) and value.ndim:
        return torch.stack([value, value], dim=-1)[..., 0]
    return value


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _as_list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


#: The name of each form -> what makes it of a result.
FORMS: dict[str, Callable[[Any], Any]] = {
    "0-d tensors": functools.partial(_map, _as_tensor),
    "numpy scalars": functools.partial(_map, _as_numpy),
    "Python numbers": functools.partial(_map, _as_python),
    "a graph": functools.partial(_map, _with_graph),
    "float64": functools.partial(_map, _widened),
    "gaps in memory": functools.partial(_map, _with_gaps),
    "tuples": _as_tuple,
    "lists": _as_list,
}


def returning(form: str, answer: Callable[..., Any]) -> Callable[..., Any]:
    """The same answer, with its result in another form."""

    @functools.wraps(answer)
    def call(*args: Any, **options: Any) -> Any:
        return FORMS[form](answer(*args, **options))

    return call
