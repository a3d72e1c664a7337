"""Fill grades into the file that a platform itself exported: its students, its columns, its order."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from ..csv_table import read_number
from ..platform_headings import is_points_possible, meanings
from ..roster import BadRoster, Person, Roster, folded, person_of
from .assignment_columns import columns_of
from .grades import Student
from .platform_sheets import safe

_GRADE, _MOST, _COMMENT = "grade", "maximum grade", "feedback comments"
#: What a platform writes where there is no grade yet.
_NO_GRADE = ("", "-", "–", "—")


@dataclass
class Filled:
    """The filled table.

    `strangers` are students of the class who are not in the file, and `open` are rows of the file that got no grade. `left`
    are cells that hold a word and were not changed. `notes` say what else the instructor has to know.
    """

    rows: list[list[object]]
    strangers: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def fill(
    header: Sequence[str],
    lines: Sequence[Sequence[str]],
    students: Sequence[Student],
    worth: Mapping[str, float],
    roster: Roster,
    topic: str = "",
    named: Mapping[str, str] | None = None,
    among: Collection[str] | None = None,
) -> Filled:
    """Enter each student's grades into the student's row.

    A column is filled if it has the whole title of a notebook or the title in `named`. Nothing else in the file is changed.

    Parameters
    ----------
    header : sequence of str
        First row of the platform's file.
    lines : sequence of sequence of str
        The other rows.
    students : sequence of Student
        Students with their grades.
    worth : mapping of str to float
        Points of each notebook.
    roster : Roster
    topic : str, optional
        Notebook for the single grade column of Moodle's grading worksheet.
    named : mapping of str to str, optional
        Title of the column, by notebook, where it is not the title of the notebook.
    among : collection of str, optional
        Ids of the students who are exported; rows of others are not counted as open. All by default.

    Raises
    ------
    BadRoster
        If it is not clear which notebook, which column or which students are meant.
    """
    people = {row_index: person for row_index, line in enumerate(lines) if (person := person_of(header, line)) is not None}
    if not people:
        raise BadRoster("the file lists no students that could be told apart.")
    filled = Filled([list(header), *([*line, *[""] * (len(header) - len(line))] for line in lines)])
    names = meanings(header)
    comments: int | None = None
    if _GRADE in names and "identifier" in names:
        columns = {_only_topic(worth, topic): names.index(_GRADE)}
        comments = names.index(_COMMENT) if _COMMENT in names else None
    else:
        columns = _columns(header, worth, named or {}, filled)
    placed = _placed(students, people, roster, filled)
    if among is not None:
        keys = {key for person in roster.people if person.id in among for key in person.keys}
        people = {row_index: person for row_index, person in people.items() if row_index in placed or keys & person.keys}
    table = filled.rows[1:]
    for row_index, student in placed.items():
        for name, column in columns.items():
            grade = student.grades.get(name)
            if grade is None or _is_word(table[row_index][column]):
                continue
            scale = _scale(names, table[row_index], grade.most) if comments is not None or _MOST in names else 1.0
            _enter(table[row_index], column, round(grade.score * scale, 4))
            if scale != 1.0 and not filled.notes:
                filled.notes.append(f"The file counts {name} out of another maximum; scores were scaled to it.")
            if comments is not None and grade.comment:
                table[row_index][comments] = grade.comment
    filled.left = [
        f"{people[row_index].name or people[row_index].id} {str(table[row_index][column]).strip()}"
        for row_index in people
        for column in columns.values()
        if _is_word(table[row_index][column])
    ]
    filled.open = [
        people[row_index].name or people[row_index].id
        for row_index in people
        if row_index not in placed or not set(placed[row_index].grades) & set(columns)
    ]
    _check_worth(lines, columns, worth, filled)
    formula = next((cell for line in lines for cell in line if safe(cell) != cell), "")
    if formula:
        filled.notes.append(
            f"The file has cells that begin like a formula (“{formula[:30]}”). They are written back as they stand: give the "
            "result to the platform, and do not open it in a spreadsheet."
        )
    return filled


def _enter(row: list[object], column: int, score: float) -> None:
    """Write a score into a cell, unless the cell holds the same number already."""
    before = read_number(str(row[column]))
    if before is None or abs(before - score) > 5e-5:
        row[column] = score


def _is_word(cell: object) -> bool:
    """Return True for a cell that holds what is neither a number nor empty, such as EX, N/A or Excused."""
    text = str(cell).strip()
    return isinstance(cell, str) and text not in _NO_GRADE and read_number(text.rstrip("%")) is None


def _only_topic(worth: Mapping[str, float], topic: str) -> str:
    if topic in worth:
        return topic
    if not topic and len(worth) == 1:
        return next(iter(worth))
    raise BadRoster(f"a grading worksheet is for one notebook: say --notebook with one of {', '.join(worth)}.")


def _columns(header: Sequence[str], worth: Mapping[str, float], named: Mapping[str, str], filled: Filled) -> dict[str, int]:
    """Return the column of each notebook; add one at the end, with a note, if no column is like it."""
    columns, absent = columns_of(header, list(worth), named)
    for name in absent:
        columns[name] = len(filled.rows[0])
        filled.rows[0].append(name)
        for row in filled.rows[1:]:
            row.append(worth[name] if is_points_possible(row[0]) else "")
    if absent:
        filled.notes.append(f"No column had the title of {', '.join(absent)}: added at the end (--column fills another one).")
    return columns


def _placed(students: Sequence[Student], people: Mapping[int, Person], roster: Roster, filled: Filled) -> dict[int, Student]:
    """Return the student of each row, by the position of the row."""
    times = Counter(person.id for person in people.values())
    # A line is called by its id where no other line has it, else by what can be nobody's id.
    rows_by_name = {person.id if times[person.id] == 1 else f"/{row_index}": row_index for row_index, person in people.items()}
    lines = Roster([Person(name, people[row_index].keys, people[row_index].name) for name, row_index in rows_by_name.items()])
    known = {person.id: person.keys for person in roster.people}
    placed: dict[int, Student] = {}
    for student in students:
        where = lines.find([*student.words, *sorted(known.get(student.id, ()))])
        if not where:
            alike = [
                row_index for row_index, person in people.items() if folded(f"{student.first} {student.last}") in person.keys
            ]
            if len(alike) > 1:
                filled.notes.append(
                    f"{student.id}: {len(alike)} lines of the file have the name {student.first} {student.last}, so none was "
                    "filled. A roster with the platform's own column of numbers, logins or e-mail addresses tells them apart "
                    "(roster in course.toml; the platform's gradebook export has it)."
                )
            else:
                filled.strangers.append(student.id)
        elif rows_by_name[where] in placed:
            other = placed[rows_by_name[where]].id
            filled.notes.append(f"{student.id} and {other} are the same line of the file; only {other} was entered.")
        else:
            placed[rows_by_name[where]] = student
    return placed


def _scale(names: Sequence[str], row: Sequence[object], most: float) -> float:
    theirs = read_number(str(row[names.index(_MOST)])) if _MOST in names else None
    return theirs / most if theirs and theirs > 0 and most > 0 else 1.0


def _check_worth(
    lines: Sequence[Sequence[str]], columns: Mapping[str, int], worth: Mapping[str, float], filled: Filled
) -> None:
    line = next((line for line in lines if line and is_points_possible(line[0])), None)
    for name, column in columns.items() if line is not None else ():
        text = line[column].strip() if line is not None and column < len(line) else ""
        theirs = read_number(text)
        if text and theirs is None:
            filled.notes.append(f"Canvas calls the column of {name} {text}: it may not take grades there.")
        elif theirs is not None and abs(theirs - worth[name]) > 1e-6:
            filled.notes.append(f"Canvas has {text} points possible for {name}, the class {worth[name]:g}: change it there.")
