"""A relation that may hold between the right result and another one, in one case."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...messages import Message

#: Evidence that a claim needs over all failing cases. One number alone is 1: many a relation holds of a single number.
ENOUGH = 2
#: What the right result is called within a sentence.
RIGHT = Message("the right one")
#: Evidence that one case gives for a weak claim, which needs three cases.
WEAK = 0.7
#: With fewer zeros and ones, their positions prove nothing.
_MIN_NUMBERS = 6


@dataclass(frozen=True)
class Pair:
    """The right result and another result of one case, or a named part of both.

    `right` and `other` are float64 arrays if both are numbers; `as_sent` holds what they were before. `given` holds what the
    answer received. `other_parts` holds the other parts of the right result, as arrays where they were tensors.
    """

    right: Any
    other: Any
    given: Mapping[str, Any] = field(default_factory=dict)
    as_sent: tuple[Any, Any] = (None, None)
    other_parts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def numbers(self) -> bool:
        """Return True if both results are arrays of numbers."""
        return isinstance(self.right, np.ndarray) and isinstance(self.other, np.ndarray)


@dataclass(frozen=True)
class Claim:
    """One relation between the right result and another one.

    Attributes
    ----------
    key : tuple
        An identifier, equal in two cases if the same relation holds in both.
    says : Message
        A sentence with the slots `yours` and `right` for the two results (`Yours` and `Right` at its beginning).
    next_step : Message, optional
        A hint.
    evidence : float
        How unlikely it is that the relation holds by coincidence.
    aside : Message, optional
        Numbers of this case, for public cases only.
    """

    key: tuple[Any, ...]
    says: Message
    next_step: Message | None = None
    evidence: float = ENOUGH
    aside: Message | None = None


def evidence_of_places(numbers: np.ndarray) -> float:
    """Return the evidence where positions count: zeros and ones count too, as soon as there are some and they differ.

    >>> evidence_of_places(np.eye(3)), evidence_of_places(np.ones((3, 3)))
    (0.7, 0)
    """
    differ = int(numbers.size >= _MIN_NUMBERS and np.unique(numbers).size > 1)
    return max(evidence(numbers), WEAK * differ)


Rule = Callable[[Pair], Iterable[Claim]]


def evidence(numbers: np.ndarray) -> int:
    """Return how strongly a relation that holds for all these numbers is supported: 2, 1 or 0.

    The result is 2 for three or more different numbers, 1 for one or two, and 0 for none. The numbers 0, 1 and −1 do not count,
    since many relations hold for them.

    >>> evidence(np.array([2.0, 3.0, 4.0])), evidence(np.array(5.0)), evidence(np.ones(9))
    (2, 1, 0)
    """
    different = np.unique(numbers[np.isfinite(numbers) & (numbers != 0) & (np.abs(numbers) != 1)]).size
    return min(different, 1) if different < 3 else ENOUGH
