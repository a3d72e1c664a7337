"""What may hold between the right result and another, in one case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...with_torch import torch

__all__ = ["ENOUGH", "WEAK", "Claim", "Pair", "Rule", "evidence", "evidence_of_places"]

#: Evidence that a claim needs over all failing cases. One number alone is 1: many a relation holds of a single number.
ENOUGH = 2
#: What is seen in one case of a kind of claim that needs three.
WEAK = 0.7
#: Of fewer zeros and ones nothing is told by where they stand.
_SOME = 6


@dataclass(frozen=True)
class Pair:
    """The right result and another of one case, or a named part of both. `right` and `other` are both float64 tensors
    where both are numbers; `as_sent` is what they were before. `given` is what the answer received, `other_parts` are the
    further parts of the right result."""

    right: Any
    other: Any
    given: Mapping[str, Any] = field(default_factory=dict)
    as_sent: tuple[Any, Any] = (None, None)
    other_parts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def numbers(self) -> bool:
        return isinstance(self.right, torch.Tensor) and isinstance(self.other, torch.Tensor)


@dataclass(frozen=True)
class Claim:
    """One relation: `key` is equal in two cases where the same holds in both; `evidence` says how little it is a coincidence.

    `says` is a sentence with `{yours}` and `{right}` for the two results; `next_step` a hint, where there is one. `aside`
    names numbers of this case, which nobody may be told of a hidden one.
    """

    key: tuple[Any, ...]
    says: str
    next_step: str = ""
    evidence: float = ENOUGH
    aside: str = ""


def evidence_of_places(numbers: torch.Tensor) -> float:
    """The same where it is told by their places: zeros and ones count too, as soon as there are some and they differ.

    >>> evidence_of_places(torch.eye(3)), evidence_of_places(torch.ones(3, 3))
    (0.7, 0)
    """
    told = int(numbers.numel() >= _SOME and torch.unique(numbers).numel() > 1)
    return max(evidence(numbers), WEAK * told)


Rule = Callable[[Pair], Iterable[Claim]]


def evidence(numbers: torch.Tensor) -> int:
    """How much it says that something holds of all these numbers: 2 for three different ones, 1 for fewer; 0, 1 and −1 do not
    count, of which many things hold.

    >>> evidence(torch.tensor([2.0, 3.0, 4.0])), evidence(torch.tensor(5.0)), evidence(torch.ones(9))
    (2, 1, 0)
    """
    different = int(torch.unique(numbers[torch.isfinite(numbers) & (numbers != 0) & (numbers.abs() != 1)]).numel())
    return min(different, 1) if different < 3 else ENOUGH
