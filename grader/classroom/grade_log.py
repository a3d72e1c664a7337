"""A line for each submission that was graded, for machines: time, student, notebook, score, status, between tabs."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from embedding_course.checking.result import number

from .records import GradeRecord


def log_line(record: GradeRecord) -> str:
    """One record as a line. The score is empty where there is none."""
    score = number(record.score) if record.status == "graded" else ""
    return "\t".join([record.graded_at, record.student, record.topic, score, record.status])


@contextlib.contextmanager
def open_log(path: Path | None) -> Iterator[Callable[[GradeRecord], object]]:
    """What appends a record to the file, at once; nothing where there is no file."""
    if path is None:
        yield lambda record: None
        return
    with path.open("a", encoding="utf-8", buffering=1) as file:
        yield lambda record: file.write(f"{log_line(record)}\n")
