"""Read a course.toml. Keys that do not exist and values of the wrong kind become one sentence."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from embedding_course.messages import ENGLISH
from embedding_course.subject.errors import closest

from ...errors import UserError
from .lateness import Late

#: The file in the folder of a class that holds its settings.
FILE = "course.toml"


class WrongCourse(UserError, ValueError):
    """A course.toml that cannot be followed. The message names the key, the value and what is allowed."""

    @property
    def sentence(self) -> str:
        """Return the message with the file's name in front."""
        return f"{FILE}: {self}"


def shown(value: Any) -> str:
    """Return a value nearly as it stands in the file, shortened.

    >>> shown("Asia/Peking"), shown(True), shown(3)
    ('"Asia/Peking"', 'true', '3')
    """
    if isinstance(value, bool):
        return str(value).lower()
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def chosen(value: str, allowed: Sequence[str], key: str) -> str:
    """Return a value of the file, or raise WrongCourse if it is not among those that are allowed."""
    if value not in allowed:
        raise WrongCourse(f"{key} = {shown(value)}: it has to be one of {', '.join(map(shown, allowed))}.")
    return value


def check_student(student: str, students: Sequence[str], key: str) -> None:
    """Raise WrongCourse if the file lists students, and not this student."""
    if students and student not in students:
        raise WrongCourse(f"{key}: there is no student {shown(student)}; {closest(student, students)}")


_MAX_BYTES = 2**20
_KINDS = {
    "str": "a text in quotation marks",
    "float": "a number",
    "int": "a number",
    "array": "a list in [ ]",
    "object": "a table",
}
Hours = Annotated[float, msgspec.Meta(ge=0, le=100_000)]


class Extension(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[extensions]]`: more time for one student. Without a notebook, for all that have a deadline."""

    student: str
    notebook: str = ""
    until: Any = None
    days: Hours = 0.0
    hours: Hours = 0.0


class LearnersTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[learners]`: the Python that runs their cells, by its path or the name of a program."""

    python: str = ""


class TeamEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[teams]]`: people who hand in one submission."""

    name: str
    members: list[str]


class AttemptsTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[attempts]`: which of several submissions of one student counts, and how many may."""

    score: str = "best"
    most: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None


class TermTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[term]`: weights of notebooks and projects, how many notebooks are dropped, what the whole is worth."""

    weights: dict[str, float] = {}
    drop: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    scale: float = 100.0


class MarkingTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[marking]`: whether whoever marks sees names, and how many per cent of the answers a second person marks."""

    names: bool = True
    second: Annotated[float, msgspec.Meta(ge=0, le=100)] = 0.0


class AllotmentEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[allotments]]`: who marks which written answers. What is left out means all."""

    markers: list[str]
    notebooks: list[str] = []
    sections: list[str] = []
    students: list[str] = []


class ExtraTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[extra]`: how many points above its maximum a notebook may count."""

    most: Annotated[float, msgspec.Meta(ge=0, le=1000)]


class ExcusedEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One `[[excused]]`: a notebook that does not count for a student."""

    student: str
    notebook: str
    why: str = ""


class CanvasTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[canvas]`: the number of the class's course in Canvas."""

    course: Annotated[int, msgspec.Meta(ge=1)]


class AnswersTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table `[answers]`: whether answers count in which a slip was mended, "count" or "zero"."""

    mended: str = "count"


class CourseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """course.toml as it is written. Every key may be left out."""

    name: str = ""
    language: str = ENGLISH
    notebooks: list[str] = []
    timezone: str = ""
    roster: str | list[str] = ""
    sections: dict[str, Any] = {}
    students: list[str] = []
    drop: list[str] = []
    core: list[str] = []
    further: list[str] = []
    points: dict[str, Any] = {}
    projects: dict[str, float | str] = {}
    deadlines: dict[str, Any] = {}
    late: Late = Late()
    extensions: list[Extension] = []
    teams: list[TeamEntry] = []
    attempts: AttemptsTable = AttemptsTable()
    answers: AnswersTable = AnswersTable()
    learners: LearnersTable = LearnersTable()
    marking: MarkingTable = MarkingTable()
    allotments: list[AllotmentEntry] = []
    rubrics: dict[str, Any] = {}
    term: TermTable | None = None
    extra: ExtraTable | None = None
    excused: list[ExcusedEntry] = []
    canvas: CanvasTable | None = None


#: The tables in which a key may be misspelt, beside the file itself.
_TABLES: dict[str, type[msgspec.Struct]] = {
    "late": Late,
    "attempts": AttemptsTable,
    "answers": AnswersTable,
    "learners": LearnersTable,
    "extensions": Extension,
    "teams": TeamEntry,
    "marking": MarkingTable,
    "allotments": AllotmentEntry,
    "term": TermTable,
    "extra": ExtraTable,
    "excused": ExcusedEntry,
}


def flat(table: Mapping[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """Return the values of nested tables by their full dotted names.

    `01.one_hot = 4` without quotation marks is a nested table in TOML, and means the same as with them.
    """
    flat_items: list[tuple[str, Any]] = []
    for name, value in table.items():
        flat_items += flat(value, f"{before}{name}.") if isinstance(value, dict) else [(before + name, value)]
    return flat_items


def read_file(path: Path) -> CourseFile | None:
    """Return the file, or None if there is none.

    Raises
    ------
    WrongCourse
        If a key is not known or a value is of the wrong kind.
    """
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise WrongCourse("the file is far too large for what it has to say.")
        content = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise WrongCourse("the file is not UTF-8 text; save it as UTF-8.") from None
    except OSError as error:
        raise WrongCourse(f"the file cannot be read ({error.strerror}).") from None
    try:
        table = tomllib.loads(content)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise WrongCourse(f"this is not TOML: {str(error)[:1].lower()}{str(error)[1:]}.") from None
    try:
        return msgspec.convert(table, CourseFile)
    except msgspec.ValidationError as error:
        raise WrongCourse(_sentence(str(error), table)) from None


def _sentence(message: str, table: dict[str, Any]) -> str:
    """Return msgspec's complaint as a sentence, with the key as people write it and its value."""
    complaint, _, path = message.partition(" - at `$")
    steps = re.findall(r"\.(\w+)|\[(\d+)\]", path)
    value: Any = table
    words = []
    for name, index in steps:
        value = value[name] if name else value[int(index)]
        words.append(name or f"number {int(index) + 1}")
    unknown = re.fullmatch("Object contains unknown field `(.*)`", complaint, re.DOTALL)
    if unknown:
        known = [field.name for field in msgspec.structs.fields(_TABLES[words[0]] if words else CourseFile)]
        before = f"{', '.join(words)}{': ' if len(words) > 1 else '.'}" if words else ""
        return f"there is no key {before}{unknown[1]}; {closest(unknown[1], known)}"
    if "missing required field" in complaint:
        return f"{', '.join(words)}: {re.sub('`', '', complaint.split('field')[-1]).strip()} is missing."
    kind = re.match(r"Expected `(\w+)", complaint)
    wanted = _KINDS.get(kind[1], kind[1]) if kind else complaint[0].lower() + complaint[1:].replace("`", "")
    bounds = re.match(r"Expected `\w+` ([<>]=) (\S+)", complaint)
    if bounds:
        wanted = f"a number {'of at least' if bounds[1] == '>=' else 'of at most'} {bounds[2].removesuffix('.0')}"
    return f"{', '.join(words)} = {shown(value)}: this has to be {wanted}."
