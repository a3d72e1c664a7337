"""What was handed in, for tests of `grader collect`: notebooks with answers and without, and the table that it ends with."""

import io
import tarfile
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

import nbformat
from typer.testing import CliRunner

from embedding_course.exercises.index import entries_of
from grader.classroom.collect.store_files import CAME_AS
from grader.cli import app
from tests.support.classes import blank

TOPIC = "03_max_norm"
FILE = f"{TOPIC}.ipynb"


class Row(NamedTuple):
    """One line of the table."""

    student: str
    topic: str
    time: str
    file: str
    fate: str


class Said:
    """What `grader collect` said: its exit code, its text, the lines of its table."""

    def __init__(self, code: int, text: str) -> None:
        self.code, self.text = code, text
        cells = [[cell.strip() for cell in line.strip("│").split("│")] for line in text.splitlines() if line.startswith("│")]
        self.rows = [Row(*row) for row in cells]

    def of(self, student: str) -> list[Row]:
        return [row for row in self.rows if row.student == student]

    def fate(self, file: str) -> str:
        """What became of a file, by a part of its path."""
        fates = [row.fate for row in self.rows if file in row.file]
        assert len(fates) == 1, f"{file}: {fates}\n{self.text}"
        return fates[0]

    @property
    def students(self) -> set[str]:
        """Everybody of whom something was taken."""
        return {row.student for row in self.rows if row.fate.startswith(("✔", "="))}

    @property
    def taken(self) -> dict[str, str]:
        """By file, whose it is."""
        return {row.file: row.student for row in self.rows if row.fate.startswith(("✔", "="))}


def collect(home: Path, source: Path, *words: object) -> Said:
    """Run the command; its code has to fit its table."""
    line = ["collect", str(source), "--class", str(home), *map(str, words)]
    outcome = CliRunner().invoke(app, line, env={"COLUMNS": "600"})
    assert outcome.exception is None or isinstance(outcome.exception, SystemExit), outcome.exception
    report = Said(outcome.exit_code, outcome.output)
    if report.rows:
        assert report.code == (3 if "✘" in report.text else 0), report.text
    return report


def roster(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@cache
def empty(topic: str = TOPIC) -> bytes:
    """The notebook as it was given out."""
    return nbformat.writes(blank(topic)).encode("utf-8")


@cache
def answered(topic: str = TOPIC, mark: str = "1") -> bytes:
    """The notebook with one answer in it; other marks make other files."""
    notebook = blank(topic)
    first = entries_of(topic)[0]
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == first.grade_id:
            cell.source = f"def {first.name}(*values):\n    return {mark!r}\n"
    return nbformat.writes(notebook).encode("utf-8")


BODY = empty()
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC).timestamp()
LATER = (2099, 12, 31, 23, 59, 58)
LAYOUTS = {
    "moodle": {
        f"Ada Lovelace_12345_assignsubmission_file_/{FILE}": BODY,
        f"王 小明_12346_assignsubmission_file_/{FILE}": BODY,
        "Ada Lovelace_12345_assignsubmission_onlinetext_/onlinetext.html": b"hello",
    },
    "moodle, older": {
        f"Ada Lovelace_12345_assignsubmission_file_{FILE}": BODY,
        f"王 小明_12_assignsubmission_file_{FILE}": BODY,
    },
    "canvas": {f"lovelaceada_12_34567_{FILE}": BODY, f"王小明_LATE_13_34568_{TOPIC}-2.ipynb": BODY},
    "github": {
        f"max-norm-submissions/max-norm-ada-l/{FILE}": BODY,
        "max-norm-submissions/max-norm-ada-l/README.md": b"",
        f"max-norm-submissions/max-norm-bo/work/{TOPIC}/{FILE}": BODY,
    },
    "nbgrader": {
        f"submitted/ada/{TOPIC}/{FILE}": BODY,
        f"submitted/ada/{TOPIC}/timestamp.txt": b"2026-03-01 10:00:00 UTC",
        f"submitted/bo/{TOPIC}/{FILE}": BODY,
    },
    "plain": {f"ada_{TOPIC[:2]}.ipynb": BODY, f"bo/{FILE}": BODY, f"{TOPIC}_cy.ipynb": BODY, "di.ipynb": BODY},
}
STUDENTS = {
    "moodle": {"Ada_Lovelace", "王_小明"},
    "moodle, older": {"Ada_Lovelace", "王_小明"},
    "canvas": {"lovelaceada", "王小明"},
    "github": {"ada-l", "bo"},
    "nbgrader": {"ada", "bo"},
    "plain": {"ada", "bo", "cy", "di"},
}


def other(mark: str) -> bytes:
    """Another notebook than BODY."""
    return BODY.replace(b"}", b"}" + b" " * (1 + len(mark)), 1)


def packed(path: Path, entries: dict[str, bytes], **times: tuple[int, int, int, int, int, int]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in entries.items():
            entry = zipfile.ZipInfo(name, times.get(name, (2026, 3, 1, 12, 0, 0)))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, body)
    return path


def zipped(entries: dict[str, bytes], date: tuple[int, int, int, int, int, int] = LATER) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as inside:
        for name, body in entries.items():
            inside.writestr(zipfile.ZipInfo(name, date), body)
    return buffer.getvalue()


def tarred(entries: dict[str, bytes], mode: str = "w", change: Callable[[tarfile.TarInfo], None] | None = None) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, body in entries.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mtime = len(body), NOON
            if change is not None:
                change(entry)
            archive.addfile(entry, io.BytesIO(body))
    return buffer.getvalue()


def collected(home: Path, source: Path, *words: str, code: int | None = None) -> str:
    """What the command says. Its exit code tells whether everything was taken, unless another one is given."""
    said = collect(home, source, *words)
    assert said.code == (code if code is not None else 3 if "✘ not collected" in said.text else 0), said.text
    return said.text


def there(home: Path) -> dict[str, bytes]:
    """What was handed in, and when; the names that a platform gave are left out."""
    root = home / "submitted"
    files = [path for path in sorted(root.rglob("*")) if path.is_file() and path.name != CAME_AS]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
