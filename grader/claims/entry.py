"""What an entry of the ledger is: a claim, a computation that puts it to the test, and the verdict that follows.

Nobody types a verdict beside a computation. A computation says in which circumstances the claim held, and the verdict is
counted from that: in all, in some, in none. An entry does state which verdict was expected when it was written, and a test
fails where the computation has come to another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import torch

__all__ = ["CONDITION", "HOLDS", "WRONG", "Claim", "Finding", "Place", "Source", "Verdict", "at", "found"]

Verdict = Literal["holds", "holds with a condition", "wrong"]
HOLDS: Verdict = "holds"
CONDITION: Verdict = "holds with a condition"
WRONG: Verdict = "wrong"


@dataclass(frozen=True)
class Finding:
    """`trials` says for each circumstance whether the claim held in it; `computed` what came out, in a sentence; `truth`
    names the condition, or what is true instead."""

    trials: dict[str, bool]
    computed: str
    truth: str = ""

    @property
    def verdict(self) -> Verdict:
        """Counted from the trials, of which there must be one at least."""
        held = sum(self.trials.values())
        return HOLDS if held == len(self.trials) > 0 else CONDITION if held else WRONG


def found(trials: bool | dict[str, bool], computed: str, truth: str = "") -> Finding:
    """A finding; a single trial needs no name.

    >>> found({"SGD": True, "Adam": False}, "", "with SGD").verdict
    'holds with a condition'
    """
    return Finding(trials if isinstance(trials, dict) else {"": trials}, computed, truth)


@dataclass(frozen=True)
class Place:
    """Where a learner meets the claim: the key of a cell or exercise of a lesson."""

    number: str
    key: str


def at(number: str, key: str) -> Place:
    """A cell or an exercise of a lesson."""
    return Place(number, key)


@dataclass(frozen=True)
class Claim:
    """One line of the ledger. `varies`: the numbers in its text depend on versions of Python or torch, its verdict does not."""

    source: str
    name: str
    says: str
    expected: Verdict
    places: tuple[Place, ...]
    compute: Callable[[], Finding]
    varies: bool = False

    @property
    def id(self) -> str:
        return f"{self.source}.{self.name}"

    def recompute(self) -> Finding:
        """Compute it anew. All randomness starts from the same seed, and nothing of it leaks out."""
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return self.compute()


@dataclass
class Source:
    """The entries of one module, all from one source."""

    name: str
    entries: list[Claim] = field(default_factory=list)

    def claim(
        self, says: str, expected: Verdict, *places: Place, varies: bool = False
    ) -> Callable[[Callable[[], Finding]], Callable[[], Finding]]:
        """Register the decorated computation; its name becomes the entry's."""

        def register(compute: Callable[[], Finding]) -> Callable[[], Finding]:
            name = compute.__name__.replace("_", "-")
            self.entries.append(Claim(self.name, name, says, expected, places, compute, varies))
            return compute

        return register
