"""The definition of an exercise, from which stub, check, grader, feedback and report are derived.

An exercise is data and three small functions:

* ``cases(draw)`` yields the situations in which an answer is tried. `draw` supplies the random numbers, so the
  same function makes the public cases (a fixed seed, shipped) and the hidden ones (a fresh seed each time).
* ``run(candidate, *args, **options)`` calls the learner's code and returns plain data. It is the only part that
  runs in the learner's process.
* ``compare(expected, got, case)`` returns what is wrong with the result, or None.

There is no answer here. Reference, mistakes and right forms are in `solutions/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..subject.lessons import Lesson, lesson
from .case import Case
from .compare import Comparison, Mismatch
from .drivers import call
from .observation import Observation
from .random_inputs import RandomInputs
from .show import show
from .wire_data import NamedParts, strided

#: Everything that the definition of an exercise needs.
__all__ = [
    "Case",
    "Comparison",
    "Criterion",
    "Exercise",
    "Mismatch",
    "NamedParts",
    "Observation",
    "RandomInputs",
    "all_or_nothing",
    "file_stem",
    "show",
    "strided",
]


def all_or_nothing(faults: Sequence[Mismatch | None], expected: Sequence[Any], got: Sequence[Any]) -> float:
    """Return the fraction of a criterion's points that is earned: 1 if no case has a fault, else 0."""
    return float(all(fault is None for fault in faults))


def file_stem(name: str) -> str:
    """Return an exercise's name in the form that its files use.

    >>> file_stem("MultiHeadAttention"), file_stem("NPLM"), file_stem("sparse_sgd_step_")
    ('multi_head_attention', 'nplm', 'sparse_sgd_step')
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().rstrip("_")


def no_modules(given: Mapping[str, Any]) -> Mapping[str, Sequence[Any]]:
    """Return no modules: the constructor takes none."""
    return {}


@dataclass(frozen=True)
class Criterion:
    """A named part of an exercise's points.

    `share` turns the faults of its cases into a number from 0 to 1. `tries` names the sentences of the docstring that each of
    its cases tries, as `Case.tries` does for one case.
    """

    name: str
    points: float
    says: str
    share: Callable[[Sequence[Mismatch | None], Sequence[Any], Sequence[Any]], float] = all_or_nothing
    tries: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exercise:
    """One exercise, without its answer.

    The first criterion is the gate: the others earn points only if it is met, so that an answer which always raises is not paid
    for refusing bad input. The docstring's examples are cases too, named "docstring example", "docstring example 2" and so on.

    Attributes
    ----------
    core : bool
        Whether the exercise counts for the notebook's points; the others are further work for extra credit.
    changes : tuple of str
        The arguments that an answer may modify.
    uses : tuple of str
        Earlier exercises of the same notebook that a learner will want to call; a fault there is not counted twice.
    draws : bool
        Whether a right answer may draw random numbers.
    of_driver : tuple of str
        The arguments of a case that only `run` needs (seeds, weights to set, whether to run backward). The answer never
        receives them, so no verdict shows them.
    by_products : tuple of str
        The parts that describe the call or the module and are no result, beside the gradients, types, modes and memory that
        drivers report.
    sizes : tuple of str
        The parameters of a class's constructor, in order, where the cases hold their values in a list.
    built_of : callable
        Given the arguments of a case, returns lists of modules by name: arguments of a class's constructor that a case cannot
        hold. `case` hands them out.
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
    compare: Callable[[Any, Any, Case], Mismatch | None] = field(default_factory=Comparison)
    changes: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    draws: bool = False
    of_driver: tuple[str, ...] = ()
    by_products: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    built_of: Callable[[Mapping[str, Any]], Mapping[str, Sequence[Any]]] = no_modules

    @property
    def number(self) -> str:
        """Return the two-digit number of the notebook, such as "01"."""
        return self.id.split(".")[0]

    @property
    def name(self) -> str:
        """Return the name of the function or class that the exercise asks for."""
        return self.id.split(".")[1]

    @property
    def is_class(self) -> bool:
        """Return True if the exercise asks for a class; only functions are named in small letters."""
        return not self.name.islower()

    @property
    def stem(self) -> str:
        """Return the exercise's name in the names of its files: cases, right answer and mistakes."""
        return file_stem(self.name)

    @property
    def lesson(self) -> Lesson:
        """Return the notebook to which the exercise belongs."""
        return lesson(self.number)

    @property
    def points(self) -> float:
        """Return the points of all criteria together."""
        return sum(criterion.points for criterion in self.criteria)

    @property
    def grade_id(self) -> str:
        """Return the id of the solution cell in nbgrader; the check cell has the same id with `-check` at the end."""
        return self.id.replace(".", "-")
