"""Our rebuilding and marking behind nbgrader's own commands, by its extension points alone.

`nbgrader autograde` runs two lists of preprocessors over a submission: one that sanitises, one that grades. `Rebuild`
leads the first and `Mark` replaces execution in the second; cells, scores and late penalties are nbgrader's.
"""

from __future__ import annotations

import atexit
from functools import cache
from pathlib import Path
from typing import Any

from nbformat.notebooknode import NotebookNode
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    NbGraderPreprocessor,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)

from embedding_course.lessons import lesson

from . import gradebook, records
from .build.notebook import release, source
from .classroom import now
from .engine.learners import Learners
from .feedback.page import configure_page
from .hidden import fresh_seed
from .marking import mark, write_verdicts
from .paths import NOTEBOOKS, SOURCE
from .submission.rebuild import notes_of, rebuild, written

__all__ = ["Mark", "Rebuild", "SaveExtraCredit", "configure"]


@cache
def _learners() -> Learners:
    """One zygote for the whole command."""
    found = Learners()
    atexit.register(found.close)
    return found


@cache
def _seed() -> int:
    """One seed for the whole command, so that everybody meets the same hidden cases."""
    return fresh_seed()


@cache
def _release(topic: str) -> NotebookNode:
    return release(source(topic))


class Rebuild(NbGraderPreprocessor):
    """Put the learner's answers into the instructor's notebook."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        topic = lesson(resources["nbgrader"]["assignment"]).topic
        return rebuild(_release(topic), nb, topic), resources


class Mark(NbGraderPreprocessor):
    """The hidden check of every exercise; verdicts and points go into the check cells' outputs."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        facts = resources["nbgrader"]
        results = mark(_learners(), nb, facts["assignment"], _seed())
        resources["embedding_course"] = records.Record(
            student=facts["student"], topic=facts["assignment"], status="graded", seed=_seed(), submission="",
            graded_at=now(), notes=notes_of(nb), results=results, written=written(nb), runner="engine",
            sandbox=f"{_learners().level}: {_learners().how}",
        )  # fmt: skip
        write_verdicts(nb, results)
        return nb, resources


class SaveExtraCredit(NbGraderPreprocessor):
    """Extra credit of further exercises into the gradebook, verdicts into the class's records."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        record = resources["embedding_course"]
        home = Path(resources["nbgrader"]["db_url"].removeprefix("sqlite:///")).parent
        if not home.is_dir():  # a gradebook elsewhere: the records lie in the folder of the class
            home = Path.cwd()
        earlier = records.load(home, record.topic, record.student)
        gradebook.save_extra_credit(resources["nbgrader"]["db_url"], record, earlier)
        records.save(home, record)
        return nb, resources


def configure(config: Any, home: Path | None = None) -> None:
    """Fill an nbgrader configuration for the class in the folder `home` (the one of the config file)."""
    gradebook.find_alembic()
    config.CourseDirectory.root = str((home or Path.cwd()).resolve())
    config.CourseDirectory.course_id = "embeddings"
    config.CourseDirectory.source_directory = str(SOURCE)
    config.CourseDirectory.release_directory = str(NOTEBOOKS)
    config.Autograde.sanitize_preprocessors = [Rebuild, OverwriteKernelspec, OverwriteCells, CheckCellMetadata]
    config.Autograde.autograde_preprocessors = [
        Mark, SaveAutoGrades, SaveExtraCredit, AssignLatePenalties, CheckCellMetadata,
    ]  # fmt: skip
    config.ExchangeFactory.release_feedback = "grader.feedback.release.ReleaseFeedback"
    configure_page(config)
    # Names of students may hold dots and plus signs; only path separators are out.
    config.CourseDirectory.student_id_exclude = ""
    config.ClearSolutions.code_stub = {"python": "# YOUR CODE HERE\nraise NotImplementedError()"}
