"""Grade a class: mark submissions several at a time, write each one's results as it is done."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode

from . import gradebook, records
from .build.notebook import release, source
from .classroom import Classroom, Submission, now
from .engine.learners import Learners
from .hidden import fresh_seed
from .marking import mark, write_verdicts
from .records import Record
from .submission.read import Unreadable, read_notebook
from .submission.rebuild import notes_of, rebuild

__all__ = ["Graded", "grade_class", "grade_submission"]


@dataclass
class Graded:
    """A submission with its record, and the notebook that goes to `autograded/` (None when unreadable)."""

    submission: Submission
    record: Record
    notebook: NotebookNode | None


def grade_submission(learners: Learners, submission: Submission, ours: NotebookNode, seed: int) -> Graded:
    """Mark one submission. A file that cannot be read becomes a record that says why."""
    facts = {
        "student": submission.student, "topic": submission.topic, "seed": seed,
        "submission": records.digest(submission.path), "graded_at": now(),
    }  # fmt: skip
    try:
        reason = submission.missing()
        if reason:
            raise Unreadable(reason)
        rebuilt = rebuild(ours, read_notebook(submission.path), submission.topic)
    except Unreadable as error:
        return Graded(submission, Record(status="unreadable", reason=str(error), **facts), None)
    results = mark(learners, rebuilt, submission.topic, seed)
    record = Record(status="graded", notes=notes_of(rebuilt), results=results, **facts)
    write_verdicts(rebuilt, results)
    return Graded(submission, record, rebuilt)


def grade_class(
    room: Classroom,
    topics: list[str],
    *,
    student: str | None = None,
    seed: int | None = None,
    workers: int | None = None,
) -> Iterator[Graded]:
    """Grade what was submitted, store it, and yield each submission as it is done.

    One seed serves the whole run, so that everybody meets the same hidden cases; it stands in every record.
    Workers mark; only this thread writes.
    """
    seed = fresh_seed() if seed is None else seed
    todo = list(room.submissions(topics, student))
    ours = {topic: release(source(topic)) for topic in {entry.topic for entry in todo}}
    gradebook.prepare(room.db_url)
    for topic, notebook in ours.items():
        gradebook.ensure_assignment(room.db_url, topic, notebook)
    with Learners() as learners, ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        jobs = [pool.submit(grade_submission, learners, entry, ours[entry.topic], seed) for entry in todo]
        for job in as_completed(jobs):
            graded = job.result()
            store(room, graded)
            yield graded


def store(room: Classroom, graded: Graded) -> None:
    """Write a graded submission: the notebook for feedback, the gradebook, and last the record."""
    record = graded.record
    earlier = records.load(room.home, record.topic, record.student)
    if graded.notebook is not None:
        target = room.autograded(graded.submission)
        _write_notebook(target, graded.notebook)
        timestamp = graded.submission.timestamp
        if timestamp is not None:
            (target.parent / "timestamp.txt").write_text(f"{timestamp.isoformat()} UTC", encoding="utf-8")
        gradebook.save_submission(room.db_url, record, graded.notebook, timestamp, earlier)
    records.save(room.home, record)


def _write_notebook(path: Path, notebook: NotebookNode) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_text(nbformat.writes(notebook), encoding="utf-8")
    part.replace(path)
