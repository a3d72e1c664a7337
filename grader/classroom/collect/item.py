"""One file that was handed in, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from .archive import Found
from .layouts import Claim

__all__ = ["Item"]


@dataclass(frozen=True)
class Item:
    """One file and what becomes of it: "new", "replaces", "unchanged", "aside" or "left". `why` says more."""

    found: Found
    action: str
    student: str = ""
    topic: str = ""
    timestamp: datetime | None = None
    digest: str = ""
    why: str = ""
    claim: Claim = field(default_factory=lambda: Claim(""))

    @property
    def came_as(self) -> str:
        """The path in a learning platform's archive; empty where the file came otherwise, since only a platform's own numbers
        say to whom something goes back."""
        return str(self.found.outer) if self.claim.number else ""

    @property
    def taken(self) -> bool:
        return self.action in ("new", "replaces", "unchanged")
