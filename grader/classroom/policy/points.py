"""The points of one notebook as a class counts them."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from embedding_course.checking.result import CriterionResult, Result
from embedding_course.exercises.index import entries, entries_of
from embedding_course.messages import Message
from embedding_course.subject.errors import closest
from embedding_course.subject.lessons import LESSONS

from ..overrides import Override, decided
from .toml_file import CourseFile, WrongCourse, chosen, flat, shown

_WRITTEN = "written"
#: Whether an answer counts in which a slip was mended.
_MENDED = ("count", "zero")


@dataclass(frozen=True)
class Terms:
    """What a class changed in one notebook; by default nothing.

    Attributes
    ----------
    points, core
        The points of exercises, and whether they are core, by exercise id.
    dropped
        Exercises that do not count at all.
    written
        The points of the written answer, or None for those of the lesson.
    mended_count
        Whether answers count in which a slip was mended (`Result.mended`).
    overrides
        What people decided on single verdicts.
    """

    points: Mapping[str, float] = field(default_factory=dict)
    core: Mapping[str, bool] = field(default_factory=dict)
    dropped: frozenset[str] = frozenset()
    written: float | None = None
    mended_count: bool = True
    overrides: tuple[Override, ...] = ()

    @property
    def stamp(self) -> str:
        """Return a text that changes when the terms change, or an empty string if there are none.

        A submission that was graded under other terms is graded again.

        >>> Terms().stamp
        ''
        """
        content = [sorted(self.points.items()), sorted(self.core.items()), sorted(self.dropped)]
        if not self.mended_count:
            content.append(["mended"])
        if self.overrides:
            content.append([override.number for override in self.overrides])
        return hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:12] if any(content) else ""

    def apply(self, results: Sequence[Result]) -> list[Result]:
        """Return the verdicts with this class's points, without dropped exercises."""
        return [decided(self._weighed(result), self.overrides) for result in results if result.exercise not in self.dropped]

    def _weighed(self, result: Result) -> Result:
        if result.mended and not self.mended_count:
            result = _uncounted(result)
        worth = self.points.get(result.exercise, result.max_score)
        return with_worth(result, worth, self.core.get(result.exercise, result.core))

    def worth(self, cell: Mapping[str, Any]) -> float | None:
        """Return what a graded cell of the release is worth in this class; None for a cell that is not graded."""
        marks = cell["metadata"].get("nbgrader", {})
        if not marks.get("grade"):
            return None
        if marks.get("solution"):
            return float(marks["points"]) if self.written is None else self.written
        exercise = marks["grade_id"].removesuffix("-check").replace("-", ".", 1)
        own = float(marks["points"])
        if exercise in self.dropped or not self.core.get(exercise, own > 0):
            return 0.0
        usual = own or entries()[exercise].points  # the cell of a further exercise, which a class may count as core, has none
        return self.points.get(exercise, usual)


def terms_of(settings: CourseFile, topics: Collection[str]) -> dict[str, Terms]:
    """Return what a class changes in each of its notebooks.

    Parameters
    ----------
    settings : CourseFile
    topics : collection of str
        The notebooks of the class.

    Raises
    ------
    WrongCourse
        If there is no such exercise, or its settings contradict each other.
    """
    known = {exercise.id: exercise for topic in topics for exercise in entries_of(topic)}
    worth = dict(flat(settings.points))
    for name, value in worth.items():
        _is_exercise(name, "points", known)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1000:
            raise WrongCourse(
                f'points."{name}" = {shown(value)}: points are a number above 0 and up to 1000'
                + ("; an exercise that is not to count belongs into drop." if value in (0, False) else ".")
            )
    for key in ("drop", "core", "further"):
        for name in getattr(settings, key):
            if not _is_exercise(name, key, known):
                raise WrongCourse(f"{key}: {shown(name)} is a written answer; only its points can be changed.")
    both = set(settings.core) & set(settings.further) or set(settings.drop) & {*settings.core, *settings.further, *worth}
    if both:
        raise WrongCourse(f"{min(both)} stands in two of core, further, drop and points; only one of them can hold.")
    mended = chosen(settings.answers.mended, _MENDED, "answers.mended")
    terms = {}
    for topic in topics:
        start = f"{topic[:2]}."
        core = {name: True for name in settings.core} | {name: False for name in settings.further}
        terms[topic] = Terms(
            points={name: float(value) for name, value in worth.items() if name in known and name.startswith(start)},
            core={name: is_core for name, is_core in core.items() if name.startswith(start) and known[name].core != is_core},
            dropped=frozenset(name for name in settings.drop if name.startswith(start)),
            written=float(worth[start + _WRITTEN]) if start + _WRITTEN in worth else None,
            mended_count=mended == "count",
        )
    return terms


def _is_exercise(name: str, key: str, known: Mapping[str, Any]) -> bool:
    """Return True if the name is an exercise of this class, and False if it is a written answer.

    Raises
    ------
    WrongCourse
        If it is neither.
    """
    if name in known:
        return True
    numbers = {candidate.split(".")[0] for candidate in known}
    if name.removesuffix(f".{_WRITTEN}") in numbers:
        return False
    number = name.split(".")[0]
    if number not in numbers and any(number == candidate.number for candidate in LESSONS):
        raise WrongCourse(f"{key}: {shown(name)} belongs to a notebook that is not among those of this class.")
    near = [candidate for candidate in known if candidate.startswith(f"{number}.")] or list(known)
    raise WrongCourse(f"{key}: there is no exercise {shown(name)}; {closest(name, [*near, f'{near[0][:2]}.{_WRITTEN}'])}")


def with_worth(result: Result, worth: float, core: bool) -> Result:
    """Return a verdict on an exercise that is worth so many points, with the share of them that was earned."""
    if worth == result.max_score:
        return result if core == result.core else msgspec.structs.replace(result, core=core)
    factor = worth / result.max_score
    return msgspec.structs.replace(
        result,
        core=core,
        max_score=worth,
        score=_round(result.score * factor),
        criteria=[_scaled(criterion, factor) for criterion in result.criteria],
    )


def _uncounted(result: Result) -> Result:
    """Return the verdict on a mended answer in a class that does not count those."""
    text = f"{result.mended} {Message('Your class does not count answers that had to be mended.')}"
    criteria = [msgspec.structs.replace(criterion, earned=0.0, passed=False) for criterion in result.criteria]
    return msgspec.structs.replace(result, score=0.0, passed=False, status="wrong", mended=text, criteria=criteria)


def _scaled(criterion: CriterionResult, factor: float) -> CriterionResult:
    return msgspec.structs.replace(
        criterion, points=_round(criterion.points * factor), earned=_round(criterion.earned * factor)
    )


def _round(value: float) -> float:
    """Round to six decimals, so that nine thirds of a point are exactly three points."""
    return round(value, 6)
