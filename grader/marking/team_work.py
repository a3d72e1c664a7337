"""Work of teams: the same file of one team is graded once, and entered for each member."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from ..classroom.attempts import Attempts
from ..classroom.class_folder import Submission
from ..classroom.grade_record import GradeRecord
from .check_version import check_version
from .run import Run
from .submission_task import Graded
from .to_grade import Kept


@dataclass
class Shared:
    """The files of a run.

    `todo` are the files to run. The other files get the result of the same file of another member of their team: of one in
    this run (`fellows`) or of an earlier run (`ready`).
    """

    todo: list[Submission] = field(default_factory=list)
    fellows: dict[Submission, list[Submission]] = field(default_factory=dict)
    ready: list[Graded] = field(default_factory=list)

    @property
    def everything(self) -> list[Submission]:
        """Return all files of the run, of each member of a team."""
        others = [fellow for fellows in self.fellows.values() for fellow in fellows]
        return [*self.todo, *others, *(graded.submission for graded in self.ready)]

    def with_team(self, done: Iterable[Graded]) -> Iterator[Graded]:
        """Yield each result when it is done, followed by its copies for the other members of the team."""
        yield from self.ready
        for graded in done:
            yield graded
            for fellow in self.fellows.get(graded.submission, ()):
                yield _for_member(fellow, graded.record, graded.notebook)


def share_out(came: Attempts, todo: Iterable[Submission], kept: Kept, run: Run) -> Shared:
    """Sort the files of a run into those that have to be run and those whose result another member's file gives.

    Parameters
    ----------
    came : Attempts
        What was handed in, with the teams of the class.
    todo : iterable of Submission
        Files that this run has to grade.
    kept : Kept
        Stored records, by notebook and student.
    run : Run
    """
    shared = Shared()
    leaders: dict[tuple[object, ...], Submission] = {}
    for submission in todo:
        team = came.team(submission)
        if team is None or not came.digest(submission):
            shared.todo.append(submission)
            continue
        key = (team, submission.topic, came.digest(submission), _seed_of(submission, kept) if run.same_seeds else 0)
        if key in leaders:
            shared.fellows.setdefault(leaders[key], []).append(submission)
            continue
        graded = None if run.force or run.exercise else _graded_before(came, submission, team.members, kept)
        if graded is not None:
            shared.ready.append(graded)
        else:
            leaders[key] = submission
            shared.todo.append(submission)
    return shared


def _seed_of(submission: Submission, kept: Kept) -> int:
    record = kept.get((submission.topic, submission.student))
    return record.seed if record else 0


def _graded_before(came: Attempts, submission: Submission, members: Iterable[str], kept: Kept) -> Graded | None:
    """Return the result of the same file of another member, under the same checks and points, if there is one."""
    for member in members:
        record = kept.get((submission.topic, member))
        if member == submission.student or record is None or record.status != "graded":
            continue
        same = record.submission == came.digest(submission) and record.check == check_version(submission.topic)
        if same and record.terms == came.course.terms_of(submission.topic, record.students).stamp:
            path = came.classroom.autograded(Submission(member, submission.topic, submission.folder))
            if path.is_file():
                return _for_member(submission, record, path.read_bytes())
    return None


def _for_member(submission: Submission, record: GradeRecord, notebook: bytes) -> Graded:
    fresh = msgspec.structs.replace(
        record,
        student=submission.student,
        stored=True,
        reason=record.reason if record.status != "graded" else "",
        others=[],
        late=0.0,
        penalty=0.0,
    )
    return Graded(submission, fresh, notebook)
