"""Guesses before figures, hints one by one, and demonstrations that wait."""

import ast
import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
import torch

from embedding_course import CourseError, hint, predict, reveal, waiting_for
from embedding_course.checking.judge import stopped
from embedding_course.exercises import find_exercise, known
from embedding_course.learner.progress.record import load, record
from grader.course_source.lesson import read_cells
from grader.paths import SOLUTIONS

FIRST = next(iter(known().values()))


def said(capsys: pytest.CaptureFixture) -> str:
    both = capsys.readouterr()
    assert both.err == ""
    return both.out


def test_nothing_is_recorded_without_a_guess(capsys: pytest.CaptureFixture) -> None:
    predict("rows", "How many rows?")
    assert "How many rows?" in said(capsys) and load().guesses == {}
    reveal("rows", 3)
    assert "3" in said(capsys)


YES_NO: dict[str, Any] = {"choices": (True, False)}
TEXT: dict[str, Any] = {"text": True}
TWO: dict[str, Any] = {"numbers": 2}
HALF: dict[str, Any] = {"within": 0.5}
NORMS: dict[str, Any] = {"choices": {"pre": "norm before", "post": "norm after"}}


@pytest.mark.parametrize(
    ("guess", "answer", "asked", "word"),
    [
        (3, 3, {}, "You saw it coming."), (3, 3.2, {}, "You saw it coming."), (3.5, 4, {}, "Close."),
        (3, 4, {}, "Not what"), (0, 0, {}, "You saw"),
        (0.0, 1e-9, {}, "Not what you expected"), (-2.0, 2.0, {}, "Not what"), (14, 10, {}, "Not what"),
        ("3", 3, {}, "You saw"), ("40 %", 0.4, {}, "You saw"), ([1, 2], [1, 2], TWO, "You saw"),
        ((1, 2), (1, 3), TWO, "Not what"), (("1", 2.05), (1, 2), TWO, "You saw"),
        (14, 10, {"within": 0.5}, "You saw"), (10.5, 10, {"within": 0}, "Not what"), (10, 10, {"within": 0}, "You saw"),
        (True, True, YES_NO, "You saw"), (True, False, YES_NO, "Not what"), ("是", True, YES_NO, "You saw"),
        ("No", False, YES_NO, "You saw"),
        (1e-9, 1e-4, HALF, "Not what"), (7, 26.1, HALF, "Not what"), (0, 5000, HALF, "Not what"), (10, 4.9, HALF, "Not what"),
        (7, 4.9, HALF, "You saw"), (8, 4.9, HALF, "Close."), (-1, 1, {"within": 1.5}, "Not what"),
        ((10, 20), (11, 23), TWO, "Close."), ((10, 40), (11, 20), {**TWO, "within": 0.9}, "Not what"),
        (np.float32(3), torch.tensor(3.1), {}, "You saw"), ([3, np.int64(4)], (torch.tensor(3), 4.1), TWO, "You saw"),
        ("Adam", " adam", TEXT, "You saw"), ("Adam", "SGD", TEXT, "Not what"), (2, "post", NORMS, "You saw"),
        ("Norm after", "post", NORMS, "You saw"), ("post", "post", NORMS, "You saw"), (1, "post", NORMS, "Not what"),
    ],
)  # fmt: skip
def test_guesses_are_compared(guess, answer, asked: dict, word: str, capsys: pytest.CaptureFixture) -> None:
    predict("key", "What?", guess=guess, **asked)
    said(capsys)
    reveal("key", answer)
    assert word in said(capsys)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, "A number is asked: within 10 % counts as right."),
        ({"within": 0.25}, "within 25 % counts as right."),
        (TWO, "2 numbers are asked, in brackets, (1, 2): within 10 % counts"),
        ({"within": 0}, "only the exact number counts as right."),
        (YES_NO, "Answer yes or no (是 or 否)."),
        (TEXT, "when it says the same"),
        (NORMS, "1 norm before, 2 norm after."),
    ],
)
def test_the_question_says_how_a_guess_is_compared_before_it_is_made(asked, sentence, capsys: pytest.CaptureFixture) -> None:
    predict("key", "What?", **asked)
    assert sentence in said(capsys)


