"""A class with a gradebook of two notebooks."""

import shutil
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from grader.classroom.gradebook.ask import find_alembic

find_alembic()
PEOPLE = {
    "ada": ("Ada", "Lovelace", "ada@x.org", 18.5),
    "=cmd|' /C calc'!A1": ("=1+1", "@SUM(A1)", "+x@x.org", 7.0),
    "xiaoming": ("小明", "王", "xm@x.org", 20.0),
    "nobody": ("No", "Body", "nobody@x.org", None),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "gradebook.db"
    with Gradebook(f"sqlite:///{path}") as book:
        for topic in ("02_gradients", "03_max_norm"):
            book.add_assignment(topic)
            book.add_notebook(topic, topic)
            book.add_grade_cell("all", topic, topic, max_score=20, cell_type="code")
        for name, (first, last, mail, score) in PEOPLE.items():
            book.add_student(name, first_name=first, last_name=last, email=mail)
            if score is not None:
                book.add_submission("03_max_norm", name)
                grade = book.find_grade("all", "03_max_norm", "03_max_norm", name)
                grade.auto_score, grade.needs_manual_grade = score, False
        late = book.find_submission("03_max_norm", "xiaoming")
        late.notebooks[0].late_submission_penalty = 4.0
        book.db.commit()
    return path


@pytest.fixture
def home(tmp_path: Path, made: Path) -> Path:
    shutil.copy2(made, tmp_path / "gradebook.db")
    return tmp_path
