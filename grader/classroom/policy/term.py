"""The grade of a term: how notebooks and projects are weighed, which are dropped, and who is excused from what."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from embedding_course.subject.errors import closest

from .toml_file import CourseFile, WrongCourse, shown

State = Literal["counted", "dropped", "excused", "not due", "missing"]


@dataclass(frozen=True)
class Term:
    """How the grade of a term is made.

    Attributes
    ----------
    weights
        The weight of each notebook and project by name; 0 leaves one out.
    drop
        How many notebooks, those with the lowest share of their points, do not count. Projects are never dropped.
    scale
        What the whole term is worth.
    """

    weights: Mapping[str, float]
    drop: int = 0
    scale: float = 100.0


@dataclass(frozen=True)
class Part:
    """One notebook or project in the grade of a term: the share of its points, its weight, and whether it counts."""

    name: str
    share: float
    weight: float
    state: State


@dataclass(frozen=True)
class TermGrade:
    """The grade of one student: the parts, and the points out of `scale`. `points` is None while nothing counts yet."""

    parts: Sequence[Part]
    scale: float
    points: float | None = field(default=None)

    @property
    def whole(self) -> float:
        """Return the weights of all parts that count, together."""
        return sum(part.weight for part in self.parts if part.state in ("counted", "missing"))

    def adds(self, part: Part) -> float | None:
        """Return how many points of the term a part adds, or None if it does not count.

        >>> grade = term_grade(Term({"01": 1, "02": 3}), {"01": 0.5, "02": 1.0})
        >>> [grade.adds(part) for part in grade.parts]
        [12.5, 75.0]
        """
        return self.scale * part.weight * part.share / self.whole if part.state in ("counted", "missing") else None


def term_grade(
    term: Term,
    shares: Mapping[str, float],
    excused: Collection[str] = (),
    not_due: Collection[str] = (),
    projects: Collection[str] = (),
) -> TermGrade:
    """Return the grade of one student.

    What was not handed in counts as 0, unless its time is not over or the student is excused from it: then the others weigh
    more. Of the notebooks that count the `drop` lowest are left out, the earlier of two equal ones; one notebook always stays.

    Parameters
    ----------
    term : Term
    shares : mapping of str to float
        The share of the points, by notebook or project, of what was handed in; above 1 with extra credit.
    excused, not_due : collection of str, optional
        Names of what the student is excused from, and of what is not due yet.
    projects : collection of str, optional
        Names that are projects.

    Examples
    --------
    >>> term_grade(Term({"01": 1, "02": 1, "03": 2}, drop=1), {"01": 0.5, "02": 1.0, "03": 0.8}).points
    86.66666666666667
    """
    states: dict[str, State] = {}
    for name, weight in term.weights.items():
        if weight:
            absent: State = "not due" if name in not_due else "missing"
            states[name] = "excused" if name in excused else "counted" if name in shares else absent
    candidates = [name for name, state in states.items() if state in ("counted", "missing") and name not in projects]
    dropping = min(term.drop, max(0, len(candidates) - 1))
    lowest = sorted(candidates, key=lambda name: shares.get(name, 0.0))[:dropping]
    states |= dict.fromkeys(lowest, "dropped")
    parts = [Part(name, shares.get(name, 0.0), term.weights[name], state) for name, state in states.items()]
    grade = TermGrade(parts, term.scale)
    return replace(grade, points=sum(grade.adds(part) or 0.0 for part in parts)) if grade.whole else grade


def term_of(settings: CourseFile, topics: Sequence[str], projects: Collection[str]) -> Term | None:
    """Return what `[term]` says, or None if course.toml has no such table.

    Raises
    ------
    WrongCourse
        If a weight has no notebook, or the numbers cannot hold together.
    """
    table = settings.term
    if table is None:
        return None
    weights = dict.fromkeys([*topics, *projects], 1.0)
    for name, weight in table.weights.items():
        known = next((known for known in weights if name == known or (name.zfill(2) == known[:2] and known in topics)), None)
        if known is None:
            raise WrongCourse(f"term.weights: {shown(name)} is no notebook or project of this class; {closest(name, weights)}")
        if not 0 <= weight <= 1000:
            raise WrongCourse(f'term.weights."{name}" = {shown(weight)}: a weight is a number from 0 to 1000.')
        weights[known] = weight
    weighed = [topic for topic in topics if weights[topic]]
    if not any(weights.values()):
        raise WrongCourse("term.weights: every weight is 0, so nothing is left to count.")
    if table.drop and table.drop >= len(weighed):
        most = f"of {len(weighed)} notebooks with a weight at most {len(weighed) - 1} can be dropped"
        raise WrongCourse(f"term.drop = {table.drop}: {most}.")
    if not 0 < table.scale <= 1000:
        raise WrongCourse(f"term.scale = {shown(table.scale)}: a term is worth points above 0 and up to 1000.")
    return Term(weights, table.drop, table.scale)
