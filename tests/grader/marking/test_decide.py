"""People decide on answers: one, all that are like it, and a hidden case; it shows everywhere, survives, and can be undone."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import Result as Outcome

from embedding_course.checking.result import Result
from embedding_course.exercises import exercises_of
from grader.classroom import records
from grader.classroom.overrides import FILE, Override, add_override, concerning, decided, read_overrides
from grader.classroom.policy.points import Terms
from grader.classroom.student_files import unnamed
from grader.errors import UserError
from tests.grader.marking.test_reweigh import graded, in_book, kept
from tests.redteam.honest import solution
from tests.support.classes import TOPIC, hand_in, perfect

Command = Callable[..., Outcome]
EXERCISE = next(exercise for exercise in exercises_of(TOPIC) if exercise.name == "renorm_rows")
#: Wrong for wide tables only: no known mistake, and most cases pass.
WRONG = """\
def renorm_rows(weight, max_norm, norm_type=2.0):
    norms = weight.norm(p=norm_type, dim=1, keepdim=True)
    right = weight * (max_norm / norms.clamp(min=1e-12)).clamp(max=1)
    return right * 0.83 if weight.shape[1] > weight.shape[0] else right
"""


def wrong():
    notebook = perfect()
    notebook.cells[solution(notebook, EXERCISE.grade_id)].source = WRONG
    return notebook


def result(home: Path, student: str) -> Result:
    return next(verdict for verdict in kept(home, student).results if verdict.exercise == EXERCISE.id)


@pytest.fixture
def home(tmp_path: Path, command: Command) -> Path:
    for student, notebook in (("ada", wrong()), ("bo", wrong()), ("cy", perfect())):
        hand_in(tmp_path, student, notebook)
    graded(command, tmp_path)
    assert result(tmp_path, "ada").score < EXERCISE.points
    return tmp_path


def run(command: Command, home: Path, *words: object) -> str:
    outcome = command(*words, "--class", home)
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


def test_what_a_decision_gave_already_is_not_decided_again(home: Path, command: Command) -> None:
    run(command, home, "accept", "ada", EXERCISE.id, "--why", "right")
    again = command("accept", "ada", EXERCISE.id, "--why", "right", "--class", home)
    assert again.exit_code == 2 and "points already, by a decision that grader accept lists" in " ".join(again.output.split())


def test_without_its_gradebook_nothing_is_decided(home: Path, command: Command) -> None:
    (home / "gradebook.db").rename(home / "away.db")
    outcome = command("accept", "ada", EXERCISE.id, "--why", "right", "--class", home)
    assert outcome.exit_code == 2 and "is not there: put it back" in " ".join(outcome.output.split())
    assert read_overrides(home) == () and not (home / "gradebook.db").exists()


def test_one_answer_is_accepted_shown_kept_and_given_back(home: Path, command: Command) -> None:
    before, book = result(home, "ada"), in_book(home, "ada")
    output = run(command, home, "accept", "ada", EXERCISE.id, "--why", "the text allows it", "--by", "Prof. Li")
    assert "ada" in output and "the points of 1 student change" in output
    after = result(home, "ada")
    assert (
        after.passed
        and after.score == EXERCISE.points
        and "Prof. Li" in after.decided
        and "the text allows it" in after.decided
    )
    assert in_book(home, "ada")[0] == pytest.approx(book[0] + EXERCISE.points - before.score)
    assert result(home, "bo") == msgspec.structs.replace(before, seed=result(home, "bo").seed)
    page = home / "autograded" / "ada" / TOPIC / f"{TOPIC}.ipynb"
    assert "the text allows it" in page.read_text(encoding="utf-8")

    graded(command, home)
    run(command, home, "regrade", EXERCISE.id)
    assert result(home, "ada").passed, "regrading keeps what a person decided"

    output = run(command, home, "accept", "--undo", 1, "--by", "Prof. Li")
    assert "undone" in output and result(home, "ada") == before and in_book(home, "ada") == book
    assert "the text allows it" not in page.read_text(encoding="utf-8")
    assert "the text allows it" in run(command, home, "accept"), "the list keeps what was undone"


def test_a_part_of_the_points_and_never_fewer_than_the_verdict_gives(home: Path, command: Command) -> None:
    part = EXERCISE.points * 0.9
    run(command, home, "accept", "ada", EXERCISE.id, "--why", "nearly", "--points", part)
    assert result(home, "ada").score == pytest.approx(part) and not result(home, "ada").passed
    (home / "course.toml").write_text(f'[points]\n"{EXERCISE.id}" = 10\n', encoding="utf-8")
    graded(command, home)
    assert result(home, "ada").score == pytest.approx(9), "the share holds when the class counts by other points"
    outcome = command("accept", "cy", EXERCISE.id, "--why", "fine", "--class", home)
    assert outcome.exit_code == 2 and "already" in outcome.output


def test_all_answers_like_one_are_accepted_later_ones_too(home: Path, command: Command) -> None:
    output = run(command, home, "accept", "ada", EXERCISE.id, "--like", "--why", "a fair reading")
    assert "the points of 2 students change" in output and result(home, "bo").passed
    hand_in(home, "di", wrong())
    graded(command, home)
    assert result(home, "di").passed and "a fair reading" in result(home, "di").decided


def test_a_forgiven_case_fails_nobody(home: Path, command: Command) -> None:
    cases = sorted({name for criterion in result(home, "ada").criteria for name in criterion.failed_cases})
    for case in cases:
        run(command, home, "forgive", EXERCISE.id, case, "--why", "it asks too much")
    assert result(home, "ada").passed and result(home, "bo").passed
    run(command, home, "accept", "--undo", 1)
    assert not result(home, "ada").passed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("accept", "ada", "03.renorm_row", "--why", "x"), "did you mean 03.renorm_rows"),
        (("accept", "adda", EXERCISE.id, "--why", "x"), "did you mean ada"),
        (("accept", "ada", EXERCISE.id), "needs a reason"),
        (("accept", "ada", EXERCISE.id, "--why", "x", "--points", 99), "--points is above 0 and at most"),
        (("accept", "--undo", 4), "There is no decision 4"),
        (("forgive", EXERCISE.id, "no such case", "--why", "x"), "these do: “"),
    ],
)
def test_what_cannot_be_decided_is_said_and_changes_nothing(home: Path, command: Command, words, message: str) -> None:
    outcome = command(*words, "--class", home)
    assert outcome.exit_code == 2 and message in outcome.output
    assert not (home / FILE).exists()


def test_who_is_forgotten_is_named_in_no_decision(tmp_path: Path) -> None:
    override = Override(number=0, exercise="01.one_hot", why="w", by="b", at="t", student="ada")
    add_override(tmp_path, override)
    assert unnamed(tmp_path, "ada") and not unnamed(tmp_path, "ada")
    (past,) = read_overrides(tmp_path)
    assert "ada" not in (tmp_path / FILE).read_text(encoding="utf-8") and not past.holds
    assert add_override(tmp_path, override).number == 2


def test_a_damaged_file_stops_everything_that_would_ignore_it(tmp_path: Path) -> None:
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text("[{", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be read"):
        read_overrides(tmp_path)


def test_a_team_is_accepted_together() -> None:
    override = Override(number=1, exercise="01.one_hot", why="w", by="b", at="t", student="ada")
    assert concerning([override], "01_onehot_vs_lookup", ("bo", "ada")) == (override,)
    assert concerning([override], "01_onehot_vs_lookup", ("bo",)) == ()
    assert concerning([override], "02_gradients", ("ada",)) == ()
    undone = msgspec.structs.replace(override, undone_at="t", undone_by="b")
    assert concerning([undone], "01_onehot_vs_lookup", ("ada",)) == ()


def test_a_record_without_decisions_has_the_stamp_of_old_ones(home: Path) -> None:
    record = records.load(home, TOPIC, "cy")
    assert record is not None and record.terms == Terms().stamp == ""
    assert decided(record.results[0], ()) == record.results[0]
