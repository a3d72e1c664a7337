"""Grade a class as submissions arrive, one at a time. Records alone say what is done, so a restart repeats nothing."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..classroom import records
from ..classroom.attempts import Attempts
from ..classroom.class_folder import Classroom, Submission
from ..classroom.policy.course import load_course
from ..engine.fork_server import Learners
from .grade_class import grade_class
from .run import Run
from .submission_task import Graded
from .to_grade import waiting

#: Seconds for which a file must have been left alone: somebody may be copying it still.
_STILL = 2.0


@dataclass(frozen=True)
class Watch:
    """The notebooks of a class that are watched.

    `learners` stay open from one submission to the next. `run` has a seed that is the same for everybody who is graded while
    the watch lasts.
    """

    classroom: Classroom
    topics: Sequence[str]
    run: Run
    learners: Learners

    def round(self) -> Iterator[Graded]:
        """Grade what waits now, the earliest first, and yield each submission when its record is written.

        Course.toml is read anew, so that a deadline that was moved counts. Raises what `grade_class` does; between two
        submissions nobody is kept from writing to the class.
        """
        course, kept = load_course(self.classroom.home), records.by_submission(self.classroom.home)
        todo = [
            candidate
            for candidate in waiting(Attempts(self.classroom, course), self.topics, self.run, kept)
            if _is_still(candidate)
        ]
        for submission in sorted(todo, key=_came):
            alone = replace(self.run, student=submission.student, workers=1)
            yield from grade_class(self.classroom, [submission.topic], alone, self.learners, course)
        mine = [record for record in kept.values() if record.topic in self.topics]
        settled = all(record.stored and record.terms == course.terms_of(record.topic, record.students).stamp for record in mine)
        if not todo and not settled:  # the gradebook may be there again, or the class counts by other points
            yield from grade_class(self.classroom, self.topics, replace(self.run, students=()), self.learners, course)


def _is_still(submission: Submission) -> bool:
    return time.time() - _changed(submission) >= _STILL


def _came(submission: Submission) -> tuple[float, str, str]:
    return _changed(submission), submission.student, submission.topic


def _changed(submission: Submission) -> float:
    """Return when the file last changed, in seconds; of the folder if there is no file, and 0 if there is no folder either."""
    for path in (submission.path, submission.folder):
        try:
            return path.lstat().st_ctime
        except OSError:
            continue
    return 0.0
