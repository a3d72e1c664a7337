"""Every notebook ends by telling what to do before handing in, and running all its cells hands nothing in."""

from __future__ import annotations

import ast
from pathlib import Path

import nbformat
import pytest

from embedding_course.lessons import topics
from grader.course_source import lesson
from grader.course_source.lesson import read_lesson
from grader.paths import NOTEBOOKS


@pytest.mark.parametrize("topic", topics())
def test_the_last_cells(topic: str) -> None:
    cells = nbformat.read(NOTEBOOKS / topic / f"{topic}.ipynb", as_version=4).cells[-3:]
    assert [cell.id for cell in cells] == ["hand-in", "doctor", "submit"]
    told, doctor, submit = (cell.source for cell in cells)
    assert told.index("`doctor()`") < told.index("`submit()`") and "Save first" in told
    assert doctor.endswith("\ndoctor()") and "import doctor, submit" in doctor
    assert ast.parse(submit).body == [], "it is a comment until the learner wants it"
    assert "submit()" in submit


def test_a_lesson_may_not_use_their_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson, "SOLUTIONS", tmp_path)
    (tmp_path / "01_x").mkdir()
    (tmp_path / "01_x" / "lesson.py").write_text('# %% key="doctor"\n1\n', encoding="utf-8")
    with pytest.raises(ValueError, match="every notebook ends with"):
        read_lesson("01_x")
