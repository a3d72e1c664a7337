"""What a run has to grade: files that are new or changed, and those whose checks have changed."""

from collections.abc import Mapping, Sequence

from ..classroom import records
from ..classroom.attempts import Attempts
from ..classroom.class_folder import Submission
from ..classroom.policy.course import Course
from ..classroom.records import GradeRecord
from .check_version import check_version
from .run import Run
from .unfinished import Unfinished

#: The class's records by topic and student, read once.
Kept = Mapping[tuple[str, str], GradeRecord]


def waiting(came: Attempts, topics: Sequence[str], run: Run, kept: Kept, earlier: Unfinished | None = None) -> list[Submission]:
    """Return the files that this run has to grade: new or changed ones, and those whose checks or whose Python changed.

    With `force`, all but those that the forced run which it goes on with has done.

    Where the class counts the last submission of each student, earlier files wait for nobody.
    """
    found = []
    for present in came.everybody(topics, run.student):
        if run.students is not None and present.student not in run.students:
            continue
        record = kept.get((present.topic, present.student))
        if run.exercise:
            found.append((came.file_of(record) if record else None) or present)
        else:
            found += _of_one_student(came, present, record, run, earlier)
    return found


def _of_one_student(
    came: Attempts, present: Submission, record: GradeRecord | None, run: Run, earlier: Unfinished | None
) -> list[Submission]:
    files = [present] if came.course.attempt_rule == "last" else came.files(present)
    if len(files) == 1 and record is not None and record.submission == came.digest(present):
        return [] if _done(record, came.course, run, earlier) else files
    pool = records.latest(came.room.home, present.topic, present.student)
    todo = [one for one in files if not _done(pool.get(came.digest(one)), came.course, run, earlier)]
    if todo or record is None:
        return todo
    # The rule or a deadline may have changed since: then another file counts, whose notebook has to be made again.
    wanted = came.counting(pool.values(), came.digest(present))
    return [one for one in files if came.digest(one) == wanted.submission != record.submission]


def _done(record: GradeRecord | None, course: Course, run: Run, earlier: Unfinished | None) -> bool:
    if record is None or record.check != check_version(record.topic) or record.python != course.python:
        return False
    if run.force and (earlier is None or record.seed != earlier.seed):
        return False
    return record.weighed(course.terms_of(record.topic)) is not None
