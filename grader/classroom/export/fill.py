"""Fill grades into the file that a platform itself exported: its students, its columns, its order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..collect.layouts import topic_in
from ..headings import is_points_possible, meanings
from ..roster import BadRoster, Person, Roster, person_of
from .grades import Student

__all__ = ["Filled", "fill"]

_GRADE, _MOST, _COMMENT = "grade", "maximum grade", "feedback comments"


@dataclass
class Filled:
    """The filled table. `strangers` are students of ours that the file does not know, `open` lines of the file that got no
    grade; `notes` say what else the instructor has to know."""

    rows: list[list[object]]
    strangers: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def fill(
    header: Sequence[str], lines: Sequence[Sequence[str]], students: Sequence[Student], worth: Mapping[str, float],
    roster: Roster, topic: str = "",
) -> Filled:  # fmt: skip
    """Enter each student's grades into their line. Columns whose heading names a notebook are filled, others are added;
    Moodle's grading worksheet has one column, for `topic`. BadRoster when that is not said, or nobody can be told."""
    table: list[list[object]] = [[*line, *[""] * (len(header) - len(line))] for line in lines]
    people = {place: person for place, line in enumerate(lines) if (person := person_of(header, line)) is not None}
    if not people:
        raise BadRoster("the file lists no students that could be told apart.")
    filled = Filled([list(header), *table])
    names = meanings(header)
    if _GRADE in names and "identifier" in names:
        columns = {_one(worth, topic): names.index(_GRADE)}
        comments: int | None = names.index(_COMMENT) if _COMMENT in names else None
    else:
        columns, comments = _columns(header, worth, filled), None
    placed = _placed(students, people, roster, filled)
    for place, student in placed.items():
        for name, column in columns.items():
            grade = student.grades.get(name)
            if grade is not None:
                scale = _scale(names, table[place], grade.most) if comments is not None or _MOST in names else 1.0
                table[place][column] = round(grade.score * scale, 4)
                if scale != 1.0 and not filled.notes:
                    filled.notes.append(f"The file counts {name} out of another maximum; scores were scaled to it.")
                if comments is not None and grade.comment:
                    table[place][comments] = grade.comment
    filled.open = [
        people[place].name or people[place].id for place in people
        if place not in placed or not set(placed[place].grades) & set(columns)
    ]  # fmt: skip
    _check_worth(lines, columns, worth, filled)
    return filled


def _one(worth: Mapping[str, float], topic: str) -> str:
    if topic in worth:
        return topic
    if not topic and len(worth) == 1:
        return next(iter(worth))
    raise BadRoster(f"a grading worksheet is for one notebook: say --notebook with one of {', '.join(worth)}.")


def _columns(header: Sequence[str], worth: Mapping[str, float], filled: Filled) -> dict[str, int]:
    """The column of each notebook, by its heading; a new one at the end where there is none."""
    found: dict[str, int] = {}
    for place, column in enumerate(header):
        name = topic_in(column)
        if name in worth:
            found.setdefault(name, place)
    for name, most in worth.items():
        if name not in found:
            found[name] = len(filled.rows[0])
            filled.rows[0].append(name)
            for row in filled.rows[1:]:
                row.append(most if is_points_possible(row[0]) else "")
    return found


def _placed(students: Sequence[Student], people: Mapping[int, Person], roster: Roster, filled: Filled) -> dict[int, Student]:
    """Which line belongs to which student."""
    times = Counter(person.id for person in people.values())
    # A line is called by its id where no other line has it, else by what can be nobody's id.
    places = {person.id if times[person.id] == 1 else f"/{place}": place for place, person in people.items()}
    lines = Roster([Person(name, people[place].keys, people[place].name) for name, place in places.items()])
    known = {person.id: person.keys for person in roster.people}
    placed: dict[int, Student] = {}
    for student in students:
        where = lines.find([*student.words, *sorted(known.get(student.id, ()))])
        if not where:
            filled.strangers.append(student.id)
        elif places[where] in placed:
            other = placed[places[where]].id
            filled.notes.append(f"{student.id} and {other} are the same line of the file; only {other} was entered.")
        else:
            placed[places[where]] = student
    return placed


def _scale(names: Sequence[str], row: Sequence[object], most: float) -> float:
    try:
        theirs = float(str(row[names.index(_MOST)]).replace(",", "."))
    except (ValueError, IndexError):
        return 1.0
    return theirs / most if theirs > 0 and most > 0 else 1.0


def _check_worth(
    lines: Sequence[Sequence[str]], columns: Mapping[str, int], worth: Mapping[str, float], filled: Filled
) -> None:
    line = next((line for line in lines if line and is_points_possible(line[0])), None)
    for name, column in columns.items() if line is not None else ():
        said = line[column].strip() if line is not None and column < len(line) else ""
        try:
            if said and abs(float(said) - worth[name]) > 1e-6:
                ours = f"the class {worth[name]:g}"
                filled.notes.append(f"Canvas has {said} points possible for {name}, {ours}: change it there.")
        except ValueError:
            filled.notes.append(f"Canvas calls the column of {name} {said}: it may not take grades there.")
