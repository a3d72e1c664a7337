"""The build: the same bytes everywhere, and a word when what is committed is not what would be built."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
import torch
from typer.testing import CliRunner

from embedding_course.checking import expected
from embedding_course.checking.observation import Observation
from embedding_course.exercises import exercises_of
from embedding_course.subject.lessons import topics
from grader.authoring import build as course
from grader.authoring.reference_page import reference_page
from grader.authoring.translations import LANGUAGES
from grader.cli import app
from grader.course_source.notebook import release, source
from grader.course_source.stored import as_bytes
from grader.paths import NOTEBOOKS, ROOT

BUILD_IN = """
import sys
from pathlib import Path
from grader.authoring import build as course
from embedding_course.checking import expected
out = Path(sys.argv[1])
course.NOTEBOOKS, course.SOURCE = out / "notebooks", out / "source"
course.REFERENCE_PAGE, course.INDEX = out / "exercises.md", out / "index.json"
course.PICTURES = {out / path.name: drawn for path, drawn in course.PICTURES.items()}
expected.FOLDER = out / "expected"
course.compile_all = lambda: None  # the package's own files stay
course.build()
"""


def built_files(folder: Path, seed: str, zone: str) -> dict[str, bytes]:
    """Build with a process that differs from this one in all that should not matter, and return the bytes of each file."""
    folder.mkdir()
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C"}
    subprocess.run([sys.executable, "-c", BUILD_IN, str(folder)], cwd=folder, env=settings, check=True)
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}


@pytest.mark.long
def test_two_builds_write_the_same_bytes(tmp_path: Path) -> None:
    first, second = built_files(tmp_path / "1", "1", "UTC"), built_files(tmp_path / "2", "2", "Asia/Shanghai")
    assert first.keys() == second.keys()
    assert {Path(name).suffix for name in first} == {".ipynb", ".json", ".bin", ".md", ".svg"}
    assert [name for name in first if first[name] != second[name]] == []


@pytest.mark.parametrize("topic", topics())
@pytest.mark.slow
def test_what_is_committed_is_what_is_built(topic: str) -> None:
    fresh = as_bytes(release(source(topic)))
    assert (NOTEBOOKS / topic / f"{topic}.ipynb").read_bytes() == fresh, "run `grader build` and commit"


def test_the_reference_page_is_in_step() -> None:
    assert course.REFERENCE_PAGE.read_text(encoding="utf-8") == reference_page(), "run `grader build` and commit"


@pytest.fixture
def one_topic(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """A course of one notebook and one exercise whose committed files stand in a folder of the test's own, in step."""
    topic = topics()[0]
    exercises, minutes = exercises_of(topic)[:1], course.count_minutes()
    monkeypatch.setattr(course, "count_minutes", lambda: minutes)
    monkeypatch.setattr(course, "topics", lambda: [topic])
    monkeypatch.setattr(course, "compile_all", lambda: None)
    monkeypatch.setattr(course, "exercises_of", lambda topic: exercises)
    for edition in ("", *LANGUAGES):
        shutil.copytree(NOTEBOOKS / edition / topic, tmp_path / "notebooks" / edition / topic)
    shutil.copytree(expected.FOLDER / topic, tmp_path / "expected" / topic)
    shutil.copy(course.REFERENCE_PAGE, tmp_path / "exercises.md")
    shutil.copy(course.INDEX, tmp_path / "index.json")
    facts = shutil.copy(course.CELLS, tmp_path / "cells.json").read_bytes()
    monkeypatch.setattr(course, "cell_facts", lambda: facts)
    targets = {"NOTEBOOKS": "notebooks", "REFERENCE_PAGE": "exercises.md", "INDEX": "index.json", "CELLS": "cells.json"}
    for name, target in targets.items():
        monkeypatch.setattr(course, name, tmp_path / target)
    monkeypatch.setattr(expected, "FOLDER", tmp_path / "expected")
    expected.forget()
    yield topic
    expected.forget()


@pytest.mark.slow
def test_in_step(one_topic: str) -> None:
    assert CliRunner().invoke(app, ["build", "--check"]).exit_code == 0


def with_first(entries: tuple[Any, ...], **changes: Any) -> tuple[Any, ...]:
    return (replace(entries[0], **changes), *entries[1:])


def with_another_trace(shipped: expected.Expectation) -> expected.Expectation:
    """As if a mistake had changed without a build."""
    first = shipped.fingerprints[0]
    index, trace = next((index, trace) for index, trace in enumerate(first.traces) if trace and not trace.outline.raised)
    moved = replace(trace, outline=Observation(value="something else"))
    traces = (*first.traces[:index], moved, *first.traces[index + 1 :])
    return replace(shipped, fingerprints=with_first(shipped.fingerprints, traces=traces))


#: Ways in which what is shipped of an exercise no longer follows from its sources.
CHANGED: dict[str, Callable[[expected.Expectation], expected.Expectation]] = {
    "case changed": lambda shipped: replace(shipped, cases=with_first(shipped.cases, name="another")),
    "result changed": lambda shipped: replace(shipped, expected=with_first(shipped.expected, value=torch.zeros(1))),
    "diagnosis changed": lambda shipped: replace(shipped, fingerprints=with_first(shipped.fingerprints, diagnosis="No.")),
    "mistake forgotten": lambda shipped: replace(shipped, fingerprints=shipped.fingerprints[1:]),
    "mistake computes something else": with_another_trace,
}

#: Files of the whole course that are built.
PAGES = {"page edited": "exercises.md", "index edited": "index.json", "facts of cells edited": "cells.json"}


@pytest.mark.slow
@pytest.mark.parametrize("spoil", ["notebook edited", "notebook missing", "expectations missing", *CHANGED, *PAGES])
def test_out_of_step(spoil: str, one_topic: str, tmp_path: Path) -> None:
    released = tmp_path / "notebooks" / one_topic / f"{one_topic}.ipynb"
    exercise = exercises_of(one_topic)[0]
    if spoil == "notebook edited":
        edited = nbformat.read(released, as_version=4)
        edited.cells[0].source += " "
        nbformat.write(edited, released)
    elif spoil == "notebook missing":
        released.unlink()
    elif spoil == "expectations missing":
        expected.file_of(exercise).unlink()
    elif spoil in CHANGED:
        expected.save(exercise, CHANGED[spoil](expected.load(exercise)))
        expected.forget()
    else:
        (tmp_path / PAGES[spoil]).write_text("[]", encoding="utf-8")
    outcome = CliRunner().invoke(app, ["build", "--check"], env={"COLUMNS": "400"})
    assert outcome.exit_code == 1 and outcome.output.count("out of step:") == 1 and "grader build" in outcome.output
    assert one_topic in outcome.output or any(name in outcome.output for name in PAGES.values())


def test_the_last_bits_may_differ() -> None:
    mine = {"a": [1, 0.1, {"$float": "nan"}], "b": "text", "c": True}
    assert course.same_tree(mine, {**mine, "a": [1, 0.1 + 1e-12, {"$float": "nan"}]})
    for other in ({**mine, "a": [1, 0.2, {"$float": "nan"}]}, {**mine, "b": "other"}, {**mine, "c": 1}, {"a": mine["a"]}):
        assert not course.same_tree(mine, other)
