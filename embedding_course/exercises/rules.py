"""Rules that exercises of several notebooks share."""

from collections.abc import Callable
from typing import Any

from ..checking.exercise import Case, Mismatch
from ..messages import Message


def required(holds: Callable[[Any], bool], otherwise: Message, stage: str = "property") -> Callable[..., Mismatch | None]:
    """Return the rule for a part of a result of which `holds` must be true; `otherwise` is said where it is not."""

    def rule(_: Any, got: Any, __: Case) -> Mismatch | None:
        return None if holds(got) else Mismatch(stage, otherwise)

    return rule
