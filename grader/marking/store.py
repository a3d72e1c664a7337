"""Put graded submissions where they belong: the notebook for feedback, the gradebook, and the record."""

import json
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime

import msgspec
import nbformat

from embedding_course.files import atomic_write

from ..classroom import records
from ..classroom.attempts import Attempts, as_moment, as_text, attempts_in_words, with_others
from ..classroom.class_folder import Classroom, Submission
from ..classroom.grade_record import GradeRecord
from ..classroom.gradebook.book import Book, BookClosed, Refused
from ..classroom.policy.course import Course
from ..classroom.policy.notebook_points import head_with_points, with_points
from ..classroom.policy.points import Terms
from ..classroom.roster import Roster
from ..course_source.notebook import released
from ..submission.notebook_copies import as_json
from .mark import write_verdicts
from .submission_task import Graded


def reweighed_notebook(content: bytes, record: GradeRecord, terms: Terms) -> bytes:
    """Return the graded notebook of a record with the points and verdicts that the record has now.

    Parameters
    ----------
    content : bytes
        Graded notebook, as it is stored.
    record : GradeRecord
        Record with the present points and verdicts.
    terms : Terms
        What each exercise is worth in this class.
    """
    notebook = nbformat.reads(content.decode("utf-8"), as_version=4)
    ours = {cell.id: cell for cell in with_points(released(record.topic), terms).cells}
    for cell in notebook.cells:
        fresh = ours.get(cell.id)
        if fresh is None:
            continue
        if "nbgrader" in fresh.metadata:
            cell.metadata.nbgrader = json.loads(json.dumps(fresh.metadata.nbgrader))
        if cell.cell_type == "markdown" and "nbgrader" not in fresh.metadata:
            cell.source = fresh.source
    notebook.cells = [cell for cell in notebook.cells if cell.id != "about-this-submission"]
    write_verdicts(notebook, record.results, terms.dropped)
    head_with_points(notebook, record.topic, terms)
    return as_json(notebook)


