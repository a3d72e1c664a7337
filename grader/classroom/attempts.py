"""The files that came from each student, whose work they are, and which graded one counts."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path

import msgspec

from embedding_course.checking.render import points_text
from embedding_course.checking.result import number
from embedding_course.messages import Message, capitalised

from ..course_source.stored import labelled_cells
from ..submission.plain_file import read_plain
from . import records
from .class_folder import Classroom, Submission
from .grade_record import Attempt, GradeRecord
from .policy.course import Course
from .policy.deadlines import in_zone
from .policy.lateness import Lateness, duration
from .policy.teams import TEAM_FILE, Team, read_team

#: Where `grader collect` keeps submissions that others replaced.
_EARLIER = "earlier"
_MAX_TEAM_FILE_BYTES = 100_000


class Attempts:
    """The files of one class: in submitted/, in earlier/, and those that another member of a team handed in."""

    def __init__(self, classroom: Classroom, course: Course) -> None:
        self.classroom, self.course = classroom, course
        self._digests: dict[Path, str] = {}

    def everybody(self, topics: Sequence[str], student: str | None = None) -> Iterator[Submission]:
        """Yield the present submission of each student and notebook; of a team's members without one, that of the team."""
        have = set()
        for own in self.classroom.submissions(topics, student):
            have.add((own.student, own.topic))
            yield self.present(own.student, own.topic) if self.course.team_of(own.student) else own
        for team in self.course.teams:
            for member in (name for name in team.members if student in (None, name)):
                for topic in topics:
                    team_submission = self._of_team(member, topic, team) if (member, topic) not in have else None
                    if team_submission is not None:
                        yield team_submission

    def files(self, present: Submission) -> list[Submission]:
        """Return the different files that came from a student for a notebook, the oldest first.

        `present` is the last one. A file that came several times, byte for byte, came when it first did, as far as that is
        known; where the class counts the last of any number of submissions, when it last did.
        """
        folder = self.classroom.home / _EARLIER / present.student / present.topic
        if not folder.is_dir() or folder.is_symlink() or folder.parent.is_symlink():
            return [present]
        past = [
            Submission(present.student, present.topic, present.folder, path)
            for path in sorted(folder.glob("*.ipynb"))
            if not path.is_symlink()
        ]
        files_by_digest: dict[str, Submission] = {}
        for submission in (*sorted(past, key=lambda submission: submission.timestamp or datetime.min), present):
            before = files_by_digest.get(self.digest(submission))
            first = before is not None and before.timestamp is not None
            if not first or (self.course.attempt_rule == "last" and self.course.most_attempts is None):
                files_by_digest[self.digest(submission)] = submission
        return list(files_by_digest.values())

    def present(self, student: str, topic: str) -> Submission:
        """Return the present submission of a student, which may be that of a team."""
        own = Submission(student, topic, self.classroom.submitted / student / topic)
        team = self.course.team_of(student)
        return (self._of_team(student, topic, team) if team and own.missing() else None) or own

    def file_of(self, record: GradeRecord) -> Submission | None:
        """Return the file that a record is about, or None if it no longer exists."""
        files = reversed(self.files(self.present(record.student, record.topic)))
        return next((file for file in files if not record.submission or self.digest(file) == record.submission), None)

    def digest(self, submission: Submission) -> str:
        """Return the SHA-256 of a submitted file, which is read once."""
        if submission.path not in self._digests:
            self._digests[submission.path] = records.digest(submission.path)
        return self._digests[submission.path]

    def team(self, submission: Submission) -> Team | None:
        """Return the team that handed a submission in: that of course.toml, else the one that `grader collect` noted."""
        listed = self.course.team_of(submission.student)
        if listed is not None:
            return listed
        try:
            text = read_plain(
                self.classroom.submitted / submission.student / submission.topic / TEAM_FILE, _MAX_TEAM_FILE_BYTES
            )
            team = read_team(text.decode("utf-8-sig"))
        except (OSError, ValueError):
            return None
        return team if team and submission.student in team.members else None

    def _of_team(self, student: str, topic: str, team: Team) -> Submission | None:
        """Return the newest file of the other members of the team."""
        others = [
            Submission(member, topic, self.classroom.submitted / member / topic) for member in team.members if member != student
        ]
        there = [other for other in others if other.path.is_file() and not other.missing()]
        if not there:
            return None
        newest = max(there, key=lambda submission: submission.timestamp or datetime.min)
        return Submission(student, topic, newest.folder)

    def counting(self, pool: Collection[GradeRecord], present: str) -> GradeRecord:
        """Return the record that counts by the class's rule, of those of one student's notebook.

        Files beyond the number that may count are left out. A file that could be graded comes before one that could not.
        "best" compares points after lateness, and of equal ones takes the later; what is not known to be late is on time.
        `present` is the digest of the file in submitted/.
        """
        graded = [record for record in pool if record.status == "graded"] or list(pool)
        beyond = self.beyond(graded)
        graded = [record for record in graded if record.submission not in beyond] or graded
        order = sorted(graded, key=lambda attempt: (attempt.submission == present, attempt.handed_in, attempt.graded_at))
        if self.course.attempt_rule == "last on time":
            order = [attempt for attempt in order if self.lateness(attempt) is None] or order
        if self.course.attempt_rule != "best":
            return order[-1]
        return max(enumerate(order), key=lambda indexed_attempt: (self.points(indexed_attempt[1]), indexed_attempt[0]))[1]

    def beyond(self, pool: Collection[GradeRecord]) -> set[str]:
        """Return the digests of the files that came after as many as may count, of one student's notebook.

        Files are ordered by when they came. A file that cannot be read, and the same file once more, is no further attempt.
        `pool` holds records that are not stored yet.
        """
        most = self.course.most_attempts
        if most is None or not pool:
            return set()
        topic, student = next((record.topic, record.student) for record in pool)
        known = records.latest(self.classroom.home, topic, student) | {record.submission: record for record in pool}
        on_disk = {self.digest(file): position for position, file in enumerate(self.files(self.present(student, topic)))}
        read = [record for record in known.values() if record.status == "graded"]
        timed = all(record.handed_in for record in read)
        read.sort(key=lambda record: (record.handed_in if timed else "", on_disk.get(record.submission, -1), record.graded_at))
        return {record.submission for record in read[most:]}

    def lateness(self, record: GradeRecord) -> Lateness | None:
        """Return how late the file of a record came, by the present deadline, or None if it was in time."""
        return self.course.lateness(record.topic, record.student, as_moment(record.handed_in))

    def points(self, record: GradeRecord) -> float:
        """Return what a record is worth after lateness. A written answer counts in full: a person has yet to read it."""
        worth, terms = _written_worth(record.topic), self.course.terms_of(record.topic, record.students)
        own, record = terms.written, record.weighed(terms) or record
        given = sum(
            worth[name] if own is None else own for name, is_written in record.written.items() if is_written and name in worth
        )
        every = sum(worth[name] if own is None else own for name in worth)
        late = self.lateness(record)
        total = record.score + record.extra + given
        return total - (late.points(total, record.max_score + every) if late and late.share else 0.0)


