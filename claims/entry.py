"""What an entry of the ledger is: a claim, a computation that puts it to the test, and the verdict that follows.

A computation says in which circumstances the claim held. The verdict is counted from that: in all, in some, in none. An entry
also states which verdict was expected when it was written; a test fails where the computation comes to another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import torch

__all__ = ["CONDITION", "HOLDS", "WRONG", "Claim", "Measured", "Place", "Quote", "Source", "Verdict", "at", "found", "quoted"]

Verdict = Literal["holds", "holds with a condition", "wrong"]
HOLDS: Verdict = "holds"
CONDITION: Verdict = "holds with a condition"
WRONG: Verdict = "wrong"


@dataclass(frozen=True)
class Measured:
    """What a computation found.

    Attributes
    ----------
    trials
        For each circumstance whether the claim held in it.
    computed
        What came out, in a sentence.
    truth
        The condition, or what is true instead.
    """

    trials: dict[str, bool]
    computed: str
    truth: str = ""

    @property
    def verdict(self) -> Verdict:
        """Return the verdict, counted from the trials, of which there must be one at least."""
        held = sum(self.trials.values())
        return HOLDS if held == len(self.trials) > 0 else CONDITION if held else WRONG


def found(trials: bool | dict[str, bool], computed: str, truth: str = "") -> Measured:
    """Return what was found; a single trial needs no name.

    >>> found({"SGD": True, "Adam": False}, "", "with SGD").verdict
    'holds with a condition'
    """
    return Measured(trials if isinstance(trials, dict) else {"": trials}, computed, truth)


@dataclass(frozen=True)
class Place:
    """Where a learner meets the claim: the key of a cell or exercise of a lesson."""

    number: str
    key: str


def at(number: str, key: str) -> Place:
    """Return the place of a cell or an exercise of a lesson."""
    return Place(number, key)


@dataclass(frozen=True)
class Quote:
    """A source's own words.

    Attributes
    ----------
    heading
        The heading below which they stand.
    words
        One sentence or one line of code at most; "…" stands for what is left out.
    translation
        What they say in English, where they are Chinese.
    """

    heading: str
    words: str
    translation: str = ""


def quoted(heading: str, words: str, translation: str = "") -> Quote:
    """Return a source's own words with their heading.

    >>> quoted("5.4 MoE", "不同层使用不同的embedding", "different layers use different embeddings").heading
    '5.4 MoE'
    """
    return Quote(heading, words, translation)


@dataclass(frozen=True)
class Claim:
    """One line of the ledger.

    Attributes
    ----------
    quote
        What is said to stand in a source is quoted from it.
    varies
        True if the numbers in the text depend on versions of Python or torch; the verdict never does.
    """

    source: str
    name: str
    says: str
    expected: Verdict
    places: tuple[Place, ...]
    compute: Callable[[], Measured]
    varies: bool = False
    quote: Quote | None = None

    @property
    def id(self) -> str:
        """Return the claim's id, such as "S1.gradient-of-repeated-ids"."""
        return f"{self.source}.{self.name}"

    def recompute(self) -> Measured:
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
        self, says: str, expected: Verdict, *places: Place, quote: Quote | None = None, varies: bool = False
    ) -> Callable[[Callable[[], Measured]], Callable[[], Measured]]:
        """Register the decorated computation; its name becomes the entry's."""

        def register(compute: Callable[[], Measured]) -> Callable[[], Measured]:
            name = compute.__name__.replace("_", "-")
            self.entries.append(Claim(self.name, name, says, expected, places, compute, varies, quote))
            return compute

        return register
