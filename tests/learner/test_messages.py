"""What the commands of a learner show is looked up: in a pseudo-language nothing stands outside of templates but data."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from embedding_course import CourseError, case, check, doctor, glossary, hint, ledger, progress, submit, waiting_for
from embedding_course.checking.result import Result
from embedding_course.exercises import exercises_of, find_exercise
from embedding_course.learner import own_answers
from embedding_course.learner.check import public_result
from embedding_course.learner.doctor import examine
from embedding_course.learner.doctor.run import RunOutcome, error_finding, missing, too_long
from embedding_course.learner.doctor.would_be_graded import take
from embedding_course.learner.lab.start_page import START, write_start
from embedding_course.learner.progress.record import load, record, update
from embedding_course.learner.summary_table import summary_table
from embedding_course.learner.worked_solutions import solution
from tests.support.classes import blank, keep
from tests.support.pseudo_language import pseudo_language, text_of_page, words_outside

TOPIC = "03_max_norm"
NAME = "03.renorm_rows"
#: Names that a text may hold besides templates: commands, packages, and the file of a notebook.
NAMES = {"doctor", "python", "torch", "numpy", "cpu", "embedding", "course", "ipynb"}


@pytest.fixture(autouse=True)
def pseudo() -> Iterator[None]:
    with pseudo_language():
        yield


def said(capsys: pytest.CaptureFixture) -> str:
    """Return what was printed, which must be something."""
    text = capsys.readouterr().out
    assert "⟦" in text
    return text


def some_results() -> list[Result]:
    exercise = find_exercise(NAME)
    return [public_result(exercise, lambda weight, *_: weight), missing(exercises_of(TOPIC)[1], True)]


def test_check_and_case(capsys: pytest.CaptureFixture) -> None:
    check(NAME, lambda weight, *_: weight)
    check(NAME, 3)
    check(NAME)
    case(NAME)
    text = said(capsys)
    assert not words_outside(re.sub(r"weight=.*", "", text)), "but the arguments of cases"


def test_hints(capsys: pytest.CaptureFixture) -> None:
    for _ in find_exercise(NAME).hints:
        hint(NAME)
    assert not words_outside(said(capsys))
    with pytest.raises(CourseError) as error:
        hint(NAME, 99)
    assert not words_outside(str(error.value))


def test_progress_its_page_and_the_start_page(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    for result in some_results():
        record(result)
    memory = load()
    memory.solutions[NAME] = "before"
    update(memory)
    page = tmp_path / "progress.html"
    progress(page=page)
    assert not words_outside(said(capsys).replace(str(page), ""))
    assert not words_outside(text_of_page(page.read_text(encoding="utf-8")))
    write_start(tmp_path)
    assert "⟦**Next:**" in (tmp_path / START).read_text(encoding="utf-8")


def test_doctor_and_submit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    notebook = blank()
    broken = next(cell for cell in notebook.cells if "def renorm_rows" in cell.source)
    broken.source = "import nowhere\nopen('notes.txt')\ndef renorm_rows(weight)：\n    return other"
    path = keep(notebook, tmp_path)
    (path.parent / "notes.txt").write_text("", encoding="utf-8")

    def runs(saved: Any) -> RunOutcome:
        step = take(saved).steps[0]
        return RunOutcome(
            findings=[error_finding(step, "`KeyError: 1`", 2)], results=some_results(), cpu=100.0, memory=2**32, slowest=1
        )

    monkeypatch.setattr(examine, "run_graded", runs)
    doctor(path)
    monkeypatch.chdir(tmp_path)
    submit(path)
    text = said(capsys)
    for place in (str(tmp_path), path.name):
        text = text.replace(place, "")
    assert not set(words_outside(text)) - NAMES
    assert "⟦Next:" in text and "⟦Nothing was sent" in text
    assert too_long(take(examine.find(path)).steps[0]).startswith("⟦")


def test_what_waits_and_what_is_kept(capsys: pytest.CaptureFixture) -> None:
    with waiting_for("one_hot"):
        raise NotImplementedError
    own_answers.own(NAME)
    solution(NAME)
    solution(NAME, anyway=True)
    text = said(capsys)
    code = text[text.index("import torch") : text.index("⟦What leads to it")]
    assert not words_outside(text.replace(code, ""))


def test_frames_of_glossary_and_ledger(capsys: pytest.CaptureFixture) -> None:
    """Their rows are data: the glossary has two languages, and the ledger quotes its sources."""
    glossary("embedding")
    ledger()
    assert said(capsys).count("⟦") > 4
    for asked in (lambda: glossary("zzzzzz"), lambda: ledger("S99"), lambda: check("03.renorm")):
        with pytest.raises(CourseError) as error:
            asked()
        assert not words_outside(str(error.value))


def test_the_table_of_a_service() -> None:
    text = summary_table(TOPIC, some_results()).split("<details")[0]
    assert not words_outside(text.replace("&#95;", "_").replace("<code>", "`").replace("</code>", "`"))
