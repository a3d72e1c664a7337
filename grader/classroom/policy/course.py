"""A class's course.toml, read and resolved: every name is one that exists, every deadline a moment."""

import os
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from embedding_course.exercises.index import entries_of
from embedding_course.messages import ENGLISH, languages
from embedding_course.subject.errors import closest
from embedding_course.subject.lessons import LESSONS

from ..overrides import Override, concerning, read_overrides
from ..roster import Person, Roster, folded, join_rosters, read_roster
from .deadlines import moment, zone
from .lateness import Late, Lateness
from .marking import Allotment, allotments_of
from .points import Terms
from .rubrics import RubricLine, rubrics_of
from .teams import Team, teams_of
from .term import Term, term_of
from .toml_file import FILE, CourseFile, Extension, WrongCourse, read_file, shown

_WRITTEN = "written"
#: Projects that a class may count.
_PROJECTS = ("search_engine",)
#: The entry of [projects] that names the class's own hidden queries.
_QUERIES = "queries"
#: Which of several submissions of one student counts.
_MENDED = ("count", "zero")
_ATTEMPT_RULES = ("best", "last", "last on time")


@dataclass(frozen=True)
class Course:
    """What a class decided. Without a course.toml: all notebooks as they are, no deadlines.

    `language` is that of verdicts and pages for whose notebook names none.
    `deadlines` and `extensions` are moments in UTC; `students` is the list that the file gives, in its order.
    `python` is the path of the Python that runs learners' cells, empty for the grader's own.
    `queries` is the file with the class's own hidden queries for its project.
    `attempt_rule` says which of several submissions of one student counts; only the first `most_attempts` may count, or all of
    them if that is None.
    `names_shown` says whether those who mark written answers see names, `second_share` which share of the answers a second
    person marks, `allotments` who marks which, and `rubrics` holds the class's own rubrics by notebook.
    `term` says how the grade of the term is made, and `excused` holds pairs of student and notebook that it leaves out.
    `rosters` are the CSV files that list the students, and `sections` the section of all students of such a file.
    A notebook counts at most `most_extra` points more than its maximum, or any number if that is None.
    `canvas` is the number of the class's course in Canvas.
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
    _once(topics, "notebooks")
    here = zone(settings.timezone) if settings.timezone else None
    deadlines = {}
    for name, value in settings.deadlines.items():
        topic = _topic(name, "deadlines", topics)
        if topic in deadlines:
            raise WrongCourse(f"deadlines: {topic} has two deadlines.")
        deadlines[topic] = moment(value, f"deadlines.{name}", here)
    _once(settings.students, "students")
    rosters = _rosters(settings, home)
    extensions = _extensions(settings, topics, deadlines, here)
    return Course(
        topics=tuple(sorted(topics)),
        name=settings.name,
        language=_language(settings.language),
        zone=here or UTC,
        students=tuple(settings.students),
        rosters=rosters,
        sections=_sections(settings, home, rosters),
        terms=_terms(settings, topics),
        deadlines=deadlines,
        extensions=extensions,
        late=settings.late,
        projects=_projects(settings.projects),
        queries=_queries(settings.projects, home),
        python=_python(settings.learners.python, home),
        teams=teams_of(settings.teams, settings.students),
        attempt_rule=_attempt_rule(settings.attempts.score),
        most_attempts=settings.attempts.most,
        names_shown=settings.marking.names,
        second_share=settings.marking.second / 100,
        allotments=allotments_of(settings, lambda name, key: _topic(name, key, topics)),
        rubrics=rubrics_of(dict(_flat(settings.rubrics)), topics),
        term=term_of(settings, tuple(sorted(topics)), tuple(_projects(settings.projects))),
        most_extra=settings.extra.most if settings.extra else None,
        excused=_excused(settings, topics),
        canvas=settings.canvas.course if settings.canvas else None,
    )


def _rosters(settings: CourseFile, home: Path) -> tuple[Path, ...]:
    names = [settings.roster] if isinstance(settings.roster, str) else settings.roster
    _once(names, "roster")
    for name in names:
        if name and not (home / name).is_file():
            raise WrongCourse(f"roster = {shown(name)}: there is no such file in {home}.")
    return tuple(home / name for name in names if name)


def _sections(settings: CourseFile, home: Path, rosters: tuple[Path, ...]) -> dict[Path, str]:
    """Return the section of the students of each file that `[sections]` names."""
    sections = {}
    for name, section in _flat(settings.sections):  # monday.csv without quotation marks is a nested table
        if home / name not in rosters:
            listed = [path.relative_to(home).as_posix() for path in rosters if path.is_relative_to(home)]
            suggestion = f"; {closest(name, listed)}" if listed else ": name the file there first."
            raise WrongCourse(f"sections: {shown(name)} is not among the files of roster{suggestion}")
        if not isinstance(section, str) or not section.strip():
            raise WrongCourse(f"sections.{shown(name)} = {shown(section)}: this has to be a section's name in quotation marks.")
        sections[home / name] = " ".join(section.split())
    return sections


def _excused(settings: CourseFile, topics: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    excused = set()
    for number, entry in enumerate(settings.excused, 1):
        key = f"excused, number {number}"
        if settings.students and entry.student not in settings.students:
            raise WrongCourse(f"{key}: there is no student {shown(entry.student)}; {closest(entry.student, settings.students)}")
        excused.add((entry.student, _topic(entry.notebook, key, topics)))
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


def _language(code: str) -> str:
    if code not in languages():
        raise WrongCourse(f"language = {shown(code)}: it has to be one of {', '.join(map(shown, languages()))}.")
    return code


def _attempt_rule(rule: str) -> str:
    if rule not in _ATTEMPT_RULES:
        raise WrongCourse(f"attempts.score = {shown(rule)}: it has to be one of {', '.join(map(shown, _ATTEMPT_RULES))}.")
    return rule


def _once(names: Any, key: str) -> None:
    twice = next((name for name in names if list(names).count(name) > 1), None)
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


def _terms(settings: CourseFile, topics: tuple[str, ...]) -> dict[str, Terms]:
    known = {exercise.id: exercise for topic in topics for exercise in entries_of(topic)}
    worth = dict(_flat(settings.points))
    for name, value in worth.items():
        _exercise(name, "points", known)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1000:
            raise WrongCourse(
                f'points."{name}" = {shown(value)}: points are a number above 0 and up to 1000'
                + ("; an exercise that is not to count belongs into drop." if value in (0, False) else ".")
            )
    for key in ("drop", "core", "further"):
        for name in getattr(settings, key):
            if not _exercise(name, key, known):
                raise WrongCourse(f"{key}: {shown(name)} is a written answer; only its points can be changed.")
    both = set(settings.core) & set(settings.further) or set(settings.drop) & {*settings.core, *settings.further, *worth}
    if both:
        raise WrongCourse(f"{min(both)} stands in two of core, further, drop and points; only one of them can hold.")
    if settings.answers.mended not in _MENDED:
        raise WrongCourse(
            f"answers.mended = {shown(settings.answers.mended)}: it has to be {' or '.join(map(shown, _MENDED))}."
        )
    terms = {}
    for topic in topics:
        start = f"{topic[:2]}."
        core = {name: True for name in settings.core} | {name: False for name in settings.further}
        terms[topic] = Terms(
            points={name: float(value) for name, value in worth.items() if name in known and name.startswith(start)},
            core={name: is_core for name, is_core in core.items() if name.startswith(start) and known[name].core != is_core},
            dropped=frozenset(name for name in settings.drop if name.startswith(start)),
            written=float(worth[start + _WRITTEN]) if start + _WRITTEN in worth else None,
            mended_count=settings.answers.mended == "count",
        )
    return terms


def _flat(table: Mapping[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """Return the values of nested tables by their full dotted names.

    `01.one_hot = 4` without quotation marks is a nested table in TOML, and means the same as with them.
    """
    flat_items: list[tuple[str, Any]] = []
    for name, value in table.items():
        flat_items += _flat(value, f"{before}{name}.") if isinstance(value, dict) else [(before + name, value)]
    return flat_items


def _exercise(name: str, key: str, known: Mapping[str, Any]) -> bool:
    """Return True if the name is an exercise of this class, and False if it is a written answer.

    Raises
    ------
    WrongCourse
        If it is neither.
    """
    if name in known:
        return True
    numbers = {candidate.split(".")[0] for candidate in known}
    if name.removesuffix(f".{_WRITTEN}") in numbers:
        return False
    number = name.split(".")[0]
    if number not in numbers and any(number == candidate.number for candidate in LESSONS):
        raise WrongCourse(f"{key}: {shown(name)} belongs to a notebook that is not among those of this class.")
    near = [candidate for candidate in known if candidate.startswith(f"{number}.")] or list(known)
    raise WrongCourse(f"{key}: there is no exercise {shown(name)}; {closest(name, [*near, f'{near[0][:2]}.{_WRITTEN}'])}")


def _extensions(
    settings: CourseFile, topics: tuple[str, ...], deadlines: Mapping[str, datetime], here: Any
) -> dict[tuple[str, str], datetime]:
    granted: dict[tuple[str, str], datetime] = {}
    for number, extension in enumerate(settings.extensions, 1):
        key = f"extensions, number {number}"
        if settings.students and extension.student not in settings.students:
            raise WrongCourse(
                f"{key}: there is no student {shown(extension.student)}; {closest(extension.student, settings.students)}"
            )
        chosen = [_topic(extension.notebook, key, topics)] if extension.notebook else sorted(deadlines)
        if not chosen:
            raise WrongCourse(f"{key}: there is no deadline that could be extended.")
        for topic in chosen:
            if topic not in deadlines:
                raise WrongCourse(f"{key}: {topic} has no deadline that could be extended.")
            if (extension.student, topic) in granted:
                raise WrongCourse(f"{key}: {extension.student} has two extensions for {topic}.")
            granted[extension.student, topic] = _until(extension, key, deadlines[topic], here)
    return granted


def _until(extension: Extension, key: str, due: datetime, here: Any) -> datetime:
    longer = timedelta(days=extension.days, hours=extension.hours)
    if (extension.until is None) == (not longer):
        raise WrongCourse(f'{key}: say either until = "2026-03-05 23:59", or days (and hours) = how much longer.')
    until = moment(extension.until, f"{key}, until", here) if extension.until is not None else due + longer
    if until <= due:
        raise WrongCourse(f"{key}: it ends at {until:%Y-%m-%d %H:%M} UTC, which is not after the deadline.")
    return until


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
