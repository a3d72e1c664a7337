"""Teams: several students who hand in one submission."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Team"]


@dataclass(frozen=True)
class Team:
    """A team: its name, and the ids of its members."""

    name: str
    members: tuple[str, ...]
