"""An argument that the call should have changed but left as it was."""

from __future__ import annotations

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

#: The ends of the names under which drivers report an argument after the call.
_AFTERWARDS = (" afterwards", " after one more step")
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
        if not part.endswith(_AFTERWARDS) or not wrong or not is_one(theirs) or not theirs.ndim:
            continue
        here = array_of(theirs)
        if any(same(array_of(given), here) for given in _given({**trial.case.args, **trial.case.options})):
            name = Code(_argument(part))
            says = Message(
                "`{name}` should have changed, and it is as it was before the call: nothing is written into it.", name=name
            )
            return Unchanged(says, _WRITE.fill(name=name))
    return None


def _argument(part: str) -> str:
    """Return the argument that a part reports after the call.

    >>> _argument("memory of weight afterwards"), _argument("parameter 0.bias afterwards")
    ('weight', '0.bias')
    """
    for end in _AFTERWARDS:
        part = part.removesuffix(end)
    return part.removeprefix("memory of ").removeprefix("parameter ")


def _given(value: Any) -> Iterator[Any]:
    if is_one(value):
        yield value
    for item in value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ():
        yield from _given(item)
