"""The build: the same bytes everywhere, stubs that keep what a learner reads, and nothing of the answer."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest
import torch
from support.answers import leaks, statements
from support.classes import blank
from typer.testing import CliRunner

from embedding_course.checking import expected
from embedding_course.checking.exercise import Exercise
from embedding_course.checking.observation import Observation
from embedding_course.exercises import exercises_of, known
from embedding_course.lessons import topics
from grader.authoring import build as course
from grader.authoring.reference_page import reference_page, stub_text
from grader.cli import app
from grader.course_source import notebook
from grader.course_source.catalogue import mistakes_of, reference_source
from grader.course_source.lesson import read_lesson
from grader.course_source.stored import as_bytes
from grader.course_source.stub import definition, solution_source
from grader.paths import NOTEBOOKS, ROOT
from grader.quality.audit import stub_source

pytestmark = pytest.mark.xdist_group("build")  # what its fixture makes is made once

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
course.build()
"""


def build_into(folder: Path, seed: str, zone: str) -> Path:
    """A build by a process that differs from this one in all that should not matter."""
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C"}
    subprocess.run([sys.executable, "-c", BUILD_IN, str(folder)], cwd=folder, env=settings, check=True)
    return folder


def built_files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_into(tmp_path_factory.mktemp("first"), "1", "UTC")


@pytest.mark.long
def test_two_builds_write_the_same_bytes(built: Path, tmp_path: Path) -> None:
    first, second = built_files(built), built_files(build_into(tmp_path, "2", "Asia/Shanghai"))
    assert first.keys() == second.keys()
    assert {Path(name).suffix for name in first} == {".ipynb", ".json", ".bin", ".md", ".svg"}
    assert [name for name in first if first[name] != second[name]] == []


@pytest.mark.parametrize("topic", topics())
@pytest.mark.slow
def test_what_is_committed_is_what_is_built(topic: str, built: Path) -> None:
    fresh = built / "notebooks" / topic / f"{topic}.ipynb"
    assert (NOTEBOOKS / topic / f"{topic}.ipynb").read_bytes() == fresh.read_bytes(), "run `grader build` and commit"


def test_the_reference_page_is_in_step() -> None:
    assert course.REFERENCE_PAGE.read_text(encoding="utf-8") == reference_page(), "run `grader build` and commit"


@pytest.mark.parametrize("topic", topics())
def test_no_statement_of_an_answer_survives_in_a_notebook(topic: str) -> None:
    assert leaks("released.ipynb", as_bytes(blank(topic))) == []


def test_no_statement_of_an_answer_stands_in_the_reference_page() -> None:
    assert leaks("exercises.md", reference_page().encode("utf-8")) == []


def test_the_search_for_answers_finds_them() -> None:
    assert len(statements()) > 10
    for topic in topics():
        assert leaks("source.ipynb", as_bytes(notebook.source(topic)))


@pytest.mark.parametrize("topic", topics())
def test_ids_are_unique_and_come_from_the_lesson(topic: str) -> None:
    released = blank(topic)
    ids = [cell.id for cell in released.cells]
    assert len(ids) == len(set(ids))
    keys = [cell.key for cell in read_lesson(topic)]
    assert {re.sub("-(task|check|answer)$", "", name) for name in ids} <= set(keys)
    grade_ids = [cell.metadata.nbgrader.grade_id for cell in released.cells if "nbgrader" in cell.metadata]
    assert len(grade_ids) == len(set(grade_ids))


@pytest.mark.parametrize("topic", topics())
def test_each_check_stands_right_below_its_stub(topic: str) -> None:
    cells = blank(topic).cells
    for exercise in exercises_of(topic):
        ids = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in cells]
        place = ids.index(exercise.grade_id)
        header, stub, check = cells[place - 1 : place + 2]
        assert exercise.id in header.source and exercise.title in header.source
        assert f"{exercise.minutes} minutes" in header.source and " point" in header.source and "★" in header.source
        assert "raise NotImplementedError" in stub.source and not stub.metadata.nbgrader.get("locked")
        assert check.source == f'check("{exercise.id}", {exercise.name})'
        marks = check.metadata.nbgrader
        assert marks.grade and marks.locked and marks.points == (exercise.points if exercise.core else 0)


def _shape(text: str) -> list[tuple[str, str, str | None]]:
    """Name, signature and docstring of each function and class in a text."""
    return [
        (node.name, ast.unparse(node.args) if hasattr(node, "args") else "", ast.get_docstring(node))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    ]  # fmt: skip


@pytest.mark.parametrize("exercise", known().values(), ids=list(known()))
def test_a_stub_keeps_signature_docstring_and_example(exercise: Exercise) -> None:
    text = definition(reference_source(exercise), exercise.name)
    stub = stub_source(text)
    kept, whole = _shape(stub), _shape(text)
    assert kept[0] == whole[0]
    assert set(kept) <= set(whole)
    document = kept[0][2] or ""
    examples = document + "".join(entry[2] or "" for entry in kept)
    assert ">>>" in examples, "a tiny worked example"
    assert "return" in examples.lower() or "raises" in examples.lower() or "shape" in examples.lower()
    assert "raise NotImplementedError" in stub and "### " not in stub
    ast.parse(stub)


