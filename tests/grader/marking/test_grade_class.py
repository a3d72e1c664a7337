"""Grading a class: bad files are listed, nothing stops the class, what people entered stays."""

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from click.testing import Result
from nbgrader.api import Gradebook

from embedding_course.exercises import exercises_of
from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.engine.fork_server import Learners
from grader.marking.grade_class import grade_class
from grader.marking.run import Run
from tests.support.classes import TOPIC, hand_in, perfect


def _grade(home: Path, learners: Learners) -> dict[str, GradeRecord]:
    return {graded.record.student: graded.record for graded in grade_class(Classroom(home), [TOPIC], shared=learners)}


@pytest.fixture
def bad_class(tmp_path: Path) -> Path:
    hand_in(tmp_path, "ada", perfect())
    hand_in(tmp_path, "cut", nbformat.writes(perfect()).encode()[:900])
    hand_in(tmp_path, "empty", b"")
    hand_in(tmp_path, "zip", b"PK\x03\x04\xff\xfe\x00")
    hand_in(tmp_path, "renamed", perfect(), name="My copy.ipynb")
    other = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print('a holiday diary')")])
    hand_in(tmp_path, "foreign", other)
    hand_in(tmp_path, "list", b"[1, 2, 3]")
    (tmp_path / "submitted" / "nothing" / TOPIC).mkdir(parents=True)
    return tmp_path


def test_unreadable_files_are_listed_and_the_class_goes_on(bad_class: Path, learners: Learners) -> None:
    records_by_student = _grade(bad_class, learners)
    assert records_by_student["ada"].score == records_by_student["ada"].max_score > 0
    reasons = {name: record.reason for name, record in records_by_student.items() if record.status == "unreadable"}
    assert set(reasons) == {"cut", "empty", "zip", "renamed", "foreign", "list", "nothing"}
    assert "empty" in reasons["empty"]
    assert "My copy.ipynb" in reasons["renamed"]
    assert "another notebook" in reasons["foreign"]


def test_empty_submitted_says_so_and_exits_2(tmp_path: Path, command: Callable[..., Result]) -> None:
    outcome = command("grade", "--class", tmp_path)
    assert outcome.exit_code == 2
    assert "Nothing to grade" in outcome.output


def test_unknown_notebook_exits_2(tmp_path: Path, command: Callable[..., Result]) -> None:
    outcome = command("grade", "99", "--class", tmp_path)
    assert outcome.exit_code == 2
    assert "99" in outcome.output


@pytest.mark.parametrize("called", ["id", "name"])
def test_one_exercise_may_be_called_by_its_bare_name(tmp_path: Path, called: str, command: Callable[..., Result]) -> None:
    hand_in(tmp_path, "ada", perfect())
    exercise = exercises_of(TOPIC)[0]
    outcome = command("grade", "--class", tmp_path, "--workers", "1", "--exercise", getattr(exercise, called))
    assert outcome.exit_code == 0 and "1 graded" in outcome.output, outcome.output
    record = records.load(tmp_path, TOPIC, "ada")
    assert record is not None and exercise.id in {result.exercise for result in record.results if result.passed}


def test_manual_scores_and_comments_survive_a_regrade(tmp_path: Path, learners: Learners) -> None:
    hand_in(tmp_path, "ada", perfect())
    _grade(tmp_path, learners)
    classroom = Classroom(tmp_path)
    with Gradebook(classroom.db_url) as book:
        written = next(grade for grade in book.find_submission(TOPIC, "ada").notebooks[0].grades if grade.auto_score is None)
        assert written.needs_manual_grade
        written.manual_score, written.extra_credit = 2.5, 1.0
        name = written.name
        comment = book.find_comment(name, TOPIC, TOPIC, "ada")
        comment.manual_comment = "well said"
        book.db.commit()
    _grade(tmp_path, learners)
    with Gradebook(classroom.db_url) as book:
        grade = book.find_grade(name, TOPIC, TOPIC, "ada")
        assert (grade.manual_score, grade.extra_credit) == (2.5, 1.0)
        assert book.find_comment(name, TOPIC, TOPIC, "ada").manual_comment == "well said"


def test_the_seed_repeats_a_grade(tmp_path: Path, learners: Learners) -> None:
    hand_in(tmp_path, "ada", perfect())
    first = _grade(tmp_path, learners)["ada"]
    again = next(iter(grade_class(Classroom(tmp_path), [TOPIC], Run(seed=first.seed, force=True), learners))).record
    assert again.results == first.results


def test_points_reach_the_gradebook(tmp_path: Path, learners: Learners) -> None:
    hand_in(tmp_path, "ada", perfect())
    _grade(tmp_path, learners)
    core = sum(exercise.points for exercise in exercises_of(TOPIC) if exercise.core)
    with Gradebook(Classroom(tmp_path).db_url) as book:
        submission = book.find_submission(TOPIC, "ada")
        extra = sum(exercise.points for exercise in exercises_of(TOPIC) if not exercise.core)
        assert submission.score == core + extra
        assert submission.max_score > core  # the written answer waits for a person
