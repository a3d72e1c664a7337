"""An argument that the call should have changed but left as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...messages import Code, Message
from ..carried import array_of, is_one
from .nearness import same
from .parts import parts_of

if TYPE_CHECKING:
    from ..exercise import Exercise
    from ..trial import Trial

__all__ = ["Unchanged", "unchanged_argument"]

#: How drivers call what they report of an argument after the call.
_AFTERWARDS = re.compile(r"^(?:memory of )?(?P<name>.+?)(?: afterwards| after one more step)$")
_WRITE = Message(
    "Write into the tensor that is given: `{name}[…] = …`, `{name}[…] -= …`, or a method that ends in an underscore; "
    "`{name} = …` only gives the name to a new tensor."
)


@dataclass(frozen=True)
class Unchanged:
    """A sentence about an argument that stayed as it was, and what to do."""

    says: Message
    next_step: Message


def unchanged_argument(exercise: Exercise, trial: Trial) -> Unchanged | None:
    """Return the first part that is judged after the call, is wrong, and equals what was given."""
    for part, (_, theirs, wrong) in parts_of(exercise, trial).items():
        found = _AFTERWARDS.match(part)
        if not found or not wrong or not is_one(theirs) or not theirs.ndim:
            continue
        here = array_of(theirs)
        if any(same(array_of(given), here) for given in _given({**trial.case.args, **trial.case.options})):
            name = Code(found["name"].removeprefix("parameter "))
            says = Message(
                "`{name}` should have changed, and it is as it was before the call: nothing is written into it.", name=name
            )
            return Unchanged(says, _WRITE.fill(name=name))
    return None


def _given(value: Any) -> Iterator[Any]:
    if is_one(value):
        yield value
    for entry in value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ():
        yield from _given(entry)
