"""Worked solutions open after tries and hints, reading one is noted, and the lines that differ are marked."""

import ast
import linecache
import re
import sys
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from embedding_course import CourseError, check, compare_with_solution, hint, progress, solution
from embedding_course.exercises import find_exercise, known
from embedding_course.learner import own_answers as pieces
from embedding_course.learner.progress.record import load, save_to, update
from embedding_course.learner.worked_solutions import part, side_by_side
from embedding_course.learner.worked_solutions.excerpt import without_docstrings
from embedding_course.learner.worked_solutions.solution import TRIES, worked
from grader.classroom.solutions_wheel import solutions_wheel
from grader.cli import app
from grader.engine.fork_server import Learners, NoSandbox

SPLIT = "07.split_heads"
MINE = """
def split_heads(x, heads):
    # YOUR CODE HERE
    batch, time, width = x.shape
    if width % heads:
        raise ValueError("<b>heads</b>")
    out = x.new_zeros(batch, heads, time, width // heads)  # (B, h, T, d / h)
    for head in range(heads):
        out[:, head] = x[..., head * (width // heads):(head + 1) * (width // heads)]
    return out
"""
WRONG = "def split_heads(x, heads):\n    return x\n"


def said(capsys: pytest.CaptureFixture) -> str:
    both = capsys.readouterr()
    assert both.err == ""
    return both.out


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch):
    """Types an answer into a cell, as a notebook does, and checks it."""

    def give(text: str, name: str = "split_heads") -> None:
        cell = f"<cell of {name} {hash(text)}>"
        linecache.cache[cell] = (len(text), None, text.splitlines(keepends=True), cell)
        scope = vars(sys.modules["__main__"])
        before = dict(scope)
        exec(compile(text, cell, "exec"), scope)
        for added in set(scope) - set(before):
            monkeypatch.setitem(scope, added, scope[added])
        check(SPLIT)

    return give


@pytest.fixture
def class_without_solutions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(part, "_CHECKOUT", tmp_path / "nowhere")


def test_it_opens_after_tries_and_hints(answer, capsys: pytest.CaptureFixture) -> None:
    hints = len(find_exercise(SPLIT).hints)
    solution(SPLIT)
    first = said(capsys)
    assert f"{TRIES} more tries" in first and f"{hints} hints" in first and "anyway=True" in first and "transpose" not in first
    for _ in range(TRIES):
        answer(WRONG)
    said(capsys)
    solution(SPLIT)
    assert "more tr" not in (second := said(capsys)) and f"{hints} hints" in second and "def " not in second
    for _ in range(hints):
        hint(SPLIT)
    assert f'solution("{SPLIT}")' in said(capsys), "the last hint tells where to go on"
    assert load().solutions == {}, "being refused is no reading"
    solution(SPLIT)
    shown = said(capsys)
    assert "def split_heads" in shown and "transpose(1, 2)" in shown and find_exercise(SPLIT).why in shown
    assert all(written_hint in shown for written_hint in find_exercise(SPLIT).hints) and "What usually goes wrong" in shown
    assert "class MultiHeadAttention" not in shown and "def merge_heads" not in shown, "one answer, not its neighbours"
    assert load().solutions == {SPLIT: "before"}


def test_untouched_stubs_are_no_tries(answer, capsys: pytest.CaptureFixture) -> None:
    for _ in range(TRIES + 1):
        answer("def split_heads(x, heads):\n    raise NotImplementedError()\n")
    said(capsys)
    solution(SPLIT)
    assert f"{TRIES} more tries" in said(capsys)


def test_who_insists_is_shown_it_and_progress_says_so(answer, capsys: pytest.CaptureFixture) -> None:
    solution(SPLIT, anyway=True)
    assert "def split_heads" in said(capsys) and load().solutions == {SPLIT: "before"}
    progress()
    table = said(capsys)
    assert "○ open, solution read" in table and "read before the exercise was done: 1" in table
    answer(MINE)
    solution(SPLIT)
    said(capsys)
    assert load().solutions == {SPLIT: "before"}, "a later reading does not wash off the first"
    progress()
    assert "✔ done, solution read first" in said(capsys)


def test_it_opens_at_once_for_who_is_done(answer, capsys: pytest.CaptureFixture) -> None:
    answer(MINE)
    said(capsys)
    solution(SPLIT)
    assert "def split_heads" in said(capsys) and load().solutions == {SPLIT: "after"}
    progress()
    table = said(capsys)
    assert "✔ done, solution read since" in table and "before the exercise was done" not in table


def test_two_records_are_merged_without_forgetting_a_reading(tmp_path: Path) -> None:
    for folder, first, second in (("one", "before", "after"), ("two", "after", "before")):
        save_to(tmp_path / folder)
        memory = load()
        memory.solutions = {SPLIT: second, "01.one_hot": "after"}
        update(memory)
        save_to(tmp_path / f"{folder}-before")
        memory = load()
        memory.solutions = {SPLIT: first}
        update(memory)
        save_to(tmp_path / folder)
        assert load().solutions == {SPLIT: "before", "01.one_hot": "after"}


def test_a_class_may_ship_without(class_without_solutions, answer, capsys: pytest.CaptureFixture) -> None:
    assert worked(find_exercise(SPLIT)) is None
    solution(SPLIT, anyway=True)
    assert "not part of this installation" in said(capsys) and load().solutions == {}
    answer(MINE)
    said(capsys)
    compare_with_solution(SPLIT)
    assert "not part of this installation" in said(capsys)
    hint(SPLIT, len(find_exercise(SPLIT).hints))
    assert "solution(" not in said(capsys)


