"""A graded class of five with written answers, for all tests of the desk; each test works on a copy."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.classroom.class_folder import Classroom
from grader.marking.written.desk import Desk
from tests.support.classes import TOPIC, graded_with_texts

CELL = "reflection-answer"
TEXTS = {
    "ada": "The clip happens at the lookup, and Adam moves the row afterwards.",
    "bo": "the clip happens at lookup; and adam moves the row afterwards!",
    "cy": "I would trust both statements.",
    "di": "查表时才裁剪，优化器之后又移动了这一行。",
    "eve": "",
}


@pytest.fixture(scope="package")
def shared(tmp_path_factory: pytest.TempPathFactory, learners) -> Path:
    return graded_with_texts(tmp_path_factory.mktemp("class"), TEXTS, learners)


@pytest.fixture
def home(shared: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(shared, tmp_path / "class"))


@pytest.fixture
def desk(home: Path) -> Iterator[Desk]:
    desk = Desk(Classroom(home).db_url, TOPIC, CELL)
    yield desk
    desk.close()
