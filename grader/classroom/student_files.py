"""Where a class keeps something of one student, beside the gradebook; and how to remove it."""

import contextlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec

from embedding_course.files import atomic_write

from . import projects, records
from .grade_record import GradeRecord
from .overrides import forget_student
from .policy.teams import TEAM_FILE
from .requests import forget_requests
from .talk_table import TALK, forget_talk

_FOLDERS = ("submitted", "earlier", "autograded", "feedback")
#: Who is who in the anonymous report.
PSEUDONYMS = ".pseudonyms.json"
_MAX_BYTES = 8 * 2**20


def traces(home: Path, student: str) -> dict[str, list[Path]]:
    """Return the folders and files that belong to this student alone, by the part of the class that they lie in."""
    folders = {name: [home / name / student] for name in _FOLDERS if _is_there(home / name / student)}
    names = (f"{student}.json", f"{student}.attempts.jsonl")
    kept = [path for path in (home / records.FOLDER).glob("*/*") if path.name in names]
    graded = [path for path in (home / projects.FOLDER).glob("*/*") if path.name in names]
    kinds = {records.FOLDER: sorted(kept), projects.FOLDER: sorted(graded)}
    return {**folders, **{kind: paths for kind, paths in kinds.items() if paths}}


def pages_of_all(home: Path) -> dict[str, list[Path]]:
    """Return pages and archives that speak of everybody. They are made anew in a moment, unlike what people noted in one."""
    reports = sorted(path for path in _files(home / "reports") if path != home / TALK)
    pages = {"reports": reports, "packed feedback": sorted((home / "feedback").glob("*.zip"))}
    return {kind: paths for kind, paths in pages.items() if paths}


def remove(paths: list[Path]) -> int:
    """Remove files and folders, and return the number of files removed.

    A link is removed, but not what it leads to.
    """
    count = 0
    for path in paths:
        if path.is_dir() and not path.is_symlink():
            count += sum(1 for _ in _files(path))
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
            count += 1
    return count


def unnamed(home: Path, student: str) -> bool:
    """Remove a student's name from their pseudonym, from decisions, answers and notes; return True if it stood there.

    The number of the pseudonym stays reserved, so that no other student gets it.
    """
    in_decisions = forget_student(home, student) | forget_requests(home, student) | forget_talk(home, student)
    path = home / records.FOLDER / PSEUDONYMS
    try:
        numbers = msgspec.json.decode(path.read_bytes(), type=dict[str, int])
    except (OSError, msgspec.DecodeError):
        return in_decisions
    if student not in numbers:
        return in_decisions
    number = numbers.pop(student)
    numbers[f"\n{number}"] = number  # no folder bears such a name
    atomic_write(path, msgspec.json.format(msgspec.json.encode(numbers), indent=1), mode=0o600)
    return True


def leave_teams(home: Path, student: str) -> int:
    """Remove a student from the teams in other members' submissions and records, and return the number of files changed."""
    count = 0
    for path in home.glob(f"submitted/*/*/{TEAM_FILE}"):
        lines = path.read_text("utf-8", "replace").splitlines()
        if student in (line.strip() for line in lines[1:]) and not path.is_symlink():
            atomic_write(path, "\n".join(line for line in lines if line.strip() != student).encode() + b"\n")
            count += 1
    for path in [*home.glob(f"{records.FOLDER}/*/*.json"), *home.glob(f"{records.FOLDER}/*/*.attempts.jsonl")]:
        team_records = list(_records_in(path))
        if any(student in record.members for record in team_records):
            for record in team_records:
                record.members = [member for member in record.members if member != student]
            kept = [msgspec.json.encode(record) for record in team_records]
            whole = path.suffix == ".json"
            atomic_write(path, msgspec.json.format(kept[0], indent=1) if whole else b"\n".join(kept) + b"\n")
            count += 1
    return count


def _records_in(path: Path) -> Iterator[GradeRecord]:
    """Yield the records of a file, which holds one, or one a line."""
    content = path.read_bytes()
    for part in [content] if path.suffix == ".json" else content.splitlines():
        with contextlib.suppress(msgspec.DecodeError):
            yield msgspec.json.decode(part, type=GradeRecord)


def still_named(home: Path, student: str) -> list[str]:
    """Return files of the instructor's own, in the class's folder, that hold the student's name as a word."""
    word = re.compile(rf"(?<!\w){re.escape(student)}(?!\w)")
    texts = [path for end in ("*.csv", "*.toml", "*.txt", "*.html") for path in sorted(home.glob(end))]
    return [
        path.name for path in texts if path.stat().st_size <= _MAX_BYTES and word.search(path.read_text("utf-8", "replace"))
    ]


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_symlink() or path.is_file())


def _is_there(path: Path) -> bool:
    return path.is_symlink() or path.exists()
