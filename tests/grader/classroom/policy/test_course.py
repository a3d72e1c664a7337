"""A class's course.toml takes effect in grading, in records and in the gradebook; without one nothing changes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from nbgrader.api import Gradebook

from embedding_course.exercises import exercises_of
from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.classroom.policy.course import load_course
from grader.classroom.policy.points import Terms
from tests.support.classes import TOPIC, blank, hand_in, perfect

Command = Callable[..., Result]
NUMBER = TOPIC[:2]
CORE = [exercise for exercise in exercises_of(TOPIC) if exercise.core]
FURTHER = [exercise for exercise in exercises_of(TOPIC) if not exercise.core]
WHOLE = sum(exercise.points for exercise in CORE)


def course(home: Path, text: str) -> None:
    (home / "course.toml").write_text(text, encoding="utf-8")


@pytest.fixture
def graded(command: Command) -> Callable[[Path], str]:
    """Grade a class; what that said."""

    def output_of(home: Path) -> str:
        outcome = command("grade", NUMBER, "--class", home)
        assert outcome.exit_code == 0, outcome.output
        return outcome.output

    return output_of


def record(home: Path, student: str) -> GradeRecord:
    saved = records.load(home, TOPIC, student)
    assert saved is not None
    return saved


def stamp(home: Path, student: str, text: str) -> None:
    (home / "submitted" / student / TOPIC / "timestamp.txt").write_text(text, encoding="utf-8")


def in_book(home: Path, student: str) -> tuple[float, float, float | None]:
    """Score before the penalty, most, penalty: as nbgrader keeps them."""
    with Gradebook(Classroom(home).db_url) as book:
        submission = book.find_submission(TOPIC, student)
        return submission.score, submission.max_score, submission.notebooks[0].late_submission_penalty


def test_points_core_further_and_dropped_reach_record_and_gradebook(tmp_path: Path, graded: Callable[[Path], str]) -> None:
    first, second, third = (exercise.id for exercise in CORE[:3])
    course(
        tmp_path,
        f'drop = ["{third}"]\nfurther = ["{second}"]\n[points]\n"{first}" = 9\n{NUMBER}.written = 5\n',
    )
    hand_in(tmp_path, "ada", perfect())
    hand_in(tmp_path, "bob", blank())
    graded(tmp_path)
    wanted = WHOLE - sum(exercise.points for exercise in CORE[:3]) + 9
    saved = record(tmp_path, "ada")
    by_name = {result.exercise: result for result in saved.results}
    assert third not in by_name and not by_name[second].core
    assert by_name[first].score == by_name[first].max_score == 9
    assert sum(criterion.points for criterion in by_name[first].criteria) == pytest.approx(9)
    assert saved.score == saved.max_score == wanted
    assert saved.extra == CORE[1].points + sum(exercise.points for exercise in FURTHER)
    score, most, penalty = in_book(tmp_path, "ada")
    assert (score, most, penalty) == (wanted + saved.extra, wanted + 5, None)
    assert in_book(tmp_path, "bob") == (0, wanted + 5, None)
    page = (tmp_path / "autograded" / "ada" / TOPIC / f"{TOPIC}.ipynb").read_text(encoding="utf-8")
    assert "not counted in your class" in page and "9 of 9 points" in page
    assert "already graded" in graded(tmp_path)

    (tmp_path / "course.toml").unlink()
    graded(tmp_path)
    saved = record(tmp_path, "ada")
    assert saved.max_score == WHOLE and saved.terms == ""
    assert in_book(tmp_path, "ada")[0] == WHOLE + sum(exercise.points for exercise in FURTHER)


def test_lateness_extensions_and_manual_scores(tmp_path: Path, graded: Callable[[Path], str]) -> None:
    deadlines = (
        f'timezone = "Asia/Shanghai"\n[deadlines]\n{NUMBER} = "2026-03-01 23:59"\n[late]\nper_day = 10\nmost = 50\ngrace = 5\n'
    )
    course(tmp_path, deadlines)
    for student, text in {
        "early": "2026-03-01 15:00:00 UTC",
        "grace": "2026-03-01 16:03:00 UTC",
        "day": "2026-03-02 01:59:00 +0800",
        "week": "2026-03-20 00:00:00 UTC",
        "unknown": "",
    }.items():
        hand_in(tmp_path, student, perfect())
        if text:
            stamp(tmp_path, student, text)
    hand_in(tmp_path, "poor", blank())
    stamp(tmp_path, "poor", "2026-03-20 00:00:00 UTC")
    output = " ".join(graded(tmp_path).split())
    assert "2 hours late, −10 %" in output
    score, most, penalty = in_book(tmp_path, "day")
    assert penalty == pytest.approx(most / 10) and score > penalty
    assert in_book(tmp_path, "week")[2] == pytest.approx(most / 2)
    assert [in_book(tmp_path, student)[2] for student in ("early", "grace", "unknown")] == [None, None, None]
    assert in_book(tmp_path, "poor")[2] == 0, "never more than was earned"
    assert record(tmp_path, "week").penalty == 0.5 and record(tmp_path, "week").score == WHOLE
    with Gradebook(Classroom(tmp_path).db_url) as book:
        assert book.find_assignment(TOPIC).duedate.isoformat() == "2026-03-01T15:59:00"
        assert book.find_submission(TOPIC, "day").total_seconds_late == 2 * 3600
        waiting = next(grade for grade in book.find_submission(TOPIC, "poor").notebooks[0].grades if grade.cell.max_score == 3)
        waiting.manual_score = 3.0
        book.db.commit()

    course(tmp_path, deadlines + f'[[extensions]]\nstudent = "week"\nnotebook = "{NUMBER}"\nuntil = 2026-03-30\n')
    assert "already graded" in graded(tmp_path), "an extension needs no new marking"
    assert in_book(tmp_path, "week")[2] is None and record(tmp_path, "week").penalty == 0
    assert in_book(tmp_path, "poor")[2] == 3, "the penalty follows what a person entered"
    with Gradebook(Classroom(tmp_path).db_url) as book:
        assert book.find_submission(TOPIC, "week").total_seconds_late == 0


def test_without_a_file_or_with_an_empty_one_nothing_differs(tmp_path: Path) -> None:
    absent = load_course(tmp_path)
    course(tmp_path, "# nothing decided yet\n")
    empty = load_course(tmp_path)
    assert absent.topics == empty.topics and not empty.deadlines
    assert all(empty.terms_of(topic) == Terms() and not empty.terms_of(topic).stamp for topic in empty.topics)
    release = blank()
    for cell in release.cells:
        marks = cell.metadata.get("nbgrader", {})
        assert Terms().worth(cell) == (float(marks["points"]) if marks.get("grade") else None) or not marks["points"]


def test_other_notebooks_and_dropped_exercises_are_not_graded(tmp_path: Path, command: Command) -> None:
    hand_in(tmp_path, "ada", perfect())
    other = "02" if NUMBER != "02" else "03"
    course(tmp_path, f'notebooks = ["{other}"]\n')
    outcome = command("grade", NUMBER, "--class", tmp_path)
    assert outcome.exit_code == 2 and "not a notebook of this class" in outcome.output
    course(tmp_path, f'drop = ["{CORE[0].id}"]\n')
    for name in (CORE[0].id, CORE[0].name):
        outcome = command("grade", NUMBER, "--class", tmp_path, "--exercise", name)
        assert outcome.exit_code == 2 and f"{CORE[0].id} is not counted" in outcome.output


def test_a_wrong_file_stops_every_command_with_one_sentence(tmp_path: Path, command: Command) -> None:
    hand_in(tmp_path, "ada", perfect())
    course(tmp_path, "deadlinez = {}\n")
    for words in (["grade"], ["report"], ["export"], ["collect", tmp_path], ["class", "check"]):
        folder = [] if words[0] == "class" else ["--class"]
        outcome = command(*words, *folder, tmp_path)
        assert outcome.exit_code == 2, words
        assert outcome.output.strip() == "course.toml: there is no key deadlinez; did you mean deadlines?", words
