"""Fetch the roster of a class from Canvas, beside what the class's own file says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..csv_table import load_table
from ..platform_headings import meanings
from ..roster import Person, Roster, person_of, read_roster
from .people import COLUMNS, EMAIL

_ID = "student_id"
_HEADER = [_ID, *COLUMNS, EMAIL]


@dataclass
class Pulled:
    """The rows of a new roster, header first, and how it differs from the older file.

    `came` and `gone` are students by id; `changed` holds a sentence for each student of whom something else is said now.
    """

    rows: list[list[str]]
    came: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)

    @property
    def differs(self) -> bool:
        """Return True if the file has to be written."""
        return bool(self.came or self.gone or self.changed)


def pulled_roster(people: Mapping[int, list[str]], older: Path | None) -> Pulled:
    """Return the roster of a course in Canvas.

    A student whom the older file has keeps the id that it gives, since folders and grades bear it. Columns that Canvas does not
    know, such as a group, are taken along.

    Parameters
    ----------
    people : mapping of int to list of str
        Cells of each student, from `students_of`.
    older : Path or None
        The file that the class has now.

    Raises
    ------
    BadRoster
        If the older file cannot be read.
    """
    header, known, rows_by_id = _older(older)
    own = [index for index, meaning in enumerate(meanings(header)) if meaning not in _covered()]
    pulled = Pulled([[*_HEADER, *(header[index] for index in own)]])
    seen = set()
    columns = [*COLUMNS, EMAIL]
    for cells in sorted(people.values(), key=lambda cells: cells[0].casefold()):
        person = person_of(columns, cells)
        if person is None:
            continue
        old = _same(known, person, cells)
        name = old if old and old not in seen else person.id
        seen.add(name)
        before = rows_by_id.get(name) if old == name else None
        pulled.rows.append([name, *cells, *((before[index] if index < len(before) else "") if before else "" for index in own)])
        if before is None:
            pulled.came.append(name)
            continue
        pulled.changed += _differences(name, header, before, cells)
    pulled.gone = [person.id for person in known.people if person.id not in seen]
    return pulled


def _covered() -> set[str]:
    """Return the meanings of columns that the new file has itself."""
    return {*meanings(_HEADER), "first name", "last name", "name", "full name", "student name", "email address"}


def _older(path: Path | None) -> tuple[list[str], Roster, dict[str, list[str]]]:
    if path is None or not path.exists():
        return [], Roster(), {}
    known, table = read_roster(path), load_table(path)
    lines = {person.id: line for line in table.lines if (person := person_of(table.header, line)) is not None}
    return table.header, known, lines


def _same(known: Roster, person: Person, cells: list[str]) -> str:
    """Return the id in the older file of a student of Canvas: found by login, numbers or address, and last by the name."""
    _, number, sis, login, _, email = cells
    certain = known.find([word for word in (f"canvas {number}", login, sis, email) if word])
    return certain or known.find([word for word in (person.name, cells[0]) if word])


def _differences(name: str, header: list[str], before: list[str], cells: list[str]) -> list[str]:
    """Return a sentence for each cell that both files have and that differs."""
    old_columns, new_columns = meanings(header), meanings([*COLUMNS, EMAIL])
    sentences = []
    for meaning, new in zip(new_columns, cells, strict=True):
        if meaning not in old_columns:
            if new and meaning == "section":
                sentences.append(f"{name}: section “{new}”, of which the older file said nothing")
            continue
        index = old_columns.index(meaning)
        old = before[index].strip() if index < len(before) else ""
        if old != new:
            sentences.append(f"{name}: {meaning} “{old}” → “{new}”")
    return sentences
