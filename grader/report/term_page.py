"""Make the report of a term: who falls behind over the weeks, how sections and notebooks went."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from embedding_course.subject.lessons import lesson

from ..classroom import records
from ..classroom.class_folder import Classroom
from ..classroom.export.term_column import read_term
from ..classroom.grade_record import GradeRecord
from ..classroom.policy.course import Course, load_course
from ..classroom.policy.term import TermGrade
from ..classroom.pseudonyms import Key
from ..classroom.roster import Roster, folder_name
from ..classroom.sections import find_section, sections_of
from .anonymous import anonymous_records, anonymous_waiting
from .class_page import roster_of, waiting_in
from .dot_strip import shares_by_notebook, strip
from .exercises import by_failure
from .falling import TermLine, term_lines
from .names import Names
from .number_text import today
from .pages import environment, write_page
from .sections import MIN_UNITS, Comparison, compare_sections
from .summary import once_a_team
from .teach import TeachAgain, lessons_to_repeat
from .trend import trend

#: How many students who fall behind are shown; the others are folded.
_MAX_SHOWN = 20


@dataclass(frozen=True)
class NotebookLine:
    """How one notebook went: counts, quartiles of the shares, the most difficult exercise, the commonest mistake."""

    topic: str
    graded: int
    missing: int
    unreadable: int
    late: int
    quartiles: tuple[float, float, float] | None
    hardest: str
    hardest_share: float
    mistake: TeachAgain | None

    @property
    def title(self) -> str:
        """Return the title of the notebook's lesson."""
        return str(lesson(self.topic).title)


@dataclass(frozen=True)
class TermReport:
    """All that the page of a term shows.

    `lines` are all students of the page, `section_means` the mean share by section and notebook where enough was graded.
    """

    topics: Sequence[str]
    lines: Sequence[TermLine]
    notebooks: Sequence[NotebookLine]
    medians: Mapping[str, float]
    shares: Mapping[str, Mapping[str, float]]
    comparison: Comparison | None
    section_means: Mapping[str, Mapping[str, float]]
    grades: Mapping[str, TermGrade]

    @property
    def behind(self) -> list[TermLine]:
        """Return those who fall behind, for the strongest reasons first."""
        return [line for line in self.lines if line.reasons]


def notebook_lines(
    class_records: Sequence[GradeRecord], lines: Sequence[TermLine], topics: Sequence[str]
) -> list[NotebookLine]:
    """Return the summary of each notebook."""
    summaries = []
    for topic in topics:
        here = [record for record in class_records if record.topic == topic]
        graded = [record for record in here if record.status == "graded"]
        pairs = [(record.student, result) for record in graded for result in record.results]
        once = [(record.student, result) for record in once_a_team(graded) for result in record.results]
        shares = [record.score / record.max_score for record in graded if record.max_score]
        quarters = statistics.quantiles(shares, n=4, method="inclusive") if len(shares) > 1 else shares * 3
        hardest = next((line for line in by_failure(pairs) if line.core), None)
        states = Counter(line.states[topic] for line in lines)
        summaries.append(
            NotebookLine(
                topic,
                len(graded),
                states["missing"],
                states["unreadable"],
                sum(record.late > 0 for record in graded),
                (quarters[0], quarters[1], quarters[2]) if quarters else None,
                hardest.title if hardest else "",
                hardest.share("passed") if hardest else 0.0,
                next(iter(lessons_to_repeat(once, 1)), None),
            )
        )
    return summaries


def _section_means(shares: Mapping[str, Mapping[str, float]], members: Mapping[str, list[str]]) -> dict[str, dict[str, float]]:
    means: dict[str, dict[str, float]] = {}
    for section, students in members.items():
        for topic, theirs in shares.items():
            values = [theirs[student] for student in students if student in theirs]
            if len(values) >= MIN_UNITS:
                means.setdefault(section, {})[topic] = statistics.fmean(values)
    return means


def _compared(
    class_records: Sequence[GradeRecord], shares: Mapping[str, Mapping[str, float]], members: Mapping[str, list[str]]
) -> Comparison | None:
    """Return the comparison of the sections by each student's mean share, or None if there is only one."""
    if len(members) < 2:
        return None
    by_student: dict[str, list[float]] = {}
    for theirs in shares.values():
        for student, share in theirs.items():
            by_student.setdefault(student, []).append(share)
    means = {student: statistics.fmean(values) for student, values in by_student.items()}
    return compare_sections(means, members, {record.student: record.team for record in class_records if record.team})


