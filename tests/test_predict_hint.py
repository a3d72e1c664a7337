"""Guesses before figures, hints one by one, and demonstrations that wait."""

from __future__ import annotations

import sys

import pytest

from embedding_course import CourseError, hint, predict, reveal, waiting_for
from embedding_course.exercises import known
from embedding_course.learner.progress.record import load

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


@pytest.mark.parametrize(
    ("guess", "answer", "near"),
    [
        (3, 3, True), (3, 3.2, True), (3, 4, False), (0, 0, True), (0.0, 1e-9, False), ("Adam", " adam", True),
        ("Adam", "SGD", False), (True, True, True), (True, False, False), ([1, 2], [1, 2], True),
        ("3", 3, True), (1, True, False), (-2.0, 2.0, False),
    ],
)  # fmt: skip
def test_guesses_are_compared(guess, answer, near: bool, capsys: pytest.CaptureFixture) -> None:
    predict("key", "What?", guess=guess)
    said(capsys)
    reveal("key", answer)
    assert ("You saw it coming" in said(capsys)) is near


@pytest.mark.parametrize(
    ("guess", "answer", "word"),
    [
        ("是", True, "You saw it coming."), ("No", False, "You saw it coming."), ("否", "no", "You saw it coming."),
        (12, 10, "Close."), (14, 10, "Not what you expected"), ("40 %", 0.4, "You saw it coming."),
        ((1, "yes"), (1, True), "You saw it coming."), ((1, 2), (1, 3), "Not what you expected"), (1, (1, 2), "Not what"),
    ],
)  # fmt: skip
def test_guesses_in_words_and_tuples(guess, answer, word: str, capsys: pytest.CaptureFixture) -> None:
    predict("key", "What?", guess=guess)
    reveal("key", answer)
    assert word in said(capsys)


@pytest.mark.parametrize(
    ("answer", "within", "told"),
    [(10, 0.1, "The answer: 10. You saw it coming."), (10, 0.5, "(Within 50 % counts as right.)"),
     (10, 0, "(Only the exact number counts as right.)"), ("ten", 0.5, "The answer: 'ten'. Not what"),
     (True, 0.1, "The answer: yes. Not what"), (False, 0.5, "The answer: no. Not what")],
)  # fmt: skip
def test_the_answer_says_how_near_was_near_enough(answer, within, told: str, capsys: pytest.CaptureFixture) -> None:
    predict("key", "What?", guess=10)
    reveal("key", answer, within=within)
    assert told in said(capsys)


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


@pytest.mark.parametrize("exercise", known().values(), ids=list(known()))
def test_every_exercise_has_hints_that_escalate(exercise) -> None:
    assert len(exercise.hints) >= 2 and len(set(exercise.hints)) == len(exercise.hints)


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
