"""What a run has to grade: files that are new or changed, and those whose checks have changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..classroom import records
from ..classroom.attempts import Attempts
from ..classroom.class_folder import Submission
from ..classroom.grade_record import GradeRecord
from ..classroom.policy.course import Course
from .check_version import check_version
from .hidden_check import fresh_seed
from .run import Run

_FORCED = "forced"


@dataclass(frozen=True)
class Unfinished:
    """A run that was interrupted."""

    seed: int
    forced: bool = False


def _run_file(home: Path) -> Path:
    return home / records.FOLDER / ".seed"


def read_unfinished(home: Path, run: Run) -> Unfinished | None:
    """Return the unfinished run that this run continues, or None if it is a run of its own.

    A forced run continues only a forced run, and a run with a seed of its own continues only one with the same seed.
    """
    try:
        seed, *forced = _run_file(home).read_text(encoding="ascii").split()
        unfinished = Unfinished(int(seed), forced == [_FORCED])
    except (OSError, ValueError):
        return None
    if run.same_seeds or run.seed not in (None, unfinished.seed) or (run.force and not unfinished.forced):
        return None
    return unfinished


def begin(home: Path, run: Run, earlier: Unfinished | None) -> int:
    """Return the seed of this run, and store it until the run comes to its end.

    It is the seed that `run` asks for, or else the seed of `earlier`, or else a fresh one.

    Parameters
    ----------
    home : Path
        Folder of the class.
    run : Run
    earlier : Unfinished or None
        Unfinished run that this run continues, if there is one.
    """
    seed = run.seed if run.seed is not None else earlier.seed if earlier else fresh_seed()
    if earlier is None and not run.same_seeds and (run.seed is None or run.force):
        _run_file(home).parent.mkdir(parents=True, exist_ok=True)
        _run_file(home).write_text(f"{seed} {_FORCED}" if run.force else str(seed), encoding="ascii")
    return seed


def finish(home: Path, run: Run) -> None:
    """Note that the run is complete.

    A run that repeats everybody's earlier seeds has no note, and leaves the note of another run.
    """
    if not run.same_seeds:
        _run_file(home).unlink(missing_ok=True)


#: The class's records by topic and student, read once.
Kept = Mapping[tuple[str, str], GradeRecord]


def waiting(came: Attempts, topics: Sequence[str], run: Run, kept: Kept, earlier: Unfinished | None = None) -> list[Submission]:
    """Return the files that this run has to grade: new or changed ones, and those whose checks or whose Python changed.

    If the class counts the last of any number of submissions of each student, earlier files are left out.

    Parameters
    ----------
    came : Attempts
        What was handed in.
    topics : sequence of str
        Names of the notebooks to grade.
    run : Run
        Says, among other things, which students and which exercise are graded, and whether by force.
    kept : Kept
        Stored records, by notebook and student.
    earlier : Unfinished, optional
        Unfinished run that this run continues; what a forced one has graded is not graded again.
    """
    files = []
    for present in came.everybody(topics, run.student):
        if run.students is not None and present.student not in run.students:
            continue
        record = kept.get((present.topic, present.student))
        if run.exercise:
            files.append((came.file_of(record) if record else None) or present)
        else:
            files += _of_one_student(came, present, record, run, earlier)
    return files


def _of_one_student(
    came: Attempts, present: Submission, record: GradeRecord | None, run: Run, earlier: Unfinished | None
) -> list[Submission]:
    only_last = came.course.attempt_rule == "last" and came.course.most_attempts is None
    files = [present] if only_last else came.files(present)
    if len(files) == 1 and record is not None and record.submission == came.digest(present):
        return [] if _done(record, came.course, run, earlier) else files
    pool = records.latest(came.classroom.home, present.topic, present.student)
    todo = [file for file in files if not _done(pool.get(came.digest(file)), came.course, run, earlier)]
    if todo or record is None:
        return todo
    # The rule or a deadline may have changed since: then another file counts, whose notebook has to be made again.
    wanted = came.counting(pool.values(), came.digest(present))
    return [file for file in files if came.digest(file) == wanted.submission != record.submission]


def _done(record: GradeRecord | None, course: Course, run: Run, earlier: Unfinished | None) -> bool:
    if record is None or record.check != check_version(record.topic) or record.python != course.python:
        return False
    if run.force and (earlier is None or record.seed != earlier.seed):
        return False
    return record.weighed(course.terms_of(record.topic, record.students)) is not None
