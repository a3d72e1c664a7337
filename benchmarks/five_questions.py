"""`python -m benchmarks.five_questions [NN …]`: record the rows of the table of five questions that the lessons show.

It runs the lessons, all or those of the given numbers, with the reference answers in a folder of its own, and writes what they
measured to data/recorded/five_questions.json. It needs what `make real` installs. Rows of the other lessons stay.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

import msgspec
from nbclient import NotebookClient
from nbformat.notebooknode import NotebookNode

from embedding_course.experiments.five_questions import RECORD
from embedding_course.files import atomic_write
from embedding_course.learner.progress.record import EngineRow, load
from embedding_course.subject.lessons import topics
from grader.course_source.notebook import source
from grader.course_source.start_here import start_here
from grader.paths import ROOT


def measured(notebooks: list[NotebookNode], folder: Path) -> dict[str, EngineRow]:
    """Run notebooks in a folder and return the rows that they measured, by the number of the lesson."""
    os.environ["EMBEDDING_COURSE_STATE"] = str(folder)
    for notebook in notebooks:
        client = NotebookClient(notebook, timeout=900, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
        client.execute()
    return load(folder / "progress.json").engines


def main() -> None:
    """Write the record and print it."""
    parser = argparse.ArgumentParser(description="Record the rows of the table of five questions.")
    parser.add_argument("lessons", nargs="*", help="numbers of lessons, all where none is given")
    chosen = parser.parse_args().lessons
    notebooks = [start_here()] if not chosen or "00" in chosen else []
    notebooks += [source(topic) for topic in topics() if not chosen or topic[:2] in chosen]
    path = ROOT / "data" / RECORD
    rows = msgspec.json.decode(path.read_bytes(), type=dict[str, EngineRow]) if path.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        rows |= measured(notebooks, Path(folder))
    body = msgspec.json.format(msgspec.json.encode(dict(sorted(rows.items()))), indent=1)
    atomic_write(path, body + b"\n")
    for number, row in sorted(rows.items()):
        print(number, row.engine, *row.ranks)


if __name__ == "__main__":
    main()