@pytest.mark.parametrize("exercise", known().values(), ids=list(known()))
def test_the_reference_page_tells_and_does_not_give_away(exercise: Exercise) -> None:
    page = reference_page()
    part = page[page.index(f"### {exercise.id}\n") :].split("\n### ")[0]
    assert exercise.title in part and exercise.why in part and stub_text(exercise) in part
    assert f"Known mistakes: {len(mistakes_of(exercise))}." in part
    for criterion in exercise.criteria:
        assert f"| {criterion.name} |" in part
    for mistake in mistakes_of(exercise):
        assert mistake.diagnosis not in page and mistake.source not in page


CLASS = '''\
class Table(nn.Module):
    """A table."""

    def __init__(self, rows: int) -> None:
        """rows  how many"""
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(rows))

    def _secret(self) -> int:
        return len(self.weight) + 1

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """ids -> rows"""
        return self.weight[ids]
'''


def test_a_class_keeps_its_methods_and_loses_its_helpers() -> None:
    stub = stub_source(CLASS)
    assert "super().__init__()" in stub and '"""rows  how many"""' in stub and '"""ids -> rows"""' in stub
    assert "_secret" not in stub and "Parameter" not in stub and "self.weight" not in stub
    assert stub.count("raise NotImplementedError") == 2
    ast.parse(stub)
    marked = solution_source(CLASS)
    assert marked.count("BEGIN SOLUTION") == marked.count("END SOLUTION") == 2
    scope: dict = {}
    exec("import torch\nfrom torch import nn\n" + marked, scope)
    assert scope["Table"](3)._secret() == 4


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    return x + 1\n",
        'def f(x):\n    """Doc."""\n    return x + 1\n',
        "def f(x):\n    '''Doc\n    on lines.'''\n\n    # a telling comment\n    return x + 1\n",
        'def f(\n    x,\n    y=1,\n):\n    """Doc."""\n    if x:\n        return 1\n    return x + 1\n',
        'def f(x):\n    """Doc."""\n    def inner():\n        """Inner."""\n        return x + 1\n    return inner()\n',
    ],
)
def test_functions_lose_exactly_their_body(text: str) -> None:
    stub = stub_source(text)
    assert "x + 1" not in stub and "telling" not in stub and "inner" not in stub
    assert stub.startswith(text.split(":\n")[0]) and ("Doc" in stub) == ("Doc" in text)


LESSON = '# %% [markdown] key="title"\n# # Title\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# %% [markdown]\n# no key\n", "no usable key"),
        ('# %% key="Not_Good"\n1\n', "no usable key"),
        (LESSON + LESSON, "two cells have the key"),
    ],
)
def test_a_lesson_with_bad_keys_is_refused(text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from grader.course_source import lesson

    monkeypatch.setattr(lesson, "SOLUTIONS", tmp_path)
    (tmp_path / "01_x").mkdir()
    (tmp_path / "01_x" / "lesson.py").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        read_lesson("01_x")


def test_a_forgotten_exercise_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from grader.course_source import lesson

    topic = topics()[0]
    monkeypatch.setattr(lesson, "SOLUTIONS", tmp_path)
    (tmp_path / topic).mkdir()
    (tmp_path / topic / "lesson.py").write_text(LESSON, encoding="utf-8")
    with pytest.raises(LookupError, match="places"):
        notebook.source(topic)


@pytest.fixture
def one_topic(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, built: Path) -> str:
    """A course of one notebook whose committed files stand in a folder of the test's own, in step."""
    topic = topics()[0]
    monkeypatch.setattr(course, "topics", lambda: [topic])
    for name, target in (("NOTEBOOKS", "notebooks"), ("REFERENCE_PAGE", "exercises.md"), ("INDEX", "index.json")):
        monkeypatch.setattr(course, name, tmp_path / target)
    monkeypatch.setattr(course, "PICTURES", {tmp_path / path.name: drawn for path, drawn in course.PICTURES.items()})
    monkeypatch.setattr(expected, "FOLDER", tmp_path / "expected")
    for file in built.rglob("*.*"):
        target = tmp_path / file.relative_to(built)
        if file.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
    return topic


@pytest.mark.slow
def test_in_step(one_topic: str) -> None:
    assert course.out_of_step() == []
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoil",
    [
        "notebook edited",
        "notebook missing",
        "expectations missing",
        *CHANGED,
        "page edited",
        "index edited",
    ],
)
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
        (tmp_path / ("exercises.md" if spoil == "page edited" else "index.json")).write_text("[]", encoding="utf-8")
    (said,) = course.out_of_step()
    assert one_topic in said or "exercises.md" in said or "index.json" in said
    outcome = CliRunner().invoke(app, ["build", "--check"])
    assert outcome.exit_code == 1 and "grader build" in outcome.output


def test_the_last_bits_may_differ() -> None:
    mine = {"a": [1, 0.1, {"$float": "nan"}], "b": "text", "c": True}
    assert course.same_tree(mine, {**mine, "a": [1, 0.1 + 1e-12, {"$float": "nan"}]})
    for other in ({**mine, "a": [1, 0.2, {"$float": "nan"}]}, {**mine, "b": "other"}, {**mine, "c": 1}, {"a": mine["a"]}):
        assert not course.same_tree(mine, other)
