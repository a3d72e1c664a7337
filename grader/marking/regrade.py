"""Grade one corrected exercise again for the whole class, and say what that changed.

Everybody meets the hidden inputs of their own earlier grading, so that only the correction makes a difference. Marks of
other exercises, marks and comments that a person entered, and extra credit that a person changed all stay.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from embedding_course.checking.result import Result, number
from embedding_course.exercises import find_exercise

from ..classroom import records
from ..classroom.attempts import Attempts
from ..classroom.class_folder import Classroom
from ..classroom.class_zip import BACKUPS
from ..classroom.grade_record import GradeRecord
from ..classroom.gradebook.dump import dump, in_postgresql
from ..classroom.gradebook.schema import copy_of
from ..classroom.policy.course import Course, load_course
from ..engine.fork_server import Learners
from .grade_class import grade_class
from .run import Run


@dataclass(frozen=True)
class Change:
    """One submission before and after: points of the exercise, its status, and the points of the whole notebook."""

    student: str
    before: float
    after: float
    status_before: str
    status_after: str
    notebook_before: float
    notebook_after: float
    why: str = ""

    @property
    def difference(self) -> float:
        """Return by how many points of the exercise the mark changed."""
        return self.after - self.before


def difference(change: Change) -> str:
    """Return the difference as people write it: `+1`, `−0.5`, `0`."""
    return number(change.difference).replace("-", "−") if change.difference <= 0 else f"+{number(change.difference)}"


@dataclass(frozen=True)
class LeftOut:
    """A submission that is not regraded, and the reason."""

    student: str
    reason: str


def sort_out(
    classroom: Classroom, topic: str, student: str | None = None, course: Course | None = None
) -> tuple[dict[str, GradeRecord], list[LeftOut]]:
    """Return the records to regrade, by student and as they are before, and the submissions to leave out with the reasons.

    Only submissions are regraded that were graded before and whose file is still the one that counts.

    Parameters
    ----------
    course
        The course.toml of the class, if the caller has read it.
    """
    before, left = {}, []
    came = Attempts(classroom, course or load_course(classroom.home))
    for submission in came.everybody([topic], student):
        record = records.load(classroom.home, topic, submission.student)
        reason = _why_not(came, record) if record else "was not graded yet: `grader grade` grades it whole"
        if record is None or reason:
            left.append(LeftOut(submission.student, reason))
        else:
            before[submission.student] = record
    return before, left


def _why_not(came: Attempts, record: GradeRecord) -> str:
    if record.status != "graded":
        return f"{record.status}: {record.reason}"
    # Graded through nbgrader's own commands, a record has no hash: then the file that is there is the one that counts.
    if came.file_of(record) is None:
        return "was handed in anew since it was graded: `grader grade` grades it whole"
    return ""


def back_up(classroom: Classroom, now: datetime | None = None) -> Path | None:
    """Copy the gradebook in a consistent state, even while somebody uses it, and return the path of the copy.

    Returns None if there is no gradebook yet, or if it is neither an SQLite file nor in PostgreSQL.

    Raises
    ------
    CannotDump
        If a gradebook in PostgreSQL could not be copied.
    """
    if in_postgresql(classroom.db_url):
        return dump(classroom.db_url, classroom.home / BACKUPS, now)
    source = Path(classroom.db_url.removeprefix("sqlite:///"))
    if not classroom.db_url.startswith("sqlite:///") or not source.exists():
        return None
    moment = now or datetime.now(UTC)
    target = classroom.home / BACKUPS / f"gradebook_{moment:%Y-%m-%d_%H%M%S_%f}.db"
    target.parent.mkdir(parents=True, exist_ok=True)
    return copy_of(source, target)


def regrade(
    classroom: Classroom,
    exercise_id: str,
    before: Mapping[str, GradeRecord],
    run: Run | None = None,
    shared: Learners | None = None,
    course: Course | None = None,
) -> Iterator[Change]:
    """Grade the exercise again for the students of these records and yield what changed, one by one as they are done.

    The caller makes the backup first.

    Parameters
    ----------
    shared
        Learner processes that stay open.
    course
        The course.toml of the class, if the caller has read it.

    Raises
    ------
    Busy, NoSandbox
        As grading does.
    """
    exercise = find_exercise(exercise_id)
    topic = exercise.lesson.topic
    asked = replace(run or Run(), exercise=exercise.id, students=tuple(before), same_seeds=True)
    for graded in grade_class(classroom, [topic], asked, shared, course):
        earlier = before.get(graded.record.student)
        if earlier is not None:
            yield _change(exercise.id, earlier, graded.record)


def _change(name: str, earlier: GradeRecord, fresh: GradeRecord) -> Change:
    old, new = _result(name, earlier), _result(name, fresh)
    return Change(
        fresh.student,
        old.score if old else 0.0,
        new.score if new else 0.0,
        old.status if old else "none",
        new.status if new else fresh.status,
        earlier.score + earlier.extra,
        fresh.score + fresh.extra,
        new.diagnosis or new.message if new and not new.passed else "",
    )


def _result(name: str, record: GradeRecord) -> Result | None:
    return next((result for result in record.results if result.exercise == name), None)
