"""One situation in which an answer is tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

__all__ = ["Case"]


@dataclass(frozen=True)
class Case:
    """One situation in which an answer is tried.

    Attributes
    ----------
    name : str
        What is special about the case ("repeated ids"); unique within its exercise.
    args : mapping
        Inputs by parameter name; they are passed by position, in this order.
    options : mapping
        Inputs that are passed by keyword.
    call : str
        The printed call, where the arguments are built from numbers (a function, a module) and would tell a reader nothing.
    because : str
        A clause that a verdict adds: why this case behaves as it does.
    tries : tuple of str
        The sentences of the docstring that the case tries, each named by some of its words.
    """

    name: str
    args: Mapping[str, Any]
    criterion: str
    options: Mapping[str, Any] = field(default_factory=dict)
    call: str = ""
    because: str = ""
    tries: tuple[str, ...] = ()

    def trying(self, *words: str) -> Self:
        """Return this case with the sentences of the docstring that it tries."""
        return replace(self, tries=words)
