"""Put graded submissions where they belong: the notebook for feedback, the gradebook, and the record."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

import msgspec
from nbformat.notebooknode import NotebookNode

from embedding_course.one_step import write_in_one_step

from ..classroom import records
from ..classroom.class_folder import Classroom, Submission
from ..classroom.policy.course import Course
from ..classroom.policy.in_notebooks import with_points
from ..classroom.records import GradeRecord
from ..classroom.roster import Roster
from ..course_source.notebook import release, source
from ..gradebook.book import Book, BookClosed, Refused
from .submission_task import Graded

__all__ = ["Store"]


class Store:
    """Writes graded submissions of one class. The record comes last: what has one is done.

    Where the gradebook cannot be written, `closed` says why; records then wait on disk, and `settle` brings them in.
    """

    def __init__(self, room: Classroom, book: Book, course: Course) -> None:
        self.room, self.book, self.course = room, book, course
        self.closed = ""
        self._times: dict[tuple[str, str], datetime | None] = {}

    def introduce(self, topic: str, release: NotebookNode) -> None:
        """Make the gradebook know a notebook, and what its exercises are worth in this class."""
        if not self.closed:
            try:
                self.book.assignment(topic, with_points(release, self.course.terms_of(topic)))
            except BookClosed as error:
                self.closed = str(error)

    def enter_people(self, roster: Roster) -> None:
        """Make the gradebook know who is in the class."""
        if not self.closed:
            try:
                self.book.enter_people(roster)
            except (BookClosed, Refused) as error:
                self.closed = str(error)

    def put(self, graded: Graded) -> Graded:
        """Store one graded submission; its record says whether the gradebook has it."""
        record = self._dated(graded.record, graded.submission)
        self._times[record.topic, record.student] = graded.submission.timestamp
        # Read now, not when the run began: nbgrader's own commands take no lock, and a run may last for hours.
        earlier = records.load(self.room.home, record.topic, record.student)
        if graded.notebook:
            self._write_notebook(graded.submission, graded.notebook)
            reason = self._write_grades(record, graded.submission, earlier)
            record = msgspec.structs.replace(record, stored=not reason, reason=reason)
        records.save(self.room.home, record, earlier)
        return Graded(graded.submission, record, graded.notebook)

    def settle(self, kept: Collection[GradeRecord]) -> None:
        """Bring into the gradebook what an earlier run could not write there; then see what is late. `kept` are all records."""
        for topic in sorted({record.topic for record in kept if not record.stored}):
            self.introduce(topic, release(source(topic)))
        for record in kept:
            submission, fresh = self._submission(record), record
            if self.course.deadlines:
                fresh = self._dated(record, submission)
                self._times[record.topic, record.student] = submission.timestamp
            if not record.stored and not self._write_grades(fresh, submission, record):
                fresh = msgspec.structs.replace(fresh, stored=True, reason="")
            if fresh is not record:
                records.save(self.room.home, fresh, record)
        self.settle_lateness()

    def settle_lateness(self) -> None:
        """What course.toml says of deadlines, into the gradebook, for everything that is graded."""
        if self.course.deadlines and not self.closed:
            try:
                self.book.settle_lateness(self.course, self._times)
            except BookClosed as error:
                self.closed = str(error)

    def _submission(self, record: GradeRecord) -> Submission:
        return Submission(record.student, record.topic, self.room.submitted / record.student / record.topic)

    def _dated(self, record: GradeRecord, submission: Submission) -> GradeRecord:
        """The record with how late it came; the same one where nothing changes."""
        found = self.course.lateness(record.topic, record.student, submission.timestamp)
        late, penalty = (found.late.total_seconds(), found.share) if found else (0.0, 0.0)
        if (late, penalty) == (record.late, record.penalty):
            return record
        return msgspec.structs.replace(record, late=late, penalty=penalty)

    def _write_grades(self, record: GradeRecord, submission: Submission, last: GradeRecord | None) -> str:
        """Why the gradebook has not got it; empty where it has. One that it refuses keeps no other out. `last` is the last
        attempt before it, or itself where it waited."""
        if self.closed:
            return self.closed
        try:
            self.book.save(record, submission.timestamp, self._entered(record, last))
        except Refused as error:
            return f"{error}; rename the folder {record.student[:40]!r}"
        except BookClosed as error:
            self.closed = str(error)
        return self.closed

    def _entered(self, record: GradeRecord, last: GradeRecord | None) -> GradeRecord | None:
        """The last attempt that the gradebook has."""
        if last is not None and last.stored:
            return last
        past = records.earlier_attempts(self.room.home, record.topic, record.student)
        return next((one for one in reversed(past) if one.stored), None)

    def _write_notebook(self, submission: Submission, notebook: bytes) -> None:
        target = self.room.autograded(submission)
        target.parent.mkdir(parents=True, exist_ok=True)
        write_in_one_step(target, notebook)
        timestamp = submission.timestamp
        if timestamp is not None:
            (target.parent / "timestamp.txt").write_text(f"{timestamp.isoformat()} UTC", encoding="utf-8")
