"""What an upgrade of the course changes for the graded submissions of a class, computed from records without running them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from embedding_course.checking.result import earned, extra, number, possible
from embedding_course.exercises.index import entries_of

from ..classroom import records
from ..classroom.class_folder import Classroom
from ..classroom.grade_record import GradeRecord
from ..classroom.policy.course import Course
from ..classroom.policy.points import Terms, with_worth
from .check_version import SHARED, check_version, exercise_versions


@dataclass(frozen=True)
class Moved:
    """A student whose points change without any verdict changing: what counts and what can be earned, before and after."""

    student: str
    before: float
    most_before: float
    after: float
    most_after: float


@dataclass
class Preview:
    """What changes in one notebook.

    Attributes
    ----------
    topic
    same
        Students for whom nothing changes.
    again
        Students whose submissions the next `grader grade` grades again.
    moved
        Students whose points change in any case, since exercises are worth something else, are gone, or are new.
    worth
        A sentence for each exercise that is worth something else, is gone, or is new.
    changed
        For each exercise with other cases or another reference: how many of those graded with the earlier ones passed, and how
        many did not.
    unknown
        Students whose records do not say which version of each exercise graded them.
    """

    topic: str
    same: list[str] = field(default_factory=list)
    again: list[str] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)
    worth: list[str] = field(default_factory=list)
    changed: dict[str, tuple[int, int]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)

    @property
    def sentences(self) -> Iterator[str]:
        """Yield what changes, for the instructor."""
        count = len(self.same) + len(self.again)
        if not self.again and not self.changed and not self.moved:
            yield f"{self.topic}: nothing changes for all {count} who are graded."
            return
        yield f"{self.topic}: grader grade grades {len(self.again)} of {count} again; nothing changes for {len(self.same)}."
        yield from (f"  {sentence}" for sentence in self.worth)
        for exercise, (passed, failed) in self.changed.items():
            yield (
                f"  {exercise} has other cases or another reference: {passed} passed it and may lose points, {failed} did not "
                "and may gain some."
            )
        if self.unknown:
            yield f"  {len(self.unknown)} were graded before the version of each exercise was kept: any verdict may change."
        elif self.again and not self.changed:
            yield "  Cases and references are as they were, only shared code has changed: verdicts should stay."


def preview(classroom: Classroom, course: Course, topic: str) -> Preview:
    """Return what an upgrade of the course changes in one notebook.

    Parameters
    ----------
    classroom : Classroom
    course : Course
    topic : str
        Name of the notebook.
    """
    made, versions, current = Preview(topic), exercise_versions(topic), check_version(topic)
    worth: dict[str, None] = {}
    for record in records.load_topic(classroom.home, topic):
        other = {name for name, version in versions.items() if name != SHARED and record.versions.get(name) != version}
        other &= {verdict.exercise for verdict in record.verdicts}
        moved = _moved(record, course.terms_of(topic, record.students)) if record.status == "graded" else None
        worth |= dict.fromkeys(_worth(record))
        if record.check != current:
            made.again.append(record.student)
            if not record.versions:
                made.unknown.append(record.student)
        elif moved is None and not (record.versions and other):
            made.same.append(record.student)
        if moved is not None:
            made.moved.append(moved)
        for verdict in record.verdicts if record.versions else ():
            if verdict.exercise in other:
                passed, failed = made.changed.get(verdict.exercise, (0, 0))
                made.changed[verdict.exercise] = (passed + verdict.passed, failed + (not verdict.passed))
    made.worth = list(worth)
    return made


def _worth(record: GradeRecord) -> Iterator[str]:
    """Yield a sentence for each exercise of a record whose points are others now, that is gone, or that is new."""
    now = {exercise.id: exercise for exercise in entries_of(record.topic)}
    before = {verdict.exercise: verdict for verdict in record.verdicts}
    for name, verdict in before.items():
        exercise = now.get(name)
        if exercise is None:
            yield f"{name} is gone ({number(verdict.max_score)} points)."
        elif (exercise.points, exercise.core) != (verdict.max_score, verdict.core):
            worth, worth_before = _points(exercise.points, exercise.core), _points(verdict.max_score, verdict.core)
            yield f"{name} is worth {worth} instead of {worth_before}."
    if before:
        for name in now.keys() - before.keys() - set(record.added_later):
            yield f"{name} is new: it counts for those whose notebook has it."


def _points(points: float, core: bool) -> str:
    return f"{number(points)} point{'s' * (points != 1)}{'' if core else ' of extra credit'}"


def _moved(record: GradeRecord, terms: Terms) -> Moved | None:
    """Return what other points and missing exercises alone change for a student, or None if that is nothing."""
    now = {exercise.id: exercise for exercise in entries_of(record.topic)}
    kept = [
        with_worth(verdict, now[verdict.exercise].points, now[verdict.exercise].core)
        for verdict in record.verdicts
        if verdict.exercise in now
    ]
    after, before = terms.apply(kept), record.results
    moved = Moved(
        record.student, earned(before) + extra(before), possible(before), earned(after) + extra(after), possible(after)
    )
    same = abs(moved.before - moved.after) < 1e-6 and abs(moved.most_before - moved.most_after) < 1e-6
    return None if same else moved
