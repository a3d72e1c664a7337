"""Drivers that exercises of several notebooks share."""

from collections.abc import Callable
from typing import Any

from ..checking.exercise import NamedParts


def reported_as(name: str) -> Callable[..., NamedParts]:
    """Return a driver that calls the answer and reports what it returned under this name."""

    def run(candidate: Callable[..., Any], *args: Any, **options: Any) -> NamedParts:
        return NamedParts({name: candidate(*args, **options)})

    return run
