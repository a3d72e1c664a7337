"""One situation in which an answer is tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

__all__ = ["Case"]


@dataclass(frozen=True)
class Case:
    """One situation in which an answer is tried.

    `name` is unique within its exercise and says what is special ("repeated ids"). `args` maps parameter names
    to inputs, which are passed by position in this order; `options` are passed by keyword. `call` replaces the
    printed call where the arguments are built from numbers (a function, a module) and would tell a reader
    nothing. `because` is a clause that a verdict adds: why this case behaves as it does. `tries` names the sentences
    of the docstring that the case tries, each by some of its words.
    """

    name: str
    args: Mapping[str, Any]
    criterion: str
    options: Mapping[str, Any] = field(default_factory=dict)
    call: str = ""
    because: str = ""
    tries: tuple[str, ...] = ()

    def trying(self, *words: str) -> Case:
        """Return this case with the sentences of the docstring that it tries."""
        return replace(self, tries=words)
