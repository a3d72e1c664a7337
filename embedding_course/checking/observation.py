"""What came of a case, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Observation", "Raised"]


@dataclass(frozen=True)
class Raised:
    """An exception: the names of its type and of that type's ancestors, its message, and where it came from."""

    types: tuple[str, ...]
    message: str = ""
    line: str = ""

    @property
    def type(self) -> str:
        return self.types[0]


@dataclass(frozen=True)
class Observation:
    """What came of one case: a value or an exception, and the arguments that were changed without leave."""

    value: Any = None
    raised: Raised | None = None
    modified: tuple[str, ...] = ()
