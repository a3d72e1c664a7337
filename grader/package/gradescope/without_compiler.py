"""Keep torch's compiler out of a process that compiles nothing.

The first step of an optimizer imports `torch._dynamo`, only to tell the compiler to leave the step alone. A gradient given to
`backward` imports `torch.fx.experimental.symbolic_shapes`, only to compare two shapes. Each of them imports sympy; together
they are some 800 modules, which take as much time as torch itself.
"""

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch
import torch.fx.experimental

DYNAMO = "torch._dynamo"
SHAPES = "torch.fx.experimental.symbolic_shapes"


class StandIn(ModuleType):
    """A module in the place of one that is slow to import. Asked for what it does not have, it imports the real one."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # inspect and importlib ask any module for such names
            raise AttributeError(name)
        return getattr(self.real(), name)

    def real(self) -> ModuleType:
        """Return the real module, which from now on has its own place."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return importlib.import_module(self.__name__)


class Dynamo(StandIn):
    """What optimizers call of `torch._dynamo`: both functions change nothing while nothing is compiled."""

    @property
    def __path__(self) -> Any:
        """Where the real package lies: whoever imports a module of it wants the real one."""
        return self.real().__path__

    @staticmethod
    def graph_break(*_: Any, **__: Any) -> None:
        """Do nothing."""

    @staticmethod
    def disable(fn: Callable[..., Any] | None = None, *_: Any, **__: Any) -> Any:
        """Return a function unchanged, or a decorator that does."""
        return (lambda decorated: decorated) if fn is None else fn


class SymbolicShapes(StandIn):
    """What `torch.autograd` calls of `symbolic_shapes`, for shapes of plain numbers."""

    def sym_eq(self, x: Any, y: Any) -> Any:
        """Return True if two shapes are equal."""
        if isinstance(x, torch.Size) and isinstance(y, torch.Size) and all(type(size) is int for size in (*x, *y)):
            return x == y
        return self.real().sym_eq(x, y)

    def expect_true(self, a: Any, skip: int = 0) -> bool:
        """Return what was compared."""
        return a if a is True or a is False else self.real().expect_true(a, skip)


def put_compiler_off() -> None:
    """Put stand-ins in the place of both modules, unless they have been imported."""
    for name, stand_in in ((DYNAMO, Dynamo), (SHAPES, SymbolicShapes)):
        if name not in sys.modules:
            package, _, last = name.rpartition(".")
            sys.modules[name] = stand_in(name)
            setattr(sys.modules[package], last, sys.modules[name])