@lru_cache(maxsize=32)
def _written_worth(topic: str) -> dict[str, float]:
    cells = labelled_cells(topic).items()
    marks = {name: cell["metadata"]["nbgrader"] for name, cell in cells}
    return {name: float(mark["points"]) for name, mark in marks.items() if mark.get("grade") and mark.get("solution")}


def as_text(when: datetime | None) -> str:
    """Return a moment in UTC without a zone as records keep it, or an empty string if there is none."""
    return f"{when.isoformat()}+00:00" if when else ""


def as_moment(text: str) -> datetime | None:
    """Return the moment that a record keeps, in UTC without a zone, or None if it keeps none."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC).replace(tzinfo=None) if text else None
    except ValueError:
        return None


def points_after_lateness(record: GradeRecord) -> float:
    """Return the points that the program gave, less what lateness takes of them."""
    total = record.score + record.extra
    return max(0.0, total - record.penalty * record.max_score)


def attempt_of(record: GradeRecord, beyond: Collection[str] = ()) -> Attempt:
    """Return what is kept of a graded file beside the one that counts; `beyond` are digests of files that came too many."""
    points = points_after_lateness(record) if record.status == "graded" else 0.0
    return Attempt(
        record.submission,
        record.handed_in,
        record.graded_at,
        record.status,
        points,
        record.late,
        record.reason,
        record.submission in beyond,
    )


def attempts_in_words(record: GradeRecord, course: Course) -> list[str]:
    """Return what has to be said if several files came: which one counts and why, and the results of the others."""
    if not record.others:
        return []
    own = attempt_of(record)
    rule = _RULES[course.attempt_rule].fill(file=_described(own, course), points=number(own.points))
    lines = [str(rule.fill(count=len(record.others) + 1))]
    if any(other.beyond for other in record.others) and course.most_attempts is not None:
        only = Message.plural("Only the first file may count.", "Only the first {count} files may count.", course.most_attempts)
        lines[0] = f"{lines[0]} {only}"
    for other in record.others:
        result = Message("{state}: {reason}", state=other.status, reason=other.reason)
        if other.status == "graded":
            result = points_text(other.points)
        if other.late:
            late = duration(timedelta(seconds=other.late))
            result = Message("{result}, {duration} late", result=result, duration=late)
        line = Message("{file} does not count ({result}).")
        if other.beyond:
            line = Message("{file} does not count, since it came after as many as may count ({result}).")
        lines.append(str(line.fill(file=_described(other, course), result=result)))
    return [capitalised(line) for line in lines]


#: The sentence on the file that counts, for each rule that a class may have.
_RULES = {
    "best": Message("{count} files came, and the best one counts: {file}, with {points} points."),
    "last": Message("{count} files came, and the last one counts: {file}, with {points} points."),
    "last on time": Message("{count} files came, and the last one on time counts: {file}, with {points} points."),
}


def _described(attempt: Attempt, course: Course) -> Message:
    """Return the phrase that names a file by the time when it was handed in."""
    message, moment = Message("the one handed in {time}"), as_moment(attempt.handed_in)
    if moment is None:
        message, moment = Message("the one graded {time}"), as_moment(attempt.graded_at)
    if moment is None:
        return Message("the one without a time")
    return message.fill(time=in_zone(moment.replace(tzinfo=UTC), course.zone))


def with_others(record: GradeRecord, pool: Collection[GradeRecord], beyond: Collection[str] = ()) -> GradeRecord:
    """Return the record that counts, with what the others of `pool` came to; `beyond` are files that came too many."""
    others = sorted(
        (attempt for attempt in pool if attempt.submission != record.submission),
        key=lambda attempt: (attempt.handed_in, attempt.graded_at),
    )
    return msgspec.structs.replace(record, others=[attempt_of(other, beyond) for other in others])
