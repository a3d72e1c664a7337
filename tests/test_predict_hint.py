"""Guesses before figures, hints one by one, and demonstrations that wait."""

from __future__ import annotations

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
