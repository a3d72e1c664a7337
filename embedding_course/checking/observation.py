"""What came of a case, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["ELSEWHERE", "Observation", "Raised"]

#: How the line begins where it stands in another cell than the answer's.
ELSEWHERE = "in your `"


@dataclass(frozen=True)
class Raised:
    """An exception: the names of its type and of that type's ancestors, its message, and where it came from."""

    types: tuple[str, ...]
    message: str = ""
    line: str = ""

    @property
    def type(self) -> str:
        return self.types[0]

    @property
    def of_a_stub(self) -> bool:
        """Is it what a stub raises: a NotImplementedError without a word?"""
        return self.type == "NotImplementedError" and not self.message

    @property
    def own_cell(self) -> bool:
        """Was it raised by the answer itself, and not by another function of the learner's that it calls?"""
        return not self.line.startswith(ELSEWHERE)


@dataclass(frozen=True)
class Observation:
    """What came of one case.

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
