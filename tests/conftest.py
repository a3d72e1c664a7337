"""What all tests share: a memory of their own, so that no test sees the progress of another or of the person."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from grader.engine.fork_server import Learners


@pytest.fixture(autouse=True)
def own_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Progress goes into the test's own folder."""
    from embedding_course import state_folder

    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(state_folder, "_chosen", None)
    return tmp_path / "state"


@pytest.fixture(scope="session")
def learners() -> Iterator[Learners]:
    """A warm zygote for all tests of this process that want learners of the ordinary kind."""
    from grader.engine.fork_server import Learners

    with Learners() as found:
        yield found


@pytest.fixture
def one_zygote(learners: Learners, monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs in this process and wants ordinary learners is lent the warm ones: to start others takes seconds."""
    from grader.engine import fork_server as module
    from grader.marking import open_marker as markers
    from grader.quality import steadiness as steady
    from grader.quality import try_file as candidate
    from grader.quality import try_folder

    ordinary = {"strongest": "full", "limits": None, "patience": None, "kernels": False}
    start: Callable[..., AbstractContextManager[Learners]] = module.Learners

    def lent(**asked: Any) -> AbstractContextManager[Learners]:
        plain = all(asked.get(name, value) == value for name, value in ordinary.items())
        return nullcontext(learners) if plain else start(**asked)

    for user in (candidate, markers, steady, try_folder, module):
        monkeypatch.setattr(user, "Learners", lent)
