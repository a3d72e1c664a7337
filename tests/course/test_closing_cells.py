"""Every notebook ends by telling what to do before handing in, and running all its cells hands nothing in."""

import ast
import sys
import types
from pathlib import Path

import nbformat
import pytest

from embedding_course.subject.lessons import lesson as by_number
from embedding_course.subject.lessons import topics
from grader.course_source import lesson
from grader.course_source.lesson import read_lesson
from grader.paths import NOTEBOOKS


@pytest.mark.parametrize("topic", topics())
def test_the_last_cells(topic: str) -> None:
    cells = nbformat.read(NOTEBOOKS / topic / f"{topic}.ipynb", as_version=4).cells[-3:]
    assert [cell.id for cell in cells] == ["hand-in", "doctor", "submit"]
    text, doctor, submit = (cell.source for cell in cells)
    assert text.index("`doctor()`") < text.index("`submit()`") and "Save first" in text
    assert doctor.endswith("\ndoctor()") and "import doctor, submit" in doctor
    assert ast.parse(submit).body == [], "it is a comment until the learner wants it"
    assert "submit()" in submit


@pytest.mark.parametrize("topic", [topic for topic in topics() if len(by_number(topic[:2]).sittings) > 1])
def test_the_first_sitting_ends_with_where_its_work_is_kept(topic: str) -> None:
    """The cell runs by itself in a new kernel, and does nothing but show where the learner stands until a folder is named."""
    cells = nbformat.read(NOTEBOOKS / topic / f"{topic}.ipynb", as_version=4).cells
    (stop,) = [number for number, cell in enumerate(cells) if cell.id == "stop"]
    text, keep = cells[stop].source, cells[stop + 1]
    assert "mount your Drive" in text and "Later, on this machine" in text and keep.id == "keep"
    called: list[object] = []
    package = types.ModuleType("embedding_course")
    package.progress = lambda **given: called.append(given)  # type: ignore[attr-defined]
    for source in (keep.source, keep.source.replace("None  #", "'/content/drive/MyDrive/embeddings'  #")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, "embedding_course", package)
            exec(compile(source, "keep", "exec"), {})
    assert called == [{"save_to": None}, {"save_to": "/content/drive/MyDrive/embeddings"}]


def test_a_lesson_may_not_use_their_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lesson, "SOLUTIONS", tmp_path)
    (tmp_path / "01_x").mkdir()
    (tmp_path / "01_x" / "lesson.py").write_text('# %% key="doctor"\n1\n', encoding="utf-8")
    with pytest.raises(ValueError, match="every notebook ends with"):
        read_lesson("01_x")
