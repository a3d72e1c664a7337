"""What a catalogue says: wrong answers by name, unusual right ones, and reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Entry", "Few", "Mistake", "RightForm", "Survivor"]


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that learners give: `stages` are the rungs of the ladder on which it may be caught. One, as a
    rule; where wrong ids are sometimes more and sometimes fewer than the right ones, "shape" and "values". Of one that alters
    another answer, that answer's text and the changes are kept too."""

    exercise: str
    slug: str
    stages: tuple[str, ...]
    diagnosis: str
    next_step: str
    source: str
    base: str = ""
    changes: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class RightForm:
    """An unusual answer that is right and must pass."""

    exercise: str
    slug: str
    source: str


@dataclass(frozen=True)
class Survivor:
    """A mutant of the reference that passes every check, and why that is right: it computes the same."""

    exercise: str
    change: str
    reason: str


@dataclass(frozen=True)
class Few:
    """Why an exercise has fewer than five mistakes or three right forms (`what`)."""

    exercise: str
    what: str
    reason: str


Entry = Mistake | RightForm | Survivor | Few
