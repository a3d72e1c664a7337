"""What stands in torch's place in a course without it: types that nothing is an instance of, and switches that switch nothing.

A question that only a tensor could answer never gets here; should one, the AttributeError names what was asked for.
"""

from types import SimpleNamespace
from typing import Any


class Tensor:
    """No value is one."""


class _Dtype:
    """No type of numbers is one."""


class _Module:
    """No answer is one."""


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
