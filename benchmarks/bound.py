"""The bound: what the learners' own code costs, run in one warm process with nothing around it.

Run as ``python -m benchmarks.bound HOME TOPIC...``; prints the seconds of processor time of one submission, on
average.
"""

from __future__ import annotations

import contextlib
import io
import sys
import time
from pathlib import Path

from embedding_course.checking.intake.quiet_shell import make_shell
from embedding_course.checking.observe import observe
from embedding_course.exercises import exercises_of
from grader.classroom.class_folder import Classroom
from grader.course_source.notebook import release, source
from grader.course_source.prepared import prepared
from grader.engine.warm import warm
from grader.submission.read import read_notebook
from grader.submission.rebuild import rebuild, runnable

__all__ = ["main"]


def main(home: Path, topics: list[str]) -> None:
    """Print the seconds of processor time that the code of one submission takes, on average over a class."""
    shell = make_shell()
    warm(shell, topics)
    jobs = []
    for submission in Classroom(home).submissions(topics):
        ours = release(source(submission.topic))
        jobs.append((submission.topic, runnable(rebuild(ours, read_notebook(submission.path), submission.topic))))
    for topic in topics:
        for exercise in exercises_of(topic):
            _ = prepared(exercise.id, 1).expected
    begun = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for topic, cells in jobs:
            _run(shell, topic, [step.source for step in cells if step.source])
    print((time.process_time() - begun) / len(jobs))


def _run(shell: object, topic: str, cells: list[str]) -> None:
    for cell in cells:
        shell.run_cell(cell, store_history=False, silent=True)  # type: ignore[attr-defined]
    for exercise in exercises_of(topic):
        answer = shell.user_ns.get(exercise.name)  # type: ignore[attr-defined]
        for case in prepared(exercise.id, 1).cases if answer else ():
            observe(exercise, answer, case)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
