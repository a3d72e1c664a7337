"""The version of the checks changes with all that decides over a mark, and with nothing else."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from embedding_course.subject.lessons import LESSONS
from grader.marking import check_version as version
from grader.marking import imported_modules as imported
from grader.marking.imported_modules import needed_by
from grader.paths import ROOT

TOPICS = [lesson.topic for lesson in LESSONS]


pytestmark = pytest.mark.xdist_group("check version")  # what its fixtures make is made once


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course's own texts, from which the versions are made."""
    folder = tmp_path_factory.mktemp("course")
    for name in ("embedding_course", "grader", "solutions"):
        shutil.copytree(
            ROOT / name,
            folder / name,
            ignore=lambda folder, names: [
                file_name for file_name in names if not file_name.endswith(".py") and not Path(folder, file_name).is_dir()
            ],
        )
    return folder


@pytest.fixture
def course(copied: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the course's texts; whoever changes it changes it back."""
    monkeypatch.setattr(imported, "HOMES", (copied / "embedding_course", copied / "grader"))
    monkeypatch.setattr(version, "ROOT", copied)
    monkeypatch.setattr(version, "SOLUTIONS", copied / "solutions")
    yield copied
    _forget()


def _forget() -> None:
    for cached in (version.check_version, version.exercise_versions, imported._paths, imported._imports):
        cached.cache_clear()


def _versions() -> dict[str, str]:
    _forget()
    return {topic: version.check_version(topic) for topic in TOPICS}


@pytest.fixture(scope="module")
def unchanged() -> dict[str, str]:
    """The versions of the untouched course, once somebody has asked for them."""
    return {}


@pytest.fixture
def changed(course: Path, unchanged: dict[str, str]) -> Callable[[str], set[str]]:
    """The notebooks whose version another file changes."""
    if not unchanged:
        unchanged.update(_versions())

    def change(name: str, old: str = "", new: str = "# another line\n") -> set[str]:
        path = course / name
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(old, new, 1) if old else text + new, encoding="utf-8")
        after = _versions()
        path.write_text(text, encoding="utf-8")
        return {topic for topic in TOPICS if after[topic] != unchanged[topic]}

    return change


@pytest.mark.parametrize(
    "name",
    [
        "embedding_course/checking/show.py",
        "embedding_course/checking/submission_limits.py",
        "embedding_course/checking/compare.py",
        "embedding_course/checking/redact.py",
        "grader/marking/reference_answers.py",
        "grader/marking/hidden_check.py",
        "grader/marking/mark.py",
        "grader/marking/submission_task.py",
        "grader/classroom/policy/points.py",
        "grader/engine/worker.py",
        "grader/engine/wire.py",
        "grader/engine/reference_process.py",
        "grader/engine/sandbox/seccomp.py",
        "grader/engine/sandbox/__init__.py",
        "grader/engine/jupyter_kernels/runners.py",
        "grader/submission/rebuild.py",
        "grader/course_source/stub.py",
    ],
)
def test_what_decides_everywhere(changed, name: str) -> None:
    assert changed(name) == set(TOPICS)


def test_what_decides_in_some(changed) -> None:
    assert changed("embedding_course/exercises/03_max_norm/renorm_rows.py") == {"03_max_norm"}
    assert changed("embedding_course/exercises/03_max_norm/tables.py") == {"03_max_norm"}
    (mistakes, *_) = sorted((ROOT / "solutions/05_lstm_seq2seq/mistakes").glob("*.py"))
    assert changed(mistakes.relative_to(ROOT).as_posix()) == {"05_lstm_seq2seq"}
    assert changed("solutions/07_attention/reference/leaks.py") == {"07_attention"}
    assert "07_attention" in changed("embedding_course/checking/partial_credit.py") != set(TOPICS)


def test_cells_that_run_in_grading_decide_and_prose_does_not(changed) -> None:
    lesson = "solutions/02_gradients/lesson.py"
    assert changed(lesson, "\nimport torch\n", "\nimport torch\nimport math as maths\n") == {"02_gradients"}
    assert changed(lesson) == set()


@pytest.mark.parametrize(
    "name",
    [
        "embedding_course/plot/__init__.py",
        "embedding_course/plot/style.py",
        "embedding_course/learner/progress/show_progress.py",
        "embedding_course/learner/submit.py",
        "embedding_course/__init__.py",
        "grader/classroom/gradebook/book.py",
        "grader/report/class_page.py",
        "grader/cli/grade.py",
        "grader/marking/crew.py",
        "grader/marking/cluster.py",
    ],
)
def test_what_does_not_decide(changed, name: str) -> None:
    assert changed(name) == set()


def test_imports_are_found_wherever_they_stand(course: Path) -> None:
    (course / "grader/odd.py").write_text(
        'TEXT = """\ndef not_code(): import grader.classroom.release\n"""\nfrom typing import TYPE_CHECKING\n'
        "if TYPE_CHECKING:\n    from . import report\n"
        "def late():\n    try:\n        from .engine import zygote, wire as frames\n"
        "    except ImportError:\n        import grader.paths\n"
        "    else:\n        from embedding_course.checking.wire_data import Parts, strided\n",
        encoding="utf-8",
    )
    _forget()
    modules = needed_by("grader.odd")
    (course / "grader/odd.py").unlink()
    assert {"grader.engine.zygote", "grader.engine.wire", "grader.paths", "embedding_course.checking.wire_data"} <= modules
    assert not {"grader.classroom.release", "grader.report", "grader.engine", "embedding_course"} & modules


def test_it_is_computed_once() -> None:
    _forget()
    began = time.process_time()
    version.check_version(TOPICS[0])
    first = time.process_time()
    version.check_version(TOPICS[0])
    assert 20 * (time.process_time() - first) < first - began


@pytest.mark.parametrize(
    ("file", "changed_exercises"),
    [
        ("embedding_course/exercises/03_max_norm/renorm_rows.py", {"03.renorm_rows"}),
        ("solutions/03_max_norm/reference/renorm_rows.py", {"03.renorm_rows"}),
        ("solutions/03_max_norm/mistakes/renorm_rows.py", {version.SHARED}),
        ("embedding_course/checking/compare.py", {version.SHARED}),
    ],
)
def test_the_version_of_an_exercise_changes_with_it_alone(course: Path, file: str, changed_exercises: set[str]) -> None:
    before = version.exercise_versions("03_max_norm")
    path = course / file
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}\n# another line\n", encoding="utf-8")
    _forget()
    after = version.exercise_versions("03_max_norm")
    path.write_text(text, encoding="utf-8")
    assert {name for name, digits in after.items() if digits != before[name]} == changed_exercises
