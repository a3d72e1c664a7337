"""Cells of CSV files that a spreadsheet will open: numbers are numbers, and no text is a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from embedding_course.files import atomic_write

if TYPE_CHECKING:  # which brings nbgrader
    from .grades import Student

_NUMBER = re.compile(r"\s*[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?\s*%?")
#: What makes a spreadsheet take a cell for a formula; the wide forms do so where Chinese or Japanese is typed.
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
_CONTROL = ("\t", "\r", "\n")
#: What Moodle writes where there is no grade.
_NO_GRADE = "-"


def safe(value: object) -> str:
    r"""Return the text of a cell, with an apostrophe in front if it would be a formula; numbers stay as they are.

    >>> safe('=HYPERLINK("http://x")'), safe(-1.5), safe("-3"), safe("王小明")
    ('\'=HYPERLINK("http://x")', '-1.5', '-3', '王小明')
    """
    if value is None:
        return ""
    text = f"{round(value, 4):g}" if isinstance(value, float) else str(value)
    if _NUMBER.fullmatch(text) or text == _NO_GRADE:
        return text
    return f"'{text}" if text.startswith(_CONTROL) or text.lstrip().startswith(_FORMULA) else text


def write_csv(path: Path, rows: Iterable[Sequence[object]], separator: str = ",", mark: bool = False) -> None:
    """Write a CSV file in one step, which only its owner can read: it holds names and grades.

    Parameters
    ----------
    path : Path
    rows : iterable of sequence of object
    separator : str, optional
    mark : bool, optional
        True if the file begins with the byte order mark by which Excel knows UTF-8.
    """
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator).writerows([safe(cell) for cell in row] for row in rows)
    atomic_write(path, text.getvalue().encode("utf-8-sig" if mark else "utf-8"), 0o600)


Row = list[object]


def canvas_sheet(students: Sequence[Student], worth: Mapping[str, float]) -> list[Row]:
    """Return the table that Canvas's gradebook imports: five columns for the student, then one for each notebook.

    Cells without a grade are empty, and Canvas does not change these grades.
    """
    rows: list[Row] = [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *worth],
        ["    Points Possible", "", "", "", "", *worth.values()],
    ]
    for student in students:
        name = ", ".join(part for part in (student.last, student.first) if part) or student.id
        rows.append([name, student.number, "", student.id, "", *_scores(student, worth)])
    return rows


def moodle_sheet(students: Sequence[Student], worth: Mapping[str, float]) -> list[Row]:
    """Return what Moodle's gradebook imports, mapped by Username, ID number or Email address."""
    rows: list[Row] = [["Username", "First name", "Last name", "ID number", "Email address", *worth]]
    for student in students:
        who = [student.id, student.first, student.last, student.number, student.email]
        rows.append([*who, *_scores(student, worth)])
    return rows


def _scores(student: Student, worth: Mapping[str, float]) -> Row:
    return [student.grades[topic].score if topic in student.grades else None for topic in worth]
