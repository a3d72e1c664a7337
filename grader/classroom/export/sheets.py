"""Gradebook files for Canvas and Moodle, made anew."""

from collections.abc import Mapping, Sequence

from .grades import Student

Row = list[object]


def canvas_sheet(students: Sequence[Student], worth: Mapping[str, float]) -> list[Row]:
    """What Canvas's gradebook imports: five columns that say who it is, then one for each notebook. Cells without a grade
    stay empty, which Canvas leaves alone."""
    rows: list[Row] = [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *worth],
        ["    Points Possible", "", "", "", "", *worth.values()],
    ]
    for student in students:
        name = ", ".join(part for part in (student.last, student.first) if part) or student.id
        rows.append([name, student.number, "", student.id, "", *_scores(student, worth)])
    return rows


def moodle_sheet(students: Sequence[Student], worth: Mapping[str, float]) -> list[Row]:
    """What Moodle's gradebook imports, mapped by Username, ID number or Email address."""
    rows: list[Row] = [["Username", "First name", "Last name", "ID number", "Email address", *worth]]
    for student in students:
        who = [student.id, student.first, student.last, student.number, student.email]
        rows.append([*who, *_scores(student, worth)])
    return rows


def _scores(student: Student, worth: Mapping[str, float]) -> Row:
    return [student.grades[topic].score if topic in student.grades else None for topic in worth]
