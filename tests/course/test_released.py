"""What learners are given: stubs that keep what they read, and nothing of the answer."""

import ast
import re
from pathlib import Path

import pytest

from embedding_course.checking.exercise import Exercise
from embedding_course.exercises import exercises_of, known
from embedding_course.subject.lessons import topics
from grader.authoring.reference_page import reference_page, stub_text
from grader.course_source import notebook
from grader.course_source.catalogue import mistakes_of, reference_source
from grader.course_source.lesson import read_lesson
from grader.course_source.sittings import MADE
from grader.course_source.stored import as_bytes
from grader.course_source.stub import definition, solution_source
from grader.quality.audit import stub_source
from tests.support.answers import leaks, statements
from tests.support.classes import blank


@pytest.mark.parametrize("topic", topics())
def test_no_statement_of_an_answer_survives_in_a_notebook(topic: str) -> None:
    assert leaks("released.ipynb", as_bytes(blank(topic))) == []


@pytest.fixture(scope="module")
def page() -> str:
    return reference_page()


def test_no_statement_of_an_answer_stands_in_the_reference_page(page: str) -> None:
    assert leaks("exercises.md", page.encode("utf-8")) == []


def test_the_search_for_answers_finds_them() -> None:
    assert len(statements()) > 10
    for topic in topics():
        assert leaks("source.ipynb", as_bytes(notebook.source(topic)))


@pytest.mark.parametrize("topic", topics())
def test_ids_are_unique_and_come_from_the_lesson(topic: str) -> None:
    released = blank(topic)
    ids = [cell.id for cell in released.cells]
    assert len(ids) == len(set(ids))
    keys = [*(cell.key for cell in read_lesson(topic)), *MADE]
    assert {re.sub("-(task|check|answer)$", "", name) for name in ids} <= set(keys)
    grade_ids = [cell.metadata.nbgrader.grade_id for cell in released.cells if "nbgrader" in cell.metadata]
    assert len(grade_ids) == len(set(grade_ids))


@pytest.mark.parametrize("topic", topics())
def test_each_check_stands_right_below_its_stub(topic: str) -> None:
    cells = blank(topic).cells
    for exercise in exercises_of(topic):
        ids = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in cells]
        index = ids.index(exercise.grade_id)
        header, stub, check = cells[index - 1 : index + 2]
        assert exercise.id in header.source and exercise.title in header.source
        assert f"{exercise.minutes} minutes" in header.source and " point" in header.source and "★" in header.source
        assert "raise NotImplementedError" in stub.source and not stub.metadata.nbgrader.get("locked")
        assert check.source == f'check("{exercise.id}")'
        marks = check.metadata.nbgrader
        assert marks.grade and marks.locked and marks.points == (exercise.points if exercise.core else 0)


def _shape(text: str) -> list[tuple[str, str, str | None]]:
    """Name, signature and docstring of each function and class in a text."""
    return [
        (node.name, ast.unparse(node.args) if hasattr(node, "args") else "", ast.get_docstring(node))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    ]


@pytest.mark.parametrize("exercise", known().values(), ids=list(known()))
def test_a_stub_keeps_signature_docstring_and_example(exercise: Exercise) -> None:
    text = definition(reference_source(exercise), exercise.name)
    stub = stub_source(text)
    kept, whole = _shape(stub), _shape(text)
    assert kept[0] == whole[0]
    assert set(kept) <= set(whole)
    document = kept[0][2] or ""
    examples = document + "".join(shape[2] or "" for shape in kept)
    assert ">>>" in examples, "a tiny worked example"
    assert "return" in examples.lower() or "raises" in examples.lower() or "shape" in examples.lower()
    assert "raise NotImplementedError" in stub and "### " not in stub
    ast.parse(stub)


@pytest.mark.parametrize("exercise", known().values(), ids=list(known()))
def test_the_reference_page_tells_and_does_not_give_away(exercise: Exercise, page: str) -> None:
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
    ("text", "message"),
    [
        ("# %% [markdown]\n# no key\n", "no usable key"),
        ('# %% key="Not_Good"\n1\n', "no usable key"),
        (LESSON + LESSON, "two cells have the key"),
    ],
)
def test_a_lesson_with_bad_keys_is_refused(text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from grader.course_source import lesson

    monkeypatch.setattr(lesson, "SOLUTIONS", tmp_path)
    (tmp_path / "01_x").mkdir()
    (tmp_path / "01_x" / "lesson.py").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_lesson("01_x")


def test_a_forgotten_exercise_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from grader.course_source import lesson

    topic = topics()[0]
    monkeypatch.setattr(lesson, "SOLUTIONS", tmp_path)
    (tmp_path / topic).mkdir()
    (tmp_path / topic / "lesson.py").write_text(LESSON, encoding="utf-8")
    with pytest.raises(LookupError, match="places"):
        notebook.source(topic)
