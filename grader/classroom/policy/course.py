"""A class's course.toml, read and resolved: every name is one that exists, every deadline a moment."""

import os
import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from embedding_course.messages import ENGLISH, languages
from embedding_course.subject.errors import closest
from embedding_course.subject.lessons import LESSONS

from ..overrides import Override, concerning, read_overrides
from ..roster import Person, Roster, folded, join_rosters, read_roster
from .deadlines import deadlines_of, extensions_of, zone
from .lateness import Late, Lateness
from .marking import Allotment, allotments_of
from .points import Terms, terms_of
from .rubrics import RubricLine, rubrics_of
from .teams import Team, teams_of
from .term import Term, term_of
from .toml_file import FILE, CourseFile, WrongCourse, check_student, chosen, flat, read_file, shown

#: Projects that a class may count.
_PROJECTS = ("search_engine",)
#: The entry of [projects] that names the class's own hidden queries.
_QUERIES = "queries"
#: Which of several submissions of one student counts.
_ATTEMPT_RULES = ("best", "last", "last on time")


@dataclass(frozen=True)
class Course:
    """What a class decided. Without a course.toml: all notebooks as they are, no deadlines.

    Attributes
    ----------
    language
        The language of verdicts and pages where the notebook names none.
    students
        The students that the file lists, in its order.
    rosters, sections
        The CSV files that list the students, and the section of all students of such a file.
    deadlines, extensions
        Moments in UTC by notebook, and by student and notebook.
    python
        The path of the Python that runs learners' cells, empty for the grader's own.
    queries
        The file with the class's own hidden queries for its project.
    attempt_rule, most_attempts
        Which of several submissions of one student counts, and how many may count; None for all.
    names_shown, second_share
        Whether those who mark written answers see names, and which share of the answers a second person marks.
    allotments, rubrics
        Who marks which written answers, and the class's own rubrics by notebook.
    term, excused
        How the grade of the term is made, and the pairs of student and notebook that it leaves out.
    most_extra
        How many points above its maximum a notebook may count; None for any number.
    canvas
        The number of the class's course in Canvas.
    """

    topics: tuple[str, ...]
    name: str = ""
    language: str = ENGLISH
    zone: Any = UTC
    students: tuple[str, ...] = ()
    rosters: tuple[Path, ...] = ()
    sections: Mapping[Path, str] = field(default_factory=dict)
    terms: Mapping[str, Terms] = field(default_factory=dict)
    deadlines: Mapping[str, datetime] = field(default_factory=dict)
    extensions: Mapping[tuple[str, str], datetime] = field(default_factory=dict)
    late: Late = field(default_factory=Late)
    projects: Mapping[str, float] = field(default_factory=dict)
    python: str = ""
    queries: Path | None = None
    teams: tuple[Team, ...] = ()
    attempt_rule: str = "best"
    most_attempts: int | None = None
    overrides: tuple[Override, ...] = ()
    names_shown: bool = True
    second_share: float = 0.0
    allotments: tuple[Allotment, ...] = ()
    rubrics: Mapping[str, tuple[RubricLine, ...]] = field(default_factory=dict)
    term: Term | None = None
    most_extra: float | None = None
    excused: frozenset[tuple[str, str]] = frozenset()
    canvas: int | None = None

    def terms_of(self, topic: str, students: Collection[str] = ()) -> Terms:
        """Return what the class changed in one notebook, and what people decided on a submission of these students."""
        terms = self.terms.get(topic) or Terms()
        overrides = concerning(self.overrides, topic, students) if students else ()
        return replace(terms, overrides=overrides) if overrides else terms

    def team_of(self, student: str) -> Team | None:
        """Return the team of course.toml that a student belongs to."""
        return next((team for team in self.teams if student in team.members), None)

    def due(self, topic: str, student: str) -> datetime | None:
        """Return when this student's notebook is due, in UTC, or None if it never is."""
        return self.extensions.get((student, topic)) or self.deadlines.get(topic)

    def lateness(self, topic: str, student: str, timestamp: datetime | None) -> Lateness | None:
        """Return how late a submission is, or None if it is in time or not known.

        Parameters
        ----------
        topic : str
            Name of the notebook.
        student : str
            Id of the student.
        timestamp : datetime or None
            When the submission was handed in, in UTC without a zone; None if not known.
        """
        due = self.due(topic, student)
        if due is None or timestamp is None:
            return None
        late = timestamp.replace(tzinfo=UTC) - due
        if late <= timedelta(minutes=self.late.grace):
            return None
        return Lateness(due, late, self.late.share(late))


def load_course(home: Path) -> Course:
    """Return what the course.toml in `home` decides, or the defaults if there is no such file.

    Raises
    ------
    WrongCourse
        If the file is wrong. The message says where.
    """
    written = tuple(lesson.topic for lesson in LESSONS if lesson.written)
    settings = read_file(home / FILE)
    course = Course(written) if settings is None else _resolved(settings, home, written)
    return replace(course, overrides=read_overrides(home))


