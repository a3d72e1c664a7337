"""Make the class report: read what a class has, count, and write the page."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ..classroom import records
from ..classroom.attempts import Attempts, attempts_in_words
from ..classroom.class_folder import Classroom
from ..classroom.grade_record import GradeRecord
from ..classroom.gradebook.ask import ask
from ..classroom.policy.course import Course, load_course, people_of
from ..classroom.policy.lateness import duration
from ..classroom.requests import requests_of
from ..classroom.roster import BadRoster, Roster, folder_name
from ..classroom.sections import find_section, sections_of
from ..classroom.talk_table import TalkRow, update_talk
from .anonymous import Key, anonymous_records, anonymous_waiting
from .answers import Answers
from .by_hand import open_by_hand
from .discrimination import MIN_FOR_CONFIDENCE
from .dot_strip import strip
from .doubtful import with_code
from .names import Names
from .number_text import today
from .pages import FAILURES, environment, swatch, write_page
from .scope import Asked, in_words, topics_asked
from .sections import Comparison, compare_sections
from .standing import standings
from .summary import Summary, Waiting, summarise
from .talk import talk_rows
from .teach import with_examples
from .tries import tries_of


def waiting_in(
    classroom: Classroom,
    course: Course,
    class_records: Sequence[GradeRecord],
    topics: Sequence[str],
    listed: Sequence[str] = (),
    only: Collection[str] | None = None,
) -> Waiting:
    """Return what waits in one class.

    Work to grade by hand is that of all notebooks; everything else is about `topics`.

    Parameters
    ----------
    classroom : Classroom
    course : Course
    class_records : sequence of GradeRecord
        All records of the class.
    topics : sequence of str
        Names of the notebooks on the page.
    listed : sequence of str, optional
        Ids of the students of the roster.
    only : collection of str, optional
        Ids of the students whom the page is about; all by default.
    """
    class_records = [record for record in class_records if only is None or record.student in only]
    listed = [student for student in listed if only is None or student in only]
    students = sorted({record.student for record in class_records} | set(listed))
    moment = datetime.now(UTC)
    not_due = {
        (student, topic)
        for topic in topics
        if topic in course.deadlines
        for student in students
        if (due := course.due(topic, student)) is not None and due > moment
    }
    submissions = Attempts(classroom, course).everybody(topics)
    came = {(submission.student, submission.topic) for submission in submissions if only is None or submission.student in only}
    known = {(record.student, record.topic) for record in class_records}
    absent = [
        (student, topic)
        for topic in topics
        for student in listed
        if (student, topic) not in came | known and (student, topic) not in not_due
    ]
    graded = [record for record in class_records if record.status == "graded"]
    tries = list(tries_of(classroom, students, topics))
    requests = [
        request
        for request in requests_of(classroom, list(topics))
        if request.state == "open" and (only is None or request.student in only)
    ]
    return Waiting(open_by_hand(classroom.db_url, graded), requests, tries, listed, not_due, absent, sorted(came - known))


def roster_of(course: Course) -> Roster:
    """Return those whom roster or course.toml name; grading says what is wrong with a roster that cannot be read."""
    try:
        return people_of(course)
    except BadRoster:
        return Roster()


@dataclass(frozen=True)
class LateLine:
    """One late submission: by how much (empty in the anonymous form), and the points that were taken off."""

    student: str
    topic: str
    late: str
    taken: float
    extended: bool


def handed_in_late(db_url: str, course: Course) -> list[LateLine] | None:
    """Return late submissions by notebook, the latest first.

    Returns None if the class has no deadlines, or no gradebook that can be read.
    """
    if not course.deadlines:
        return None

    def question(book: Any) -> list[LateLine]:
        keyed_lines = []
        known = {str(assignment.name) for assignment in book.assignments}
        for topic in (topic for topic in course.topics if topic in known):
            for row in book.assignment_submissions(topic):
                student = str(row.student_id)
                late = course.lateness(topic, student, row.timestamp)
                if late:
                    extended = (student, topic) in course.extensions
                    line = LateLine(student, topic, duration(late.late), float(row.late_submission_penalty or 0), extended)
                    keyed_lines.append((topic, -late.late, student, line))
        return [line for *_, line in sorted(keyed_lines, key=lambda keyed_line: keyed_line[:3])]

    return ask(db_url, question)


def anonymous_late(lines: Sequence[LateLine], key: Key) -> list[LateLine]:
    """Return late submissions under pseudonyms and without times, which could identify people."""
    key.learn(line.student for line in lines)
    anonymised_lines = [replace(line, student=key.pseudonym(line.student), late="", extended=False) for line in lines]
    return sorted(anonymised_lines, key=lambda line: (line.topic, line.student))


#: How many kinds of unexplained wrong answers are shown with their code.
_CLUSTERS = 3
#: How many people to talk to are shown; the others are folded.
_MAX_SHOWN = 12


@dataclass(frozen=True)
class Who:
    """How a page names people: their names, the section that it is about, and what people noted of whom to talk to, by id."""

    names: Names = field(default_factory=Names)
    section: str = ""
    notes: Mapping[str, TalkRow] = field(default_factory=dict)


def render(
    summary: Summary,
    made_at: str,
    anonymous: bool = False,
    late: Sequence[LateLine] | None = None,
    course: Course | None = None,
    who: Who | None = None,
) -> str:
    """Return the page as one complete HTML document, in which everything that students wrote is escaped.

    `late` is None if nobody can be late.

    Parameters
    ----------
    summary : Summary
    made_at : str
        Date and time of the page; "" in an anonymous one.
    anonymous : bool, optional
        True if `summary` names students by pseudonyms.
    late : sequence of LateLine, optional
        Late submissions; None if nobody can be late.
    course : Course, optional
        Course of the class; by default one with the notebooks of `summary`.
    who : Who, optional
        Names of the students, the section, and what people noted of whom to talk to; by default only ids.
    """
    course, who = course or Course(tuple(summary.topics)), who or Who()
    named = [line.student for line in summary.talk.lines]
    facts: dict[str, Any] = {
        "summary": summary,
        "made_at": made_at,
        "anonymous": anonymous,
        "few": MIN_FOR_CONFIDENCE,
        "late": late,
        "several": [(record, attempts_in_words(record, course)) for record in summary.several],
        "about": in_words(summary.topics),
        "one": len(summary.topics) == 1,
        "strip": Markup(strip(summary.shares, summary.topics, named, who.names)),
        "talk": [(line, who.notes.get(line.student)) for line in summary.talk.lines],
        "section": who.section,
        "most_open": _MAX_SHOWN,
        "day": datetime.now(course.zone).date().isoformat(),
        "legend": [(Markup(swatch(style, words)), words) for _, style, words in FAILURES],
        "shared": [candidate for candidate in summary.clusters if len(candidate.students) > 1][:_CLUSTERS],
    }
    facts["other_clusters"] = [cluster for cluster in summary.clusters if cluster not in facts["shared"]]
    pages = environment(who.names)
    return pages.get_template("class_page.html.j2").render(**facts).lstrip()


def write_report(
    home: Path, db: str = "", anonymous: bool = False, course: Course | None = None, asked: Asked | None = None
) -> Path:
    """Write the class report of the class in `home` and return its path in `reports/`.

    The file is class_report.html, with the name of the section and `_anonymous` before the ending where they are asked for.
    Unless it is anonymous, `reports/talk.csv` is brought up to date as well.

    Parameters
    ----------
    course
        The course.toml of the class, if the caller has read it.

    Raises
    ------
    LookupError
        If nothing that was asked for was graded.
    ValueError
        If the key of the pseudonyms cannot be read.
    UserError
        If there is no such section, or `reports/talk.csv` cannot be read.
    """
    classroom = Classroom(home, db)
    course, asked = course or load_course(home), asked or Asked()
    roster = roster_of(course)
    section, only = find_section(roster, asked.section) if asked.section else ("", None)
    class_records = [record for record in records.load_all(home) if record.topic in course.topics]
    topics = topics_asked(class_records, asked, course.zone)
    waiting = waiting_in(classroom, course, class_records, topics, [person.id for person in roster.people], only)
    late = handed_in_late(classroom.db_url, course)
    late = late and [line for line in late if line.topic in topics and (only is None or line.student in only)]
    comparison = None if section else _compared(roster, class_records, topics)
    answers, who = None if anonymous else Answers(classroom), Who(section=section)
    if anonymous:
        key = Key(home)
        key.learn(
            {record.student for record in class_records} | {*waiting.listed} | {request.student for request in waiting.requests}
        )
        key.learn(only or ())
        class_records, waiting = anonymous_records(class_records, key), anonymous_waiting(waiting, key)
        late = late and anonymous_late(late, key)
        only = only and frozenset(key.pseudonym(student) for student in only)
    summary = replace(summarise(class_records, topics, waiting, only), comparison=comparison)
    if not anonymous:
        names = Names(roster)
        rows = talk_rows(summary.talk, names)
        noted = update_talk(home, rows, in_words(topics), datetime.now(course.zone).date(), only)
        who = Who(names, section, {row.student: row for row in noted})
    ending = f"_{folder_name(section)}" if section else ""
    page = home / "reports" / f"class_report{ending}{'_anonymous' if anonymous else ''}.html"
    text = render(_with_code(summary, answers), "" if anonymous else today(course.zone), anonymous, late, course, who)
    write_page(page, text)
    return page


def _compared(roster: Roster, class_records: Sequence[GradeRecord], topics: Sequence[str]) -> Comparison | None:
    """Return the comparison of the sections by the share of the points in these notebooks, or None if there is only one."""
    members = sections_of(roster)
    if len(members) < 2:
        return None
    shares = {standing.student: standing.share for standing in standings(class_records, topics) if standing.share is not None}
    team_of = {record.student: record.team for record in class_records if record.topic in topics and record.team}
    return compare_sections(shares, members, team_of)


def _with_code(summary: Summary, answers: Answers | None) -> Summary:
    """Add the code of the class if names are shown; an anonymous page has no code, since code tells who wrote it."""
    lessons = with_examples(summary.lessons, answers)
    clusters = with_code(summary.clusters, answers) if answers else summary.clusters
    return replace(summary, lessons=lessons, clusters=clusters)
