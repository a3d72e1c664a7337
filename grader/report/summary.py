"""The numbers of a class report, counted from its records."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from embedding_course.checking.result import Result

from ..classroom.grade_record import GradeRecord
from ..classroom.requests import Request
from .by_hand import ByHand
from .discrimination import MIN_FOR_CONFIDENCE, Discrimination, discriminations
from .dot_strip import shares_by_notebook
from .doubtful import Cluster, clusters_of
from .exercises import ExerciseLine, by_failure
from .sections import Comparison
from .talk import Talk, who_to_talk_to
from .teach import TeachAgain, lessons_to_repeat
from .tries import TriesLine, tries_table

_ENDED = ("crashed", "timed out", "out of memory", "flooded")
#: What is taught again after one notebook, and after several.
_LESSONS, _LESSONS_OF_SEVERAL = 3, 6


@dataclass
class MistakeLine:
    """A mistake that was recognised, and who made it."""

    exercise: str
    slug: str
    diagnosis: str
    next_step: str
    students: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Waiting:
    """What waits for a person, and what students wrote and handed in: beside the records all that a report is made of.

    `absent` are (student, notebook) from whom nothing came and whose time is over, `ungraded` those whose file no record is
    about yet.
    """

    by_hand: Sequence[ByHand] = ()
    requests: Sequence[Request] = ()
    tries: Sequence[Mapping[str, int]] = ()
    listed: Sequence[str] = ()
    not_due: Collection[tuple[str, str]] = ()
    absent: Sequence[tuple[str, str]] = ()
    ungraded: Sequence[tuple[str, str]] = ()


@dataclass
class Summary:
    """All that the page shows of the notebooks `topics`. `records` are those of the whole class, `here` those of `topics`."""

    topics: Sequence[str]
    records: Sequence[GradeRecord]
    here: Sequence[GradeRecord]
    talk: Talk
    lessons: Sequence[TeachAgain]
    clusters: Sequence[Cluster]
    exercises: Sequence[ExerciseLine]
    mistakes: Sequence[MistakeLine]
    ended: Sequence[tuple[str, Result]]
    our_faults: Sequence[tuple[str, Result]]
    discriminations: Sequence[Discrimination]
    shares: Mapping[str, Mapping[str, float]]
    tries: Sequence[TriesLine]
    waiting: Waiting
    comparison: Comparison | None = None

    @property
    def students(self) -> list[str]:
        """Return the students with a record in these notebooks, sorted."""
        return sorted({record.student for record in self.here})

    @property
    def absent(self) -> list[tuple[str, list[str]]]:
        """Return for each notebook the students from whom nothing came although it is due."""
        absences = [(topic, [student for student, of in self.waiting.absent if of == topic]) for topic in self.topics]
        return [(topic, students) for topic, students in absences if students]

    @property
    def several(self) -> list[GradeRecord]:
        """Return the records of students from whom more than one file came."""
        return [record for record in self.here if record.others]

    @property
    def graded(self) -> list[GradeRecord]:
        """Return the records of graded submissions."""
        return [record for record in self.here if record.status == "graded"]

    @property
    def unreadable(self) -> list[GradeRecord]:
        """Return the records of submissions that could not be read."""
        return [record for record in self.here if record.status == "unreadable"]

    @property
    def failed(self) -> list[GradeRecord]:
        """Return the submissions over which the grader itself failed: a person has to grade them."""
        return [record for record in self.here if record.status == "failed"]

    @property
    def remarks(self) -> list[GradeRecord]:
        """Return the records of graded submissions that carry notes."""
        return [record for record in self.graded if record.notes]

    @property
    def left_out(self) -> list[ExerciseLine]:
        """Return the core exercises that three in ten or more did not attempt."""
        return [line for line in self.exercises if line.core and line.count > 3 and line.share("not attempted") >= 0.3]

    @property
    def against_the_rest(self) -> list[Discrimination]:
        """Return the exercises that students who are right elsewhere get wrong, if the class is large enough."""
        return [
            line
            for line in self.discriminations
            if line.count >= MIN_FOR_CONFIDENCE and line.value is not None and line.high < 0
        ]

    @property
    def few(self) -> bool:
        """Return True if there are so few submissions that correlations say little."""
        return any(line.count < MIN_FOR_CONFIDENCE for line in self.discriminations)


def summarise(
    records: Sequence[GradeRecord],
    topics: Sequence[str] = (),
    waiting: Waiting | None = None,
    only: Collection[str] | None = None,
) -> Summary:
    """Return the summary of some notebooks of a class.

    Parameters
    ----------
    records : sequence of GradeRecord
        All records of the class.
    topics : sequence of str, optional
        Names of the notebooks; all if empty.
    waiting : Waiting, optional
        What waits in the class; by default nothing.
    only : collection of str, optional
        Ids of the students whom the summary is about, say those of a section; all by default. `waiting` is about them alone.

    Raises
    ------
    LookupError
        If there is nothing to count.
    """
    if not records:
        raise LookupError("Nothing was graded yet: run `grader grade` first.")
    waiting = waiting or Waiting()
    topics = sorted(topics or {record.topic for record in records})
    klass = records
    records = [record for record in klass if only is None or record.student in only]
    here = [record for record in records if record.topic in topics]
    graded = [record for record in here if record.status == "graded"]
    pairs = [(record.student, result) for record in graded for result in record.results]
    once = [(record.student, result) for record in once_a_team(graded) for result in record.results]
    return Summary(
        topics=topics,
        records=records,
        here=here,
        talk=who_to_talk_to(klass, topics, waiting.listed, waiting.not_due, only),
        lessons=lessons_to_repeat(once, _LESSONS if len(topics) == 1 else _LESSONS_OF_SEVERAL),
        clusters=clusters_of(once),
        exercises=by_failure(pairs),
        mistakes=_mistakes(pairs),
        ended=[pair for pair in pairs if pair[1].status in _ENDED],
        our_faults=[pair for pair in pairs if pair[1].status == "our fault"],
        discriminations=discriminations(graded),
        shares=shares_by_notebook(records),
        tries=tries_table(waiting.tries, topics),
        waiting=waiting,
    )


def once_a_team(graded: Sequence[GradeRecord]) -> list[GradeRecord]:
    """Return the records with equal files of one team taken once, because equal results within a team say nothing."""
    seen: set[tuple[str, str, str]] = set()
    distinct_records = []
    for record in graded:
        key = (record.team, record.topic, record.submission)
        if not record.team or key not in seen:
            distinct_records.append(record)
        seen.add(key)
    return distinct_records


def _mistakes(pairs: Sequence[tuple[str, Result]]) -> list[MistakeLine]:
    lines: dict[tuple[str, str], MistakeLine] = {}
    for student, result in pairs:
        if result.mistake:
            fresh = MistakeLine(result.exercise, result.mistake, result.diagnosis, result.next_step)
            lines.setdefault((result.exercise, result.mistake), fresh).students.append(student)
    return sorted(lines.values(), key=lambda line: (-len(line.students), line.exercise, line.slug))