def render_term(
    report: TermReport, made_at: str, anonymous: bool = False, names: Names | None = None, section: str = ""
) -> str:
    """Return the page as one complete HTML document, in which everything that students wrote is escaped.

    Parameters
    ----------
    report : TermReport
    made_at : str
        Date and time of the page; "" in an anonymous one.
    anonymous : bool, optional
        True if the report names students by pseudonyms.
    names : Names, optional
        Names and addresses of the students; by default only ids.
    section : str, optional
        The section that the page is about.
    """
    names = names or Names()
    behind = report.behind
    facts: dict[str, Any] = {
        "report": report,
        "behind": behind,
        "most_open": _MAX_SHOWN,
        "made_at": made_at,
        "anonymous": anonymous,
        "section": section,
        "addresses": {line.student: names.email(line.student) for line in behind},
        "strip": Markup(strip(report.shares, (), [line.student for line in behind[:_MAX_SHOWN]], names)),
        "picture": lambda line: Markup(trend(line, report.topics, report.medians, names(line.student))),
        "everybody": sorted(report.lines, key=lambda line: names(line.student).casefold()),
    }
    return environment(names).get_template("term_page.html.j2").render(**facts).lstrip()


def write_term(home: Path, db: str = "", anonymous: bool = False, course: Course | None = None, section: str = "") -> Path:
    """Write the report of the term and return its path in `reports/`.

    The file is term_report.html, with the name of the section and `_anonymous` before the ending where they are asked for.

    Parameters
    ----------
    home : Path
        Folder of the class.
    db : str, optional
        Address of the gradebook; gradebook.db in the folder by default.
    anonymous : bool, optional
        True for pseudonyms in place of names.
    course : Course, optional
        The course.toml of the class, if the caller has read it.
    section : str, optional
        The section that the page is about; by default the whole class.

    Raises
    ------
    LookupError
        If nothing was graded.
    ValueError
        If the key of the pseudonyms cannot be read.
    UserError
        If there is no such section.
    """
    classroom, course = Classroom(home, db), course or load_course(home)
    roster = roster_of(course)
    section, only = find_section(roster, section) if section else ("", None)
    class_records = [record for record in records.load_all(home) if record.topic in course.topics]
    topics = sorted({record.topic for record in class_records})
    if not topics:
        raise LookupError("Nothing was graded yet: run `grader grade` first.")
    listed = [person.id for person in roster.people]
    waiting = waiting_in(classroom, course, class_records, topics, listed)
    grades, members, names = _grades(classroom, course, roster), sections_of(roster), Names(roster)
    comparison = None if section else _compared(class_records, shares_by_notebook(class_records), members)
    if anonymous:
        key = Key(home)
        key.learn({record.student for record in class_records} | {*listed} | {*grades})
        class_records, waiting = anonymous_records(class_records, key), anonymous_waiting(waiting, key)
        grades = {key.pseudonym(student): grade for student, grade in grades.items()}
        members = {name: [key.pseudonym(student) for student in students] for name, students in members.items()}
        only, names = only and frozenset(map(key.pseudonym, only)), Names()
    report = _report(class_records, topics, waiting.listed, waiting.not_due, members if comparison else {}, grades, only)
    ending = f"_{folder_name(section)}" if section else ""
    page = home / "reports" / f"term_report{ending}{'_anonymous' if anonymous else ''}.html"
    text = render_term(
        replace(report, comparison=comparison), "" if anonymous else today(course.zone), anonymous, names, section
    )
    write_page(page, text)
    return page


def _report(
    class_records: Sequence[GradeRecord],
    topics: Sequence[str],
    listed: Sequence[str],
    not_due: Collection[tuple[str, str]],
    members: Mapping[str, list[str]],
    grades: Mapping[str, TermGrade],
    only: Collection[str] | None,
) -> TermReport:
    lines = [line for line in term_lines(class_records, topics, listed, not_due) if only is None or line.student in only]
    class_shares = shares_by_notebook(class_records)
    medians = {topic: statistics.median(theirs.values()) for topic, theirs in class_shares.items()}
    here = [record for record in class_records if only is None or record.student in only]
    return TermReport(
        topics,
        lines,
        notebook_lines(here, lines, topics),
        medians,
        shares_by_notebook(here),
        None,
        _section_means(class_shares, members),
        grades,
    )


def _grades(classroom: Classroom, course: Course, roster: Roster) -> dict[str, TermGrade]:
    """Return the grades of the term by student; empty if course.toml has no `[term]`, or no gradebook can be read."""
    from sqlalchemy.exc import SQLAlchemyError

    if course.term is None or not (classroom.db or (classroom.home / "gradebook.db").exists()):
        return {}
    try:
        return read_term(classroom.home, classroom.db_url, course, roster)
    except (SQLAlchemyError, OSError):
        return {}
