"""What was handed in, for tests of `grader collect`: notebooks with answers and without, and the table that it ends with."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import nbformat
from typer.testing import CliRunner

from embedding_course.exercises.index import entries_of
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
        found = [row.fate for row in self.rows if file in row.file]
        assert len(found) == 1, f"{file}: {found}\n{self.text}"
        return found[0]

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
    said = Said(outcome.exit_code, outcome.output)
    if said.rows:
        assert said.code == (3 if "✘" in said.text else 0), said.text
    return said


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
