"""What a driver reports besides the results: types, modes, gradients, arguments that stayed as they were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..carried import is_one, key_of

if TYPE_CHECKING:
    from ..exercise import Case, Exercise

__all__ = ["found_by_the_answer", "of_the_call"]

#: Families of parts that every driver may report: their names begin so, and end with what they belong to.
_FAMILIES = ("gradient of ", "gradient at ", "types of ", "modes of ", "memory of ")


def of_the_call(exercise: Exercise, part: str) -> bool:
    """Return True for a part that describes the call or the module, and is no result."""
    return part.startswith(_FAMILIES) or part in exercise.by_products


def found_by_the_answer(exercise: Exercise, part: str, right: Any, case: Case) -> bool:
    """Return True if the answer had to find this part. What equals an argument is right without it.

    Parameters
    ----------
    exercise : Exercise
    part : str
        Name of a part of the result.
    right : Any
        The right value of this part.
    case : Case
        The case, with its arguments.
    """
    return not of_the_call(exercise, part) and not any(_equal(right, given) for given in _leaves([case.args, case.options]))


def _leaves(value: Any) -> Iterator[Any]:
    """Yield a value, and all that is in it."""
    yield value
    for item in value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ():
        yield from _leaves(item)


def _equal(right: Any, given: Any) -> bool:
    if is_one(right) or is_one(given):
        return is_one(right) and is_one(given) and key_of(right) == key_of(given)
    return isinstance(right, (list, dict)) and type(right) is type(given) and repr(right) == repr(given)