def _resolved(settings: CourseFile, home: Path, written: tuple[str, ...]) -> Course:
    topics = tuple(_topic(name, "notebooks", written) for name in settings.notebooks) or written
    _check_no_repeats(topics, "notebooks")
    home_zone = zone(settings.timezone) if settings.timezone else None

    def topic_named(name: str, key: str) -> str:
        return _topic(name, key, topics)

    deadlines = deadlines_of(settings, topic_named, home_zone)
    _check_no_repeats(settings.students, "students")
    rosters = _rosters(settings, home)
    return Course(
        topics=tuple(sorted(topics)),
        name=settings.name,
        language=chosen(settings.language, languages(), "language"),
        zone=home_zone or UTC,
        students=tuple(settings.students),
        rosters=rosters,
        sections=_sections(settings, home, rosters),
        terms=terms_of(settings, topics),
        deadlines=deadlines,
        extensions=extensions_of(settings, topic_named, deadlines, home_zone),
        late=settings.late,
        projects=_projects(settings.projects),
        queries=_queries(settings.projects, home),
        python=_python(settings.learners.python, home),
        teams=teams_of(settings.teams, settings.students),
        attempt_rule=chosen(settings.attempts.score, _ATTEMPT_RULES, "attempts.score"),
        most_attempts=settings.attempts.most,
        names_shown=settings.marking.names,
        second_share=settings.marking.second / 100,
        allotments=allotments_of(settings, topic_named),
        rubrics=rubrics_of(dict(flat(settings.rubrics)), topics),
        term=term_of(settings, tuple(sorted(topics)), tuple(_projects(settings.projects))),
        most_extra=settings.extra.most if settings.extra else None,
        excused=_excused(settings, topic_named),
        canvas=settings.canvas.course if settings.canvas else None,
    )


def _rosters(settings: CourseFile, home: Path) -> tuple[Path, ...]:
    names = [settings.roster] if isinstance(settings.roster, str) else settings.roster
    _check_no_repeats(names, "roster")
    for name in names:
        if name and not (home / name).is_file():
            raise WrongCourse(f"roster = {shown(name)}: there is no such file in {home}.")
    return tuple(home / name for name in names if name)


def _sections(settings: CourseFile, home: Path, rosters: tuple[Path, ...]) -> dict[Path, str]:
    """Return the section of the students of each file that `[sections]` names."""
    sections = {}
    for name, section in flat(settings.sections):  # monday.csv without quotation marks is a nested table
        if home / name not in rosters:
            listed = [path.relative_to(home).as_posix() for path in rosters if path.is_relative_to(home)]
            suggestion = f"; {closest(name, listed)}" if listed else ": name the file there first."
            raise WrongCourse(f"sections: {shown(name)} is not among the files of roster{suggestion}")
        if not isinstance(section, str) or not section.strip():
            raise WrongCourse(f"sections.{shown(name)} = {shown(section)}: this has to be a section's name in quotation marks.")
        sections[home / name] = " ".join(section.split())
    return sections


def _excused(settings: CourseFile, topic_named: Callable[[str, str], str]) -> frozenset[tuple[str, str]]:
    excused = set()
    for number, excuse in enumerate(settings.excused, 1):
        key = f"excused, number {number}"
        check_student(excuse.student, settings.students, key)
        excused.add((excuse.student, topic_named(excuse.notebook, key)))
    return frozenset(excused)


def _projects(table: Mapping[str, float | str]) -> dict[str, float]:
    worth: dict[str, float] = {}
    for name, points in table.items():
        if name == _QUERIES:
            continue
        if name not in _PROJECTS:
            raise WrongCourse(f"projects: there is no project {shown(name)}; {closest(name, (*_PROJECTS, _QUERIES))}")
        if isinstance(points, str) or not 0 < points <= 1000:
            raise WrongCourse(f"projects.{name} = {shown(points)}: points are a number above 0 and up to 1000.")
        worth[name] = points
    return worth


def _queries(table: Mapping[str, float | str], home: Path) -> Path | None:
    """Return the file with the class's own hidden queries, or None if course.toml names none."""
    named = table.get(_QUERIES)
    if named is None:
        return None
    path = home / named if isinstance(named, str) and named else None
    if path is None or not path.is_file():
        raise WrongCourse(f"projects.{_QUERIES} = {shown(named)}: there is no such file in {home}.")
    return path


def _python(named: str, home: Path) -> str:
    """Return the interpreter's path: a path counts from the class's folder, a bare name is looked up as a shell does."""
    if not named.strip() or "/" not in named:
        return (shutil.which(named) or named) if named.strip() else ""
    return os.path.abspath(home / Path(named).expanduser())  # noqa: PTH100 - a link into a virtual environment stays a link


def _check_no_repeats(names: Sequence[str], key: str) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise WrongCourse(f"{key}: {twice} stands there twice.")


def _topic(name: str, key: str, among: tuple[str, ...]) -> str:
    """Return the notebook called `name`, by number or in full."""
    for topic in among:
        if name == topic or name.zfill(2) == topic[:2]:
            return topic
    if any(name == lesson.topic or name.zfill(2) == lesson.number for lesson in LESSONS):
        raise WrongCourse(f"{key}: {shown(name)} is not among the notebooks of this class ({', '.join(among)}).")
    raise WrongCourse(f"{key}: there is no notebook {shown(name)}; {closest(name, among)}")


def people_of(course: Course, given: Path | None = None) -> Roster:
    """Return the students of a roster and those that course.toml lists.

    The roster is the file `given`, or else the files that course.toml names. The result is empty if there is neither a roster
    nor a list.

    Raises
    ------
    BadRoster
        If a file is no roster, or a student has two sections.
    """
    paths = (given,) if given else course.rosters
    roster = join_rosters({path.name: read_roster(path, course.sections.get(path, "")) for path in paths})
    known = {person.id for person in roster.people}
    listed = [Person(name, frozenset({folded(name)})) for name in course.students]
    return Roster([*roster.people, *(person for person in listed if person.id not in known)], roster.notes)
