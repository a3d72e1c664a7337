"""What an exercise is: the one definition that stub, check, grader, feedback and report derive from.

An exercise is data and three small functions:

* ``cases(draw)`` yields the situations in which an answer is tried. `draw` supplies the random numbers, so the
  same function makes the public cases (a fixed seed, shipped) and the hidden ones (a fresh seed each time).
* ``run(candidate, *args, **options)`` calls the learner's code and returns plain data. It is the only part that
  runs in the learner's process.
* ``compare(expected, got, case)`` says what is wrong with what came back, or None.

There is no answer here. Reference, mistakes and right forms live in `solutions/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .compare import Fault, Same
from .drivers import call
from .lessons import Lesson, lesson

__all__ = ["Case", "Criterion", "Exercise", "all_or_nothing"]


@dataclass(frozen=True)
class Case:
    """One situation in which an answer is tried.

    `name` is unique within its exercise and says what is special ("repeated ids"). `args` maps parameter names
    to inputs, which are passed by position in this order; `options` are passed by keyword. `call` replaces the
    printed call where the arguments are built from numbers (a function, a module) and would tell a reader
    nothing. `because` is a clause that a verdict adds: why this case behaves as it does.
    """

    name: str
    args: Mapping[str, Any]
    criterion: str
    options: Mapping[str, Any] = field(default_factory=dict)
    call: str = ""
    because: str = ""


def all_or_nothing(faults: Sequence[Fault | None], expected: Sequence[Any], got: Sequence[Any]) -> float:
    """The share of a criterion's points that is earned: 1 when no case has a fault, else 0."""
    return float(all(fault is None for fault in faults))


@dataclass(frozen=True)
class Criterion:
    """A named part of an exercise's points. `share` turns its cases' faults into a number from 0 to 1."""

    name: str
    points: float
    says: str
    share: Callable[[Sequence[Fault | None], Sequence[Any], Sequence[Any]], float] = all_or_nothing


@dataclass(frozen=True)
class Exercise:
    """One exercise, without its answer.

    The first criterion is the gate: the others earn points only when it is met, so that an answer which always
    raises is not paid for refusing bad input. `changes` names the arguments that an answer may modify. `uses`
    names earlier exercises of the same notebook that a learner will want to call: a fault there is not counted
    twice. `core` exercises carry a notebook's points; the others are further work for extra credit.
    """

    id: str
    title: str
    why: str
    difficulty: int
    minutes: int
    criteria: tuple[Criterion, ...]
    hints: tuple[str, ...]
    cases: Callable[[Any], Iterable[Case]]
    core: bool = True
    run: Callable[..., Any] = call
    compare: Callable[[Any, Any, Case], Fault | None] = field(default_factory=Same)
    changes: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()

    @property
    def number(self) -> str:
        return self.id.split(".")[0]

    @property
    def name(self) -> str:
        return self.id.split(".")[1]

    @property
    def lesson(self) -> Lesson:
        return lesson(self.number)

    @property
    def points(self) -> float:
        return sum(criterion.points for criterion in self.criteria)

    @property
    def grade_id(self) -> str:
        """The id of the solution cell in nbgrader; the check cell's is this with `-check` behind it."""
        return self.id.replace(".", "-")
