"""Regrade requests from the line in the notebook to the answer on the student's page."""

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from click.testing import Result

from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.overrides import read_overrides
from grader.classroom.requests import ANSWERS, REQUEST_FILE, answers_of, forget_requests, requests_of
from grader.errors import UserError
from tests.grader.marking.test_decide import EXERCISE, wrong
from tests.grader.marking.test_reweigh import graded
from tests.support.classes import TOPIC, hand_in, perfect

Command = Callable[..., Result]
WORDS = "wide tables are not in the text"


@pytest.fixture
def home(tmp_path: Path, command: Command) -> Path:
    asking = wrong()
    asking.cells.append(nbformat.v4.new_markdown_cell(f"Regrade request {EXERCISE.name}: {WORDS}"))
    hand_in(tmp_path, "ada", asking)
    path = hand_in(tmp_path, "bo", wrong())
    (path.parent / REQUEST_FILE).write_text(f"{EXERCISE.id}\n\nPlease look again.", encoding="utf-8")
    hand_in(tmp_path, "cy", perfect())
    graded(command, tmp_path)
    return tmp_path


def run(command: Command, home: Path, *words: object) -> str:
    outcome = command("requests", *words, "--class", home)
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


def page(command: Command, home: Path, student: str) -> str:
    assert command("feedback", TOPIC[:2], "--class", home).exit_code == 0
    return (home / "feedback" / student / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")


def test_from_the_line_to_the_answer(home: Path, command: Command) -> None:
    output = run(command, home, "list")
    assert WORDS in output and "bo" in output and "cy" not in output and "2 open, 0 answered." in output
    assert "Open: nobody has answered it yet." in page(command, home, "ada")

    output = run(command, home, "show", "ada", EXERCISE.id)
    assert "right * 0.83" in output and "The verdict:" in output and "The same file now" not in output
    assert "The same file now, on the same hidden cases:" in run(command, home, "show", "ada", EXERCISE.id, "--try")

    run(command, home, "accept", "ada", EXERCISE.id, "--answer", "you are right", "--by", "Li")
    run(command, home, "refuse", "bo", EXERCISE.id, "--answer", "the text says any table", "--by", "Wu")
    record = records.load(home, TOPIC, "ada")
    assert record is not None and record.score == record.max_score
    assert "Accepted (Li): you are right" in page(command, home, "ada")
    assert "Refused (Wu): the text says any table" in page(command, home, "bo")
    assert "0 open, 2 answered." in run(command, home, "list")
    assert "you are right (Li)" in run(command, home, "list", "--answered")


def test_all_requests_on_answers_like_one_are_accepted_at_once(home: Path, command: Command) -> None:
    output = run(command, home, "accept", "ada", EXERCISE.id, "--answer", "you are right", "--like")
    assert "the points of 2 students change" in output and output.count("is accepted") == 2
    assert "0 open, 2 answered." in run(command, home, "list")
    undone = command("accept", "--undo", 1, "--class", home).output
    assert "anew with grader requests refuse: ada, bo." in " ".join(undone.split())


def test_a_request_that_names_no_exercise(home: Path, command: Command) -> None:
    (home / "submitted" / "cy" / TOPIC / REQUEST_FILE).write_text("please look again", encoding="utf-8")
    assert "no exercise is named" in " ".join(run(command, home, "list").split())
    assert "The request names no exercise" in run(command, home, "show", "cy", TOPIC[:2])


def test_other_words_are_another_request(home: Path, command: Command) -> None:
    run(command, home, "refuse", "ada", EXERCISE.id, "--answer", "no")
    again = wrong()
    again.cells.append(nbformat.v4.new_markdown_cell(f"Regrade request {EXERCISE.name}: now with a reason"))
    hand_in(home, "ada", again)
    states = {request.text: request.state for request in requests_of(Classroom(home), [TOPIC]) if request.student == "ada"}
    assert states == {"now with a reason": "open"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("refuse", "ada", EXERCISE.id), "answered in words"),
        (("refuse", "cy", EXERCISE.id, "--answer", "x"), "cy has no request on"),
        (("accept", "ada", "03.tied_scores", "--answer", "x"), f"there are some on {EXERCISE.id}"),
        (("accept", "ada", "09.info_nce", "--answer", "x"), "no request"),
        (("accept", "ada", "03.renorm_row", "--answer", "x"), "There is no exercise '03.renorm_row'"),
    ],
)
def test_what_cannot_be_answered_is_said(home: Path, command: Command, words: tuple[str, ...], message: str) -> None:
    outcome = command("requests", *words, "--class", home)
    assert outcome.exit_code == 2 and message in outcome.output
    assert not (home / ANSWERS).exists()


def test_answers_are_private_and_forgotten_with_the_student(home: Path, command: Command) -> None:
    run(command, home, "refuse", "ada", EXERCISE.id, "--answer", "no")
    assert (home / ANSWERS).stat().st_mode & 0o077 == 0
    assert forget_requests(home, "ada") and not forget_requests(home, "ada") and answers_of(home) == []
    (home / ANSWERS).write_text("{", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be read"):
        answers_of(home)


def test_a_request_for_an_exercise_that_does_not_exist(home: Path, command: Command) -> None:
    (home / "submitted" / "bo" / TOPIC / REQUEST_FILE).write_text("Regrade request 03.nope: look again", encoding="utf-8")
    assert f"there is no such exercise in {TOPIC}" in " ".join(run(command, home, "list").split())
    assert "There is no exercise 03.nope" in run(command, home, "show", "bo", "03.nope")
    outcome = command("requests", "accept", "bo", "03.nope", "--answer", "x", "--class", home)
    assert outcome.exit_code == 2 and "no points to give" in " ".join(outcome.output.split())
    assert "There is no exercise 03.nope in this notebook" in page(command, home, "bo")
    run(command, home, "refuse", "bo", "03.nope", "--answer", "which exercise do you mean?")
    assert "Refused" in page(command, home, "bo") and "1 open, 1 answered." in run(command, home, "list")


def test_a_request_whose_points_are_there_already_is_accepted_all_the_same(home: Path, command: Command) -> None:
    path = home / "submitted" / "cy" / TOPIC / REQUEST_FILE
    path.write_text(f"Regrade request {EXERCISE.id}: is it right?", encoding="utf-8")
    output = run(command, home, "accept", "cy", EXERCISE.id, "--answer", "it is right")
    assert "earns these points already" in output and "is accepted" in output
    assert "Accepted" in page(command, home, "cy") and read_overrides(home) == ()
