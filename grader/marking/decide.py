"""Apply a person's decision on an answer to a class: note it, weigh the records anew, and say what changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from embedding_course.checking.result import Result
from embedding_course.exercises.index import Entry
from embedding_course.subject.errors import closest

from ..classroom import records
from ..classroom.class_folder import Classroom, now
from ..classroom.grade_record import GradeRecord
from ..classroom.gradebook.book import Book
from ..classroom.only_writer import only_writer
from ..classroom.overrides import Override, add_override, undo_override
from ..classroom.policy.course import load_course
from ..classroom.requests import Request, answer_request
from ..errors import UserError
from .store import Store

#: Cases that a sentence names at most.
_MAX_NAMES = 5


@dataclass(frozen=True)
class Decided:
    """A decision, and the points of its exercise before and after for each student whose points changed."""

    override: Override
    changed: Mapping[str, tuple[float, float]]


def is_like(verdict: Result, other: Result) -> bool:
    """Return True if `--like` on the first answer accepts the other one as well."""
    if verdict.computed:
        return other.computed == verdict.computed
    return bool(verdict.mistake) and other.mistake == verdict.mistake


def verdict_on(classroom: Classroom, exercise: Entry, student: str, decided: bool = False) -> Result:
    """Return the grader's own verdict on a student's answer, with `decided` the one that counts after people decided.

    Raises
    ------
    UserError
        If the student has no graded answer to this exercise.
    """
    topic = exercise.lesson.topic
    record = records.load(classroom.home, topic, student)
    if record is None:
        known = [path.stem for path in records.files(classroom.home, topic)]
        near = closest(student, known) if known else f"nothing of {topic} was graded yet"
        raise UserError(f"{student} has no graded {topic}; {near}")
    verdicts = record.results if decided else record.verdicts
    result = next((verdict for verdict in verdicts if verdict.exercise == exercise.id), None)
    if result is None:
        raise UserError(f"{student}'s {topic} has no verdict on {exercise.id}: {record.reason or record.status}.")
    return result


def failing_cases(classroom: Classroom, exercise: Entry) -> Counter[str]:
    """Return how many answers of the class fail in each hidden case of an exercise."""
    counts: Counter[str] = Counter()
    for record in records.load_topic(classroom.home, exercise.lesson.topic):
        for verdict in record.verdicts:
            if verdict.exercise == exercise.id:
                counts.update({name for criterion in verdict.criteria for name in criterion.failed_cases})
    return counts


def accept(
    classroom: Classroom, exercise: Entry, student: str, why: str, by: str, share: float = 1.0, alike: bool = False
) -> Decided:
    """Accept a student's answer, or with `alike` every answer of the class that returns the same or makes the same mistake.

    Raises
    ------
    UserError
        If there is no such answer, or it earns these points already, or lacks the data that finds answers alike.
    """
    verdict = verdict_on(classroom, exercise, student)
    counts = verdict if alike else verdict_on(classroom, exercise, student, decided=True)
    if counts.score >= share * verdict.max_score:
        by_people = ", by a decision that grader accept lists" if counts.score > verdict.score else ""
        raise UserError(f"{student}'s {exercise.id} earns {counts.score:g} of {verdict.max_score:g} points already{by_people}.")
    override = Override(number=0, exercise=exercise.id, why=why, by=by, at=now(), student=student, share=share)
    if alike:
        override = _for_all_like(verdict, student, override)
    return _applied(classroom, exercise, lambda: add_override(classroom.home, override))


def _for_all_like(verdict: Result, student: str, override: Override) -> Override:
    """Return a decision on one answer as one on all answers that return the same, or make the same known mistake."""
    if not verdict.computed and not verdict.mistake:
        raise UserError(
            f"{student}'s {verdict.exercise} ({verdict.status}) has no key of what it returns, so no answer can be "
            "found that is like it: accept it alone, without --like."
        )
    mistake = "" if verdict.computed else verdict.mistake or ""
    return msgspec.structs.replace(override, student="", computed=verdict.computed, mistake=mistake)


def accept_request(
    classroom: Classroom,
    exercise: Entry,
    request: Request,
    answer: str,
    by: str,
    share: float = 1.0,
    others: Sequence[Request] | None = None,
) -> Decided | None:
    """Accept a regrade request in one step: the answer earns its points, and the student reads why.

    With `others`, which may be empty, all answers of the class that are like this one earn the points, and those requests are
    accepted with the same words.

    Returns None if the points were there already; the request is accepted then as well.
    """
    verdict = verdict_on(classroom, exercise, request.student)
    counts = verdict if others is not None else verdict_on(classroom, exercise, request.student, decided=True)

    def reply() -> None:
        for accepted in (request, *(others or ())):
            answer_request(classroom.home, accepted, "accepted", answer, by)

    if counts.score >= share * verdict.max_score:
        with only_writer(classroom.home):
            reply()
        return None
    override = Override(number=0, exercise=exercise.id, why=answer, by=by, at=now(), student=request.student, share=share)
    if others is not None:
        override = _for_all_like(verdict, request.student, override)

    def note() -> Override:
        noted = add_override(classroom.home, override)
        reply()
        return noted

    return _applied(classroom, exercise, note)


def forgive(classroom: Classroom, exercise: Entry, case: str, why: str, by: str) -> Decided:
    """Let a hidden case of an exercise fail nobody in the class.

    Raises
    ------
    UserError
        If nobody fails in a case of that name.
    """
    counts = failing_cases(classroom, exercise)
    if case not in counts:
        named = ", ".join(f"“{name}” ({count})" for name, count in counts.most_common(_MAX_NAMES))
        failing = f"these do: {named}" if named else "nobody fails in any case"
        raise UserError(f"Nobody's {exercise.id} fails in a case “{case}”; {failing}.")
    override = Override(number=0, exercise=exercise.id, why=why, by=by, at=now(), case=case)
    return _applied(classroom, exercise, lambda: add_override(classroom.home, override))


def undo(classroom: Classroom, override: Override, exercise: Entry, by: str) -> Decided:
    """Undo a decision: the points are again those of the verdict."""
    return _applied(classroom, exercise, lambda: undo_override(classroom.home, override.number, by))


def _applied(classroom: Classroom, exercise: Entry, note: Callable[[], Override]) -> Decided:
    """Note a decision and weigh the notebook's records anew, with nobody else writing to the class."""
    topic = exercise.lesson.topic
    gradebook = classroom.home / "gradebook.db"
    if not classroom.db and not gradebook.exists():
        raise UserError(
            f"{gradebook} is not there: put it back. Without it, grader grade makes a new gradebook, which lacks the "
            "points and comments that people entered."
        )
    with only_writer(classroom.home), Book(classroom.db_url) as book:
        override = note()
        course = load_course(classroom.home)
        store = Store(classroom, book, course)
        kept = records.by_submission(classroom.home)
        before = {student: _points(record, exercise) for (name, student), record in kept.items() if name == topic}
        store.reweigh(kept, [topic])
        store.settle(kept.values())
        after = {student: _points(record, exercise) for (name, student), record in kept.items() if name == topic}
    changed = {student: (before[student], points) for student, points in after.items() if points != before[student]}
    return Decided(override, changed)


def _points(record: GradeRecord, exercise: Entry) -> float:
    return next((verdict.score for verdict in record.results if verdict.exercise == exercise.id), 0.0)
