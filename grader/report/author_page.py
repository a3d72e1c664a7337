"""What a class shows of the exercises, for the author of the next version: no names, no answers, one row for each exercise."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from embedding_course.exercises.index import Entry, entries
from embedding_course.subject.lessons import lesson

from ..classroom import records
from ..classroom.class_folder import Classroom, now
from ..classroom.grade_record import GradeRecord
from ..classroom.policy.course import Course, load_course
from .discrimination import Discrimination, discriminations
from .exercises import ExerciseLine, by_failure
from .pages import environment, write_page
from .tries import Practice, practice_of

FILE = "reports/exercises.html"
_MISTAKES = 3
#: Fewer submissions say too little about an exercise to change it.
_MIN_SUBMISSIONS = 10


@dataclass(frozen=True)
class Median:
    """The median of some numbers, with the quartiles if there are at least four."""

    count: int
    middle: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class AuthorLine:
    """One exercise: how it went, and what its author may want to change.

    Attributes
    ----------
    exercise, went : Entry, ExerciseLine
    share : float
        The mean share of its points.
    discrimination : Discrimination or None
        None for extra credit, which only some try.
    tries, minutes : Median or None
        From the progress files that were handed in.
    mistakes : sequence of (str, int)
        What the most frequent mistakes were called, and how many made them.
    unnamed : int
        How many wrong answers no known mistake explains.
    hints : sequence of str
        Sentences on what to look at.
    """

    exercise: Entry
    went: ExerciseLine
    share: float
    discrimination: Discrimination | None
    tries: Median | None
    minutes: Median | None
    mistakes: Sequence[tuple[str, int]]
    unnamed: int
    hints: Sequence[str]


def median_of(values: Sequence[float]) -> Median | None:
    """Return the median with its quartiles; None of no numbers.

    >>> median_of([1, 2, 9])
    Median(count=3, middle=2, low=None, high=None)
    """
    if not values:
        return None
    if len(values) < 4:
        return Median(len(values), statistics.median(values))
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return Median(len(values), middle, low, high)


def author_lines(graded: Sequence[GradeRecord], practice: Sequence[Practice]) -> list[AuthorLine]:
    """Return a line for each exercise that was graded, in the order of the course."""
    pairs = [(record.student, result) for record in graded for result in record.results]
    went = {line.id: line for line in by_failure(pairs)}
    known = {line.exercise: line for line in discriminations(graded)}
    lines = []
    for name, exercise in entries().items():
        if name not in went:
            continue
        results = [result for _, result in pairs if result.exercise == name and result.status != "our fault"]
        wrong = [result for result in results if not result.passed and result.status in ("wrong", "partly")]
        named = Counter(result.mistake for result in wrong if result.mistake)
        share = statistics.fmean(result.score / result.max_score for result in results if result.max_score)
        tries = median_of([student.tries[name] for student in practice if name in student.tries])
        minutes = median_of([student.seconds[name] / 60 for student in practice if name in student.seconds])
        unnamed = sum(not result.mistake for result in wrong)
        line = AuthorLine(
            exercise, went[name], share, known.get(name), tries, minutes, named.most_common(_MISTAKES), unnamed, ()
        )
        lines.append(_with_hints(line))
    return lines


def _with_hints(line: AuthorLine) -> AuthorLine:
    hints, count = [], line.went.count
    if count >= _MIN_SUBMISSIONS:
        if line.went.share("passed") >= 0.98:
            hints.append("Nearly everybody has it right: it may teach little, or be a step that others need.")
        if line.went.share("not attempted") >= 0.3:
            hints.append("Three in ten or more did not try it: is the task understood, is there time?")
        if line.discrimination and line.discrimination.value is not None and line.discrimination.high < 0:
            hints.append("Those who do well elsewhere do worse here: look at the task and at its check.")
        if line.unnamed >= max(3, 0.3 * count):
            hints.append("Many wrong answers have no name: grader report shows them, and grader mistake add names one.")
    if line.minutes and line.minutes.count >= _MIN_SUBMISSIONS and line.minutes.middle > 1.5 * line.exercise.minutes:
        hints.append(f"It takes longer than the {line.exercise.minutes} minutes that it declares.")
    return replace(line, hints=hints)


def write_author_page(home: Path, db: str = "", course: Course | None = None) -> Path:
    """Write `reports/exercises.html`, and return its path.

    Parameters
    ----------
    home : Path
        Folder of the class.
    db : str, optional
        Address of the gradebook.
    course : Course, optional
        The course.toml of the class, if the caller has read it.

    Raises
    ------
    LookupError
        If nothing was graded.
    """
    classroom, course = Classroom(home, db), course or load_course(home)
    graded = [record for record in records.load_all(home) if record.topic in course.topics and record.status == "graded"]
    if not graded:
        raise LookupError("Nothing was graded yet: run `grader grade` first.")
    students = sorted({record.student for record in graded})
    lines = author_lines(graded, list(practice_of(classroom, students, course.topics)))
    write_page(home / FILE, render_author_page(lines, len(students), now()[:10]))
    return home / FILE


def render_author_page(lines: Sequence[AuthorLine], students: int, made_at: str) -> str:
    """Return the page as HTML."""
    topics = sorted({lesson(line.exercise.id[:2]).topic for line in lines})
    by_topic = {topic: [line for line in lines if line.exercise.id[:2] == topic[:2]] for topic in topics}
    template = environment().get_template("author_page.html.j2")
    return template.render(by_topic=by_topic, lesson=lesson, students=students, made_at=made_at)
