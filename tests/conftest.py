"""What all tests share: a memory of their own, so that no test sees the progress of another or of the person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from click.testing import Result

    from grader.engine.fork_server import Learners


@pytest.fixture(autouse=True)
def own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Progress goes into the test's own folder."""
    from embedding_course import files

    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(files, "_chosen", None)
    return tmp_path / "state"


@pytest.fixture(scope="session", autouse=True)
def one_version_of_gradebooks() -> Iterator[None]:
    """nbgrader asks a process of its own for the version of each gradebook that it makes, which takes seconds: once will do."""
    from nbgrader import api

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(api, "get_alembic_version", cache(api.get_alembic_version))
        yield


@pytest.fixture(scope="session", autouse=True)
def docstrings_are_read_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Reading the docstrings of the installed libraries takes half a minute: all tests share what was read."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EMBEDDING_COURSE_CACHE", str(tmp_path_factory.getbasetemp().parent / "docstrings"))
        yield


@pytest.fixture(scope="session")
def learners() -> Iterator[Learners]:
    """A warm zygote for all tests of this process that want learners of the ordinary kind."""
    from grader.engine.fork_server import Learners

    with Learners() as processes:
        yield processes


@pytest.fixture
def command(learners: Learners) -> Callable[..., Result]:
    """`grader`'s command line in this process, on the warm learners: to start others takes seconds."""
    from typer.testing import CliRunner

    from grader.cli import app

    return lambda *words: CliRunner().invoke(app, [str(word) for word in words], obj=learners)
