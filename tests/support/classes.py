"""Submissions for tests: a perfect notebook, and ways of turning it into what learners really hand in."""

import copy
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import nbformat
from nbformat.notebooknode import NotebookNode
from typer.testing import CliRunner

from embedding_course.messages import ENGLISH
from grader.classroom import records
from grader.classroom.attempts import Attempts
from grader.classroom.class_folder import Classroom
from grader.classroom.policy.course import load_course
from grader.cli import app
from grader.course_source.notebook import release, translated
from grader.engine.fork_server import Learners
from grader.marking.run import Run
from grader.marking.to_grade import waiting
from grader.quality.demo.personas import fill
from grader.submission.notebook_copies import copied
from tests.redteam.honest import TOPIC


def blank(topic: str = TOPIC) -> NotebookNode:
    return copied(_blank(topic))


def perfect(topic: str = TOPIC) -> NotebookNode:
    return copied(_perfect(topic))


@cache
def _blank(topic: str) -> NotebookNode:
    return release(translated(topic, ENGLISH))  # whatever language a test is in


@cache
def _perfect(topic: str) -> NotebookNode:
    return nbformat.reads(fill(topic, _blank(topic), "perfect", 0).content.decode("utf-8"), as_version=4)


def keep(notebook: NotebookNode, folder: Path) -> Path:
    """A learner's own file of the notebook that tests are made with."""
    path = folder / f"{TOPIC}.ipynb"
    nbformat.write(notebook, path)
    return path


def hand_in(home: Path, student: str, content: NotebookNode | bytes, topic: str = TOPIC, name: str = "") -> Path:
    """Put a submission where a class keeps it."""
    folder = home / "submitted" / student / topic
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (name or f"{topic}.ipynb")
    body = content if isinstance(content, bytes) else nbformat.writes(copy.deepcopy(content)).encode("utf-8")
    path.write_bytes(body)
    return path


def still_waiting(classroom: Classroom, topic: str = TOPIC) -> set[str]:
    """Whose submissions another run would grade."""
    submissions = waiting(
        Attempts(classroom, load_course(classroom.home)), [topic], Run(), records.by_submission(classroom.home)
    )
    return {submission.student for submission in submissions}


def graded_with_texts(home: Path, texts: Mapping[str, str], learners: Learners) -> Path:
    """A graded class in which all code is right; `texts` holds the written answer of each student."""
    for student, text in texts.items():
        notebook = perfect()
        for cell in notebook.cells:
            if cell.cell_type == "markdown" and cell.metadata.get("nbgrader", {}).get("solution"):
                cell.source = text
        hand_in(home, student, notebook)
    outcome = CliRunner().invoke(app, ["grade", TOPIC[:2], "--class", str(home)], obj=learners)
    assert outcome.exit_code == 0, outcome.output
    return home
