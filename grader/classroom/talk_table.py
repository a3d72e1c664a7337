"""The table of whom to talk to, `reports/talk.csv`: written by the report, and worked off by people in a spreadsheet."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path

from ..errors import UserError
from .csv_table import BadRoster, load_table
from .export.platform_sheets import safe, write_csv

#: Where the table lies in the folder of a class.
TALK = "reports/talk.csv"
#: What the report writes, and what people do: their columns, and any further one, are kept as they are.
_WRITTEN = ("student_id", "name", "email", "section", "notebooks", "reason", "work", "since")
_PEOPLES = ("done", "note")
_FIELDS = {"student_id": "student"}


@dataclass(frozen=True)
class TalkRow:
    """One student to talk to about some notebooks.

    Attributes
    ----------
    since
        The day on which a report first named the student, as 2026-03-05.
    done, note
        What people entered. Any text in `done` means that somebody has talked to the student.
    """

    student: str
    name: str = ""
    email: str = ""
    section: str = ""
    notebooks: str = ""
    reason: str = ""
    work: str = ""
    since: str = ""
    done: str = ""
    note: str = ""


def update_talk(
    home: Path, rows: Sequence[TalkRow], notebooks: str, day: date, scope: Collection[str] | None = None
) -> list[TalkRow]:
    """Bring `reports/talk.csv` up to date, and return the given rows with what people noted in it.

    A row is about a student and some notebooks. Rows of other notebooks stay, and so does each row in which somebody entered
    something; a row about these notebooks that nobody touched is removed when its student is no longer among `rows`.

    Parameters
    ----------
    home : Path
        Folder of the class.
    rows : sequence of TalkRow
        Whom to talk to now.
    notebooks : str
        The notebooks that the rows are about, as a heading names them. (A bare number would not survive a spreadsheet.)
    day : date
        Today.
    scope : collection of str, optional
        Ids of the students whom the rows may be about; all by default.

    Raises
    ------
    UserError
        If the file cannot be read. It is left as it is.
    """
    path = home / TALK
    header, old = _read(path)
    left = list(old)
    updated, current = [], []
    for row in rows:
        mine = _rows_of(row.student, old)
        known = next((cells for cells in mine if cells["notebooks"] == notebooks and cells in left), {})
        left = [cells for cells in left if cells is not known]
        fresh = replace(row, notebooks=notebooks, since=_first_day(mine, day))
        fresh = replace(fresh, done=known.get("done", ""), note=known.get("note", ""))
        updated.append(fresh)
        facts = asdict(fresh)
        current.append({**known, **{name: facts[_FIELDS.get(name, name)] for name in (*_WRITTEN, *_PEOPLES)}})
    peoples = [name for name in header if name not in _WRITTEN]
    kept = [
        cells
        for cells in left
        if cells["notebooks"] != notebooks
        or (scope is not None and not any(cells in _rows_of(student, left) for student in scope))
        or any(cells.get(name) for name in peoples)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, header, [*current, *kept])
    return updated


def _rows_of(student: str, rows: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """Return the rows of a student: those with exactly this id, else those in which a spreadsheet took it for a number."""
    exact = [cells for cells in rows if cells["student_id"] in (student, safe(student))]
    if exact or not student.isdigit():
        return exact
    return [cells for cells in rows if re.sub(r"[.,]0+$", "", cells["student_id"]).lstrip("0") == student.lstrip("0")]


def _first_day(rows: Sequence[Mapping[str, str]], day: date) -> str:
    """Return the earliest day in these rows, today if there is none."""
    days = [day.isoformat()]
    for cells in rows:
        try:
            days.append(date.fromisoformat(cells["since"]).isoformat())
        except ValueError:
            continue  # empty, or as a spreadsheet writes dates
    return min(days)


def forget_talk(home: Path, student: str) -> bool:
    """Remove the rows of a student from `reports/talk.csv`, and return True if there were any.

    Raises
    ------
    UserError
        If the file cannot be read.
    """
    header, rows = _read(home / TALK)
    gone = _rows_of(student, rows)
    kept = [cells for cells in rows if cells not in gone]
    if len(kept) == len(rows):
        return False
    _write(home / TALK, header, kept)
    return True


def _write(path: Path, header: Sequence[str], rows: Sequence[Mapping[str, str]]) -> None:
    write_csv(path, [header, *([cells.get(name, "") for name in header] for cells in rows)], mark=True)


def _read(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Return the columns of the file, ours first, and the cells of each row by column."""
    ours = [*_WRITTEN, *_PEOPLES]
    if not path.exists() or not path.read_bytes().strip():
        return ours, []
    try:
        table = load_table(path)
    except BadRoster as error:
        raise UserError(f"{TALK}: {error} Until then nothing is written there: repair the file, or move it away.") from None
    names = [name.strip() for name in table.header]
    missing = next((name for name in ("student_id", "notebooks") if name not in names), None)
    if missing is not None:
        raise UserError(f"{TALK} has no column {missing}, so its notes belong to nobody: repair the file, or move it away.")
    rows = [dict.fromkeys(ours, "") | dict(zip(names, map(str.strip, line), strict=False)) for line in table.lines if any(line)]
    return [*ours, *(name for name in names if name and name not in ours)], rows
