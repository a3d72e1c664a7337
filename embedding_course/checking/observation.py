"""What happened in a case, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..messages import Message

__all__ = ["Observation", "Place", "Raised"]


@dataclass(frozen=True)
class Place:
    """Where in a learner's cells an exception was raised. Empty fields are not known.

    Attributes
    ----------
    line : int
        The line, counted in its cell.
    code : str
        What stands in that line.
    method : str
        The method of a class, for a stub that is still there.
    function : str
        Where the cell is not that of the answer itself: the function, or method, that stands there.
    called_from : int
        The line of the answer's own cell that called this function.
    """

    line: int = 0
    code: str = ""
    method: str = ""
    function: str = ""
    called_from: int = 0

    @property
    def message(self) -> Message | None:
        """Return the place as a noun phrase, or None if it is not known."""
        slots = {"line": self.line, "code": self.code, "function": self.function, "called_from": self.called_from}
        if self.function and self.code:
            return Message(
                "line {line} of the cell of your `{function}`: `{code}`; called from line {called_from} of this one", **slots
            )
        if self.function:
            return Message("line {line} of the cell of your `{function}`; called from line {called_from} of this one", **slots)
        if self.code:
            return Message("line {line} of the cell: `{code}`", **slots)
        return Message("line {line} of the cell", **slots) if self.line else None


@dataclass(frozen=True)
class Raised:
    """An exception.

    Attributes
    ----------
    types : tuple of str
        The names of its type and of that type's ancestors.
    message : str
    place : Place
        Where in the learner's cells it came from.
    by_driver : bool
        True if it was raised in an exercise's own code, about what the answer returned or what it called with.
    """

    types: tuple[str, ...]
    message: str = ""
    place: Place = Place()
    by_driver: bool = False

    @property
    def type(self) -> str:
        """Return the name of the exception's own type."""
        return self.types[0]

    @property
    def of_a_stub(self) -> bool:
        """Return True for the exception that a stub raises: a NotImplementedError without a message."""
        return self.type == "NotImplementedError" and not self.message

    @property
    def own_cell(self) -> bool:
        """Return True if the answer itself raised the exception, and not another of the learner's functions that it calls."""
        return not self.place.function


@dataclass(frozen=True)
class Observation:
    """What happened in one case.

    Attributes
    ----------
    value : object
        What was returned, as plain data.
    raised : Raised or None
        The exception, where there was one.
    modified : tuple of str
        The arguments that were changed without leave.
    after : mapping or None
        The arguments as they are after the call, by name, where nobody has looked yet which of them were changed.
    """

    value: Any = None
    raised: Raised | None = None
    modified: tuple[str, ...] = ()
    after: Mapping[str, Any] | None = None
