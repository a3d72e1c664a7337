"""Write the feedback pages of a class, several at a time: the gradebook is asked once a notebook, and never by a worker."""

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from embedding_course.exercises.index import entries_of
from embedding_course.files import atomic_write
from embedding_course.messages import in_language

from ..classroom import records
from ..classroom.attempts import as_moment
from ..classroom.class_folder import Classroom, Submission
from ..classroom.grade_record import GradeRecord
from ..classroom.gradebook.marks import Marks, marks_of
from ..classroom.policy.course import Course
from ..classroom.requests import answers_of, requests_in_submission
from .own_cells import OwnCells, read_own
from .page import TERM_PAGE, Handed, render

FOLDER = "feedback"
#: Fewer pages than this are written sooner by one process than by several.
_MIN_FOR_PROCESSES = 12


@dataclass(frozen=True)
class _Job:
    """One page to write, without what the writing process can read itself."""

    classroom: Classroom
    course: Course
    record: GradeRecord
    marks: Marks | None


def write_pages(
    classroom: Classroom, course: Course, topics: Sequence[str], students: Sequence[str] = (), workers: int | None = None
) -> Iterator[Path]:
    """Write `feedback/{student}/{notebook}/{notebook}.html` for all graded submissions, and yield each page as it is written.

    Parameters
    ----------
    classroom : Classroom
    course : Course
    topics : sequence of str
        Names of the notebooks.
    students : sequence of str, optional
        Ids of the students; all if empty.
    workers : int, optional
        Number of processes; by default one for each processor.
    """
    jobs = [job for topic in topics for job in _jobs(classroom, course, topic, students)]
    most = min(workers or len(os.sched_getaffinity(0)), len(jobs))
    if most < 2 or len(jobs) < _MIN_FOR_PROCESSES:
        yield from map(_write, jobs)
        return
    with ProcessPoolExecutor(most, multiprocessing.get_context("fork")) as pool:
        yield from pool.map(_write, jobs, chunksize=4)


def count_pages(classroom: Classroom, topics: Sequence[str], students: Sequence[str] = ()) -> int:
    """Return how many pages `write_pages` would write.

    Parameters
    ----------
    classroom : Classroom
    topics : sequence of str
        Names of the notebooks.
    students : sequence of str, optional
        Ids of the students; all if empty.
    """
    return sum(not students or path.stem in students for topic in topics for path in records.files(classroom.home, topic))


def _jobs(classroom: Classroom, course: Course, topic: str, students: Sequence[str]) -> Iterator[_Job]:
    graded = [
        candidate for candidate in records.load_topic(classroom.home, topic) if not students or candidate.student in students
    ]
    marks = marks_of(classroom.db_url, topic) or {} if graded else {}
    for record in graded:
        yield _Job(classroom, course, record, marks.get(record.student))


def page_of(classroom: Classroom, course: Course, record: GradeRecord, marks: Marks | None) -> str:
    """Return the feedback page of one submission as HTML.

    Parameters
    ----------
    classroom : Classroom
    course : Course
    record : GradeRecord
        Record of the submission.
    marks : Marks or None
        What a person entered in the gradebook; None if nothing is known.
    """
    submission = Submission(record.student, record.topic, classroom.submitted / record.student / record.topic)
    own = OwnCells()
    if record.status == "graded":
        own = read_own(classroom.autograded(submission), {exercise.grade_id for exercise in entries_of(record.topic)})
    handed_in = as_moment(record.handed_in) or submission.timestamp
    requests = list(requests_in_submission(submission, answers_of(classroom.home)))
    has_term = (classroom.home / FOLDER / record.student / TERM_PAGE).is_file()
    with in_language(record.language):
        return render(Handed(record, course, own, marks, handed_in, requests, has_term))


def _write(job: _Job) -> Path:
    path = job.classroom.home / FOLDER / job.record.student / job.record.topic / f"{job.record.topic}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, page_of(job.classroom, job.course, job.record, job.marks).encode("utf-8"))
    return path