class Store:
    """Writes graded submissions of one class. The record is written last: a submission with a record is done.

    Where the gradebook cannot be written, `closed` says why; records then wait on disk, and `settle` brings them in.
    """

    def __init__(self, classroom: Classroom, book: Book, course: Course) -> None:
        self.classroom, self.book, self.course, self.came = classroom, book, course, Attempts(classroom, course)
        self.closed = ""
        self._introduced: set[str] = set()
        self._times: dict[tuple[str, str], datetime | None] = {}

    def _introduce(self, topic: str) -> None:
        """Make the gradebook know a notebook, and what its exercises are worth in this class."""
        if not self.closed and topic not in self._introduced:
            self._introduced.add(topic)
            try:
                self.book.assignment(topic, with_points(released(topic), self.course.terms_of(topic)))
            except BookClosed as error:
                self.closed = str(error)

    def enter_people(self, roster: Roster) -> None:
        """Make the gradebook know who is in the class."""
        if not self.closed:
            try:
                self.book.enter_people(roster)
            except (BookClosed, Refused) as error:
                self.closed = str(error)

    def put(self, ready: Sequence[Graded]) -> Iterator[Graded]:
        """Store what was graded of one student's notebook: the file that counts in the gradebook, all others in the history.

        Yields each file with its record; that of the one that counts says whether the gradebook has it, and what the others
        came to.
        """
        dated = [Graded(graded.submission, self._described(graded), graded.notebook) for graded in ready]
        topic, student = dated[0].record.topic, dated[0].record.student
        self._introduce(topic)
        # Read now, not when the run began: nbgrader's own commands take no lock, and a run may last for hours.
        earlier = records.load(self.classroom.home, topic, student)
        pool = records.latest(self.classroom.home, topic, student) | {
            candidate.record.submission: candidate.record for candidate in dated
        }
        counting = self._counting(dated, earlier)
        when = counting.submission.timestamp if counting in dated else self._when(counting.record)
        self._times[topic, student] = when
        record = with_others(self._dated(counting.record, when), pool.values(), self.came.beyond(pool.values()))
        if counting.notebook:
            self._write_notebook(counting.submission, counting.notebook)
            reason = self._write_grades(record, when, earlier)
            record = msgspec.structs.replace(record, stored=not reason, reason=reason)
        records.save(self.classroom.home, record, earlier)
        for candidate in dated:
            if candidate is not counting:
                records.keep(self.classroom.home, candidate.record)
        attempt_sentences = attempts_in_words(record, self.course)[:1]
        for candidate in dated:
            sentences = attempt_sentences if candidate is counting else ["This file does not count.", *attempt_sentences]
            yield Graded(
                candidate.submission,
                record if candidate is counting else candidate.record,
                candidate.notebook,
                note=" ".join(sentences),
            )

    def _counting(self, dated: Sequence[Graded], earlier: GradeRecord | None) -> Graded:
        """Return what counts: one of the files that were just graded, or the record that counted before."""
        fresh = {graded.record.submission: graded for graded in dated}
        if earlier is None or earlier.submission in fresh or not earlier.submission:
            candidates = list(dated)
        else:
            file = self.came.file_of(earlier) or self.came.present(earlier.student, earlier.topic)
            candidates = [*dated, Graded(file, earlier)]
        present = self.came.digest(self.came.present(dated[0].record.student, dated[0].record.topic))
        chosen = self.came.counting([candidate.record for candidate in candidates], present)
        return next(contender for contender in candidates if contender.record is chosen)

    def reweigh(self, kept: dict[tuple[str, str], GradeRecord], topics: Collection[str]) -> list[Graded]:
        """Give the records in `kept` the present points of the class without running anything, and return what changed.

        The gradebook gets the new points when `settle` is called.
        """
        changed = []
        for (topic, student), record in kept.items():
            terms = self.course.terms_of(topic, record.students)
            fresh = record.weighed(terms) if topic in topics and record.terms != terms.stamp else None
            if fresh is None:
                continue
            submission = self.came.present(student, topic)
            path = self.classroom.autograded(submission)
            if fresh.status == "graded" and path.is_file():
                atomic_write(path, reweighed_notebook(path.read_bytes(), fresh, terms))
                fresh = msgspec.structs.replace(fresh, stored=False)
            records.save(self.classroom.home, fresh, record)
            kept[topic, student] = fresh
            if fresh.status == "graded":
                changed.append(Graded(submission, fresh, reweighed=True))
        return changed

    def settle(self, kept: Collection[GradeRecord]) -> None:
        """Write to the gradebook what an earlier run could not write, then compute lateness; `kept` are all records."""
        for topic in sorted({record.topic for record in kept if not record.stored}):
            self._introduce(topic)
        for record in kept:
            if record.stored and not self.course.deadlines:
                continue
            when, fresh = self._when(record), record
            if self.course.deadlines:
                fresh = self._dated(record, when)
                self._times[record.topic, record.student] = when
            if not record.stored and not self._write_grades(fresh, when, record):
                fresh = msgspec.structs.replace(fresh, stored=True, reason="")
            if fresh is not record:
                records.save(self.classroom.home, fresh, record)
        self.settle_lateness()

    def settle_lateness(self) -> None:
        """Enter what course.toml says of deadlines into the gradebook, for everything that is graded."""
        if self.course.deadlines and not self.closed:
            try:
                self.book.settle_lateness(self.course, self._times)
            except BookClosed as error:
                self.closed = str(error)

    def _when(self, record: GradeRecord) -> datetime | None:
        """Return when the file of a record came; search for the file only if the present file came at another time."""
        now = self.came.present(record.student, record.topic).timestamp
        if as_text(now) == record.handed_in or not record.submission:
            return now
        file = self.came.file_of(record)
        return file.timestamp if file else as_moment(record.handed_in)

    def _described(self, graded: Graded) -> GradeRecord:
        """Return the record with when its file came, and for whom it counts."""
        team = self.came.team(graded.submission)
        facts = {"team": team.name if team else "", "members": list(team.members) if team else []}
        return self._dated(msgspec.structs.replace(graded.record, **facts), graded.submission.timestamp)

    def _dated(self, record: GradeRecord, when: datetime | None) -> GradeRecord:
        """Return the record with when it came and how late that is, or the same record if nothing changes."""
        lateness = self.course.lateness(record.topic, record.student, when)
        late, penalty = (lateness.late.total_seconds(), lateness.share) if lateness else (0.0, 0.0)
        if (late, penalty, as_text(when)) == (record.late, record.penalty, record.handed_in):
            return record
        return msgspec.structs.replace(record, late=late, penalty=penalty, handed_in=as_text(when))

    def _write_grades(self, record: GradeRecord, when: datetime | None, last: GradeRecord | None) -> str:
        """Write the grades to the gradebook and return why that failed, or an empty string.

        If the gradebook refuses one record, later ones are still written. `last` is the last attempt before the record, or
        the record itself if it waited to be stored.
        """
        if self.closed:
            return self.closed
        try:
            self.book.save(record, when, self._entered(record, last))
        except Refused as error:
            return f"{error}; rename the folder {record.student[:40]!r}"
        except BookClosed as error:
            self.closed = str(error)
        return self.closed

    def _entered(self, record: GradeRecord, last: GradeRecord | None) -> GradeRecord | None:
        """Return the last attempt that the gradebook has stored."""
        if last is not None and last.stored:
            return last
        past = records.earlier_attempts(self.classroom.home, record.topic, record.student)
        return next((attempt for attempt in reversed(past) if attempt.stored), None)

    def _write_notebook(self, submission: Submission, notebook: bytes) -> None:
        target = self.classroom.autograded(submission)
        target.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(target, notebook)
        timestamp = submission.timestamp
        if timestamp is not None:
            (target.parent / "timestamp.txt").write_text(f"{timestamp.isoformat()} UTC", encoding="utf-8")