@pytest.mark.parametrize(
    ("guess", "asked"),
    [("Adam", {}), (True, {}), (1, YES_NO), (3, TEXT), (3, NORMS), ("norm", NORMS), ((1, "yes"), {}),
     ((1, 2), {}), ([1], TWO), (3, TWO), ((1, 2, 3), TWO)],
)  # fmt: skip
def test_a_guess_that_does_not_answer_the_question_is_refused_with_its_rule(guess, asked) -> None:
    with pytest.raises(CourseError, match=r"does not answer the question\. (A|2 numbers|Choose)"):
        predict("key", "What?", guess=guess, **asked)
    assert load().guesses == {}


def test_readers_see_the_words_of_a_choice_and_never_its_id(capsys: pytest.CaptureFixture) -> None:
    predict("key", "Where does the norm stand?", guess=1, **NORMS)
    reveal("key", "post")
    output = said(capsys)
    assert load().guesses == {"key": "pre"}
    assert "Noted: norm before." in output and "Your guess: norm before. The answer: norm after." in output


def test_without_its_question_a_guess_is_not_judged(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    predict("key", "What?", guess=10, within=0.5)
    monkeypatch.setattr("embedding_course.learner.predict._ASKED", {})  # a new kernel
    said(capsys)
    reveal("key", 14)
    assert "The answer: 14. (Run the question's cell again" in said(capsys)


def _words(answer: ast.expr) -> set[str]:
    """The texts that an answer is one of, where they stand in it."""
    if isinstance(answer, ast.IfExp):
        return _words(answer.body) | _words(answer.orelse)
    return {answer.value} if isinstance(answer, ast.Constant) and isinstance(answer.value, str) else set()


@pytest.mark.parametrize("lesson", sorted(SOLUTIONS.glob("*/lesson.py")), ids=lambda path: path.parent.name)
def test_every_question_is_answered_once_and_words_are_among_its_choices(lesson: Path) -> None:
    calls: dict[str, list[ast.Call]] = {"predict": [], "reveal": []}
    for cell in read_cells(lesson):
        for node in ast.walk(ast.parse(cell.source)) if cell.kind == "code" else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in calls:
                calls[node.func.id].append(node)
    asked = {
        ast.literal_eval(call.args[0]): {keyword.arg: keyword.value for keyword in call.keywords} for call in calls["predict"]
    }
    assert sorted(asked) == sorted(ast.literal_eval(call.args[0]) for call in calls["reveal"])
    for call in calls["reveal"]:
        if words := _words(call.args[1]):
            assert words <= set(ast.literal_eval(asked[ast.literal_eval(call.args[0])]["choices"])), ast.unparse(call)


def _allowances() -> set[float]:
    """How near a guess has to come, in any lesson."""
    allowances = {0.1}
    for lesson in SOLUTIONS.glob("*/lesson.py"):
        allowances |= {
            float(number) for number in re.findall(r"predict\(.*within=([\d.]+)", lesson.read_text(encoding="utf-8"))
        }
    return allowances


@pytest.mark.parametrize("within", sorted(_allowances()))
@pytest.mark.parametrize("answer", [1e-4, 0.02, 1, 26.1, 5000, -0.3])
def test_what_is_a_factor_of_two_away_is_never_close(within: float, answer: float, capsys: pytest.CaptureFixture) -> None:
    for guess in (0.0, answer / 2.01, answer * 2, -answer, answer * (1.001 + 1.6 * within)):
        predict("key", "What?", guess=guess, within=within)
        reveal("key", answer)
        assert "Not what you expected" in said(capsys), guess
    if 0 < within <= 0.5:
        predict("key", "What?", guess=answer * (1 + 1.4 * within), within=within)
        reveal("key", answer)
        assert "Close." in said(capsys)


@pytest.mark.parametrize("guess", [object(), {"a": 1}, (), [[1]], float("nan")])
def test_what_is_no_guess_is_refused(guess) -> None:
    with pytest.raises(CourseError, match="A guess is a number, a text, True or False, or a tuple of these"):
        predict("key", "What?", guess=guess)


def test_hint_without_a_name_lists_what_can_be_asked(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    main = type(sys)("__main__")
    main.In = ['check("03.renorm_rows")']
    monkeypatch.setitem(sys.modules, "__main__", main)
    hint("03.renorm_rows")
    said(capsys)
    hint()
    listed = said(capsys)
    assert 'hint("03.renorm_rows")' in listed and "1 of" in listed and "01.one_hot" not in listed


def test_a_guess_may_be_changed(capsys: pytest.CaptureFixture) -> None:
    predict("key", "What?", guess=1)
    predict("key", "What?", guess=2)
    assert load().guesses == {"key": 2} and "2" in said(capsys)


@pytest.mark.parametrize("answer", [float("nan"), float("inf"), None, {"a": 1}])
def test_odd_answers_are_shown_all_the_same(answer, capsys: pytest.CaptureFixture) -> None:
    predict("key", "What?", guess=1)
    reveal("key", answer)
    assert "Your guess: 1" in said(capsys)


def test_after_a_named_mistake_hints_begin_at_the_one_that_speaks_of_it(capsys: pytest.CaptureFixture) -> None:
    exercise = find_exercise("01.build_vocab")
    named = stopped(exercise, "wrong", "values", "")
    record(msgspec.structs.replace(named, mistake="special_leaves_a_hole"))
    hint(exercise.id)
    assert "Hint 4 of 4" in said(capsys)
    record(msgspec.structs.replace(named, mistake="no_longer_in_the_catalogue"))
    hint(exercise.id, 1)
    assert exercise.hints[0] in said(capsys)


def test_hints_come_one_by_one(capsys: pytest.CaptureFixture) -> None:
    count = len(FIRST.hints)
    for number in range(1, count + 2):  # the last one stays
        hint(FIRST.id)
        assert f"Hint {min(number, count)} of {count}" in said(capsys)
    hint(FIRST.id, 1)
    assert FIRST.hints[0] in said(capsys)
    assert load().hints == {FIRST.id: count}


@pytest.mark.parametrize("number", [0, -1, 99])
def test_a_hint_that_is_not_there(number: int) -> None:
    with pytest.raises(CourseError, match="hints 1 to"):
        hint(FIRST.id, number)


def test_a_hint_for_a_wrong_name() -> None:
    with pytest.raises(CourseError, match="did you mean"):
        hint(FIRST.id + "s")


def test_a_demonstration_waits_for_a_stub(capsys: pytest.CaptureFixture) -> None:
    def one_hot() -> None:
        raise NotImplementedError

    with waiting_for("one_hot"):
        one_hot()
    assert "waits for your `one_hot`" in said(capsys)
    with waiting_for("not_yet_defined"):
        not_yet_defined()  # type: ignore[name-defined]  # noqa: F821
    assert "not_yet_defined" in said(capsys)


def test_a_demonstration_does_not_hide_other_faults() -> None:
    with pytest.raises(NameError), waiting_for("one_hot"):
        something_else()  # type: ignore[name-defined]  # noqa: F821
    with pytest.raises(ZeroDivisionError), waiting_for("one_hot"):
        _ = 1 / 0


def test_a_demonstration_names_the_stub_in_which_it_ended(capsys: pytest.CaptureFixture) -> None:
    def second() -> None:
        raise NotImplementedError

    with waiting_for("first", "test_a_demonstration_names_the_stub_in_which_it_ended"):
        second()
    assert "waits for your `test_a_demonstration_names_the_stub_in_which_it_ended`:" in said(capsys)
