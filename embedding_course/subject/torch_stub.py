"""A stand-in for torch in a course without it: types without instances, and switches without effect.

Code that only a tensor could reach does not run in such a course. If it did, the AttributeError would name what it needs.
"""

from types import SimpleNamespace
from typing import Any


class Tensor:
    """A type of which no value is an instance."""


class _Dtype:
    """A type of which no value is an instance."""


class _Module:
    """A type of which no value is an instance."""


dtype = _Dtype
nn = SimpleNamespace(Module=_Module)


def get_default_dtype() -> None:
    """Return None: there is no default dtype without torch."""


def set_default_dtype(_: Any) -> None:
    """Do nothing: there is no default dtype without torch."""


def is_grad_enabled() -> bool:
    """Return False: no gradient is recorded without torch."""
    return False


def set_grad_enabled(_: bool) -> None:
    """Do nothing: no gradient is recorded without torch."""


def get_num_threads() -> int:
    """Return 1: the environment sets the number of threads of numpy before numpy is imported."""
    return 1


def set_num_threads(_: int) -> None:
    """Do nothing: the environment sets the number of threads of numpy."""
