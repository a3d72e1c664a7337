"""Run `grader export`, and read what it wrote."""

import csv
import io
from pathlib import Path

from typer.testing import CliRunner

from grader.cli import app

run = CliRunner().invoke


def exported(home: Path, *words: str, code: int = 0) -> str:
    outcome = run(app, ["export", "--class", str(home), *words])
    assert outcome.exit_code == code, outcome.output
    return " ".join(outcome.output.split())


def table(path: Path) -> list[list[str]]:
    text = path.read_text(encoding="utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=";" if text.startswith("Identifier;") else ","))
