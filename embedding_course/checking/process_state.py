"""Reset the switches that a notebook may have set for its whole process, so that every case starts from the same ones."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np

from ..subject.tensors import TENSORS, torch

__all__ = ["as_at_the_start"]

_FIRST_DTYPE = torch.get_default_dtype()


@contextlib.contextmanager
def as_at_the_start() -> Iterator[None]:
    """Set the global switches of torch and numpy to those of a new process, and restore them afterwards.

    Inside, gradients are recorded, new tensors have torch's own default dtype and lie in main memory, and numpy does not raise
    for a division by zero. Afterwards the switches are as before, whatever was switched inside.
    """
    if not TENSORS:
        with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"):
            yield
        return
    dtype, grad, device = torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_default_device()
    if device.type != "cpu":
        torch.set_default_device("cpu")
    _switch(_FIRST_DTYPE, True)
    try:
        with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"):
            yield
    finally:
        _switch(dtype, grad)
        if device.type != "cpu" or torch.get_default_device().type != "cpu":
            torch.set_default_device(None)  # a `with torch.device(...)` around all of it counts again
            if torch.get_default_device() != device:
                torch.set_default_device(device)


def _switch(dtype: torch.dtype, grad: bool) -> None:
    """Set the default dtype and the gradient mode if they differ from these.

    In most cases they do not differ, and asking costs a fraction of setting.
    """
    if torch.get_default_dtype() is not dtype:
        torch.set_default_dtype(dtype)
    if torch.is_grad_enabled() is not grad:
        torch.set_grad_enabled(grad)