@pytest.mark.parametrize("ask", [solution, compare_with_solution])
def test_a_wrong_name_names_the_closest(ask) -> None:
    with pytest.raises(CourseError, match="did you mean"):
        ask("07.split_head")


def test_yours_beside_the_worked_one(answer, capsys: pytest.CaptureFixture) -> None:
    answer(MINE)
    said(capsys)
    compare_with_solution(SPLIT)
    shown = said(capsys)
    assert "--- Yours\n+++ The worked one\n" in shown
    assert "\n     batch, time, width = x.shape\n" in shown, "a line that both have"
    assert "\n-    for head in range(heads):\n" in shown and re.search(r"^\+.*\.transpose\(1, 2\)", shown, re.MULTILINE)
    assert load().solutions == {SPLIT: "after"}


def test_without_an_answer_there_is_nothing_to_compare(answer, capsys: pytest.CaptureFixture) -> None:
    answer(WRONG)
    said(capsys)
    compare_with_solution(SPLIT)
    shown = said(capsys)
    assert "No answer of yours" in shown and "transpose" not in shown and load().solutions == {}
    path = pieces._file(SPLIT)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(WRONG, encoding="utf-8")
    compare_with_solution(SPLIT)
    shown = said(capsys)
    assert "no longer passes" in shown and "transpose" not in shown and load().solutions == {}


def test_what_a_learner_wrote_is_escaped(monkeypatch: pytest.MonkeyPatch, answer, capsys: pytest.CaptureFixture) -> None:
    panels = []
    answer(MINE)
    monkeypatch.setattr(side_by_side, "show_panel", panels.append)
    compare_with_solution(SPLIT)
    assert "&lt;b&gt;heads&lt;/b&gt;" in panels[0].html and "<b>heads" not in panels[0].html


def test_lines_that_differ_are_marked(monkeypatch: pytest.MonkeyPatch, answer) -> None:
    panels = []
    answer(MINE)
    monkeypatch.setattr(side_by_side, "show_panel", panels.append)
    compare_with_solution(SPLIT)
    (loop,) = re.findall(r'<div style="([^"]*)">    for head in range', panels[0].html)
    shared = re.findall(r'<div style="([^"]*)">    batch, time, width', panels[0].html)
    assert "solid currentColor" in loop
    assert len(shared) == 2 and all("solid transparent" in look for look in shared)


def test_the_worked_solution_itself_differs_in_nothing(answer, capsys: pytest.CaptureFixture) -> None:
    worked_solution = worked(find_exercise(SPLIT))
    assert worked_solution is not None
    answer(worked_solution.text)
    said(capsys)
    compare_with_solution(SPLIT)
    shown = said(capsys)
    assert "Line for line, the two are the same." in shown and "+++" not in shown


@pytest.mark.parametrize("exercise", known().values(), ids=list(known()))
def test_every_exercise_has_a_worked_solution_that_stands_alone(exercise) -> None:
    worked_solution = worked(exercise)
    assert worked_solution is not None
    defined = {getattr(node, "name", "") for node in ast.parse(worked_solution.text).body}
    others = {known_exercise.name for known_exercise in known().values()} - {exercise.name}
    assert exercise.name in defined and not others & defined


def test_docstrings_go_and_code_stays() -> None:
    first = 'class A:\n    """One."""\n\n    x = 1\n\n    def f(self):\n        """Two\n        lines."""\n        return 1\n'
    text = f'{first}\n    def g(self):\n        "Alone."\n'
    short = without_docstrings(text)
    assert "One." not in short and "lines." not in short and "Alone." in short
    assert ast.unparse(ast.parse(short)).count("return 1") == 1 and "x = 1" in short


@pytest.mark.slow
def test_the_optional_wheel_holds_the_right_answers_and_nothing_else(tmp_path: Path) -> None:
    outcome = CliRunner().invoke(app, ["release", "--solutions", "--out", str(tmp_path)])
    assert outcome.exit_code == 0 and "keep it from a class" in outcome.output
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info" not in name]
        archive.extractall(tmp_path / "site")
    assert {Path(name).parts[0] for name in names} == {part.PART}
    assert all(name.endswith(".py") and (name.count("/") == 1 or "/reference/" in name) for name in names)
    assert solutions_wheel(tmp_path) == wheel and len(list(tmp_path.glob("*.whl"))) == 1


def test_the_optional_package_is_found_where_there_is_no_checkout(
    class_without_solutions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package_folder = tmp_path / "site" / part.PART
    (package_folder / "07_attention" / "reference").mkdir(parents=True)
    (package_folder / "__init__.py").touch()
    (package_folder / "07_attention" / "reference" / "split_heads.py").write_text(
        "def split_heads(x, heads):\n    ...\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    worked_solution = worked(find_exercise(SPLIT))
    assert worked_solution is not None and "..." in worked_solution.code and worked(find_exercise("07.merge_heads")) is None


def test_nobody_is_graded_where_the_answers_could_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / part.PART).mkdir()
    (tmp_path / part.PART / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(NoSandbox, match="pip uninstall embedding-course-solutions"):
        Learners()
