"""The result of checking one exercise: the schema that `grader try --json`, feedback and report share.

Documented in docs/result_schema.md.
"""

from __future__ import annotations

import platform
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from typing import Literal

import msgspec

from ..subject.course import course
from ..subject.titles import DISTRIBUTION
from .seed import Seed, read_seed

__all__ = ["CriterionResult", "Result", "earned", "extra", "number", "possible", "versions"]

Status = Literal[
    "passed",
    "partly",
    "wrong",
    "not attempted",
    "cell failed",
    "crashed",
    "timed out",
    "out of memory",
    "flooded",
    "unreadable",
    "our fault",
]


class CriterionResult(msgspec.Struct, frozen=True):
    """One named part of an exercise: what it asks, what it earned, and what was wrong if anything was."""

    name: str
    says: str
    points: float
    earned: float
    passed: bool
    cases: int
    failed_cases: list[str] = []
    message: str = ""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict on one exercise."""

    exercise: str
    title: str
    passed: bool
    score: float
    max_score: float
    status: Status
    stage: str
    criteria: list[CriterionResult]
    mistake: str | None = None
    diagnosis: str = ""
    message: str = ""
    next_step: str = ""
    case: str = ""
    blamed: str | None = None
    computed: str = ""
    mended: str = ""
    decided: str = ""
    core: bool = True
    hidden: bool = False
    seed: Seed | None = None
    versions: dict[str, str] = {}

    def __post_init__(self) -> None:
        read_seed(self, self.seed)

    @property
    def is_stub(self) -> bool:
        """Return True if the cell still holds the exercise's stub; False if there is no such cell at all."""
        return self.status == "not attempted" and self.stage != "name missing"


def earned(results: Iterable[Result]) -> float:
    """Return the points of a notebook: those of its core exercises."""
    return sum(result.score for result in results if result.core)


def possible(results: Iterable[Result]) -> float:
    """Return the points that the core exercises could have earned."""
    return sum(result.max_score for result in results if result.core)


def extra(results: Iterable[Result]) -> float:
    """Return the extra credit: the points of all other exercises."""
    return sum(result.score for result in results if not result.core)


def number(value: float) -> str:
    """Return points as people write them.

    >>> number(2.0), number(0.5)
    ('2', '0.5')
    """
    return f"{round(value, 2):g}"


@cache
def versions() -> dict[str, str]:
    """Return what a result was computed with."""
    version_by_name = {"python": platform.python_version()}
    for name in (*(["torch"] if course().subject.torch else []), "numpy", DISTRIBUTION):
        try:
            version_by_name[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            # Another course is used from its folder, too; ours without its distribution is half an installation.
            version_by_name[name] = "not installed" if course().ours or name != DISTRIBUTION else course().subject.version
    return version_by_name
