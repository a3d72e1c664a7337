"""New points, and new exercises, in mid-term: what was graded is weighed anew, and nobody lacks what they never got."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from nbgrader.api import Gradebook

from embedding_course.exercises import exercises_of
from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.classroom.policy.points import Terms
from grader.marking import workers
from grader.marking.added_later import without_added_later
from grader.submission.notebook_copies import as_json
from tests.support.classes import TOPIC, blank, hand_in, perfect

Command = Callable[..., Result]
NUMBER = TOPIC[:2]
CORE = [exercise for exercise in exercises_of(TOPIC) if exercise.core]
FURTHER = [exercise for exercise in exercises_of(TOPIC) if not exercise.core]
WHOLE = sum(exercise.points for exercise in CORE)


def graded(command: Command, home: Path) -> str:
    outcome = command("grade", NUMBER, "--class", home)
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


def kept(home: Path, student: str) -> GradeRecord:
    record = records.load(home, TOPIC, student)
    assert record is not None
    return record


def in_book(home: Path, student: str) -> tuple[float, float]:
    with Gradebook(Classroom(home).db_url) as book:
        submission = book.find_submission(TOPIC, student)
        return float(submission.score or 0.0), float(submission.max_score or 0.0)


def test_new_points_run_nobody_again(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    hand_in(tmp_path, "ada", perfect())
    hand_in(tmp_path, "bo", blank())
    graded(command, tmp_path)
    before, written = kept(tmp_path, "ada"), in_book(tmp_path, "ada")[1] - WHOLE
    page = tmp_path / "autograded" / "ada" / TOPIC / f"{TOPIC}.ipynb"
    first_page = page.read_text(encoding="utf-8")
    monkeypatch.setattr(workers.Processes, "mark", lambda *_: pytest.fail("somebody was run again"))

    (tmp_path / "course.toml").write_text(
        f'drop = ["{CORE[1].id}"]\nfurther = ["{CORE[2].id}"]\n[points]\n"{CORE[0].id}" = 7\n', encoding="utf-8"
    )
    output = graded(command, tmp_path)
    assert "2 weighed anew by the points of course.toml" in output and "already graded" in output
    after, most = kept(tmp_path, "ada"), WHOLE - sum(exercise.points for exercise in CORE[:3]) + 7
    assert (after.score, after.max_score, after.seed) == (most, most, before.seed) and after.stored
    assert after.extra == CORE[2].points + sum(exercise.points for exercise in FURTHER)
    assert in_book(tmp_path, "ada") == (most + after.extra, most + written) and in_book(tmp_path, "bo")[0] == 0
    text = page.read_text(encoding="utf-8")
    assert "7 of 7 points" in text and "not counted in your class" in text

    (tmp_path / "course.toml").unlink()
    graded(command, tmp_path)
    assert kept(tmp_path, "ada").results == before.results, "dropped ones come back as they were"
    assert in_book(tmp_path, "ada")[0] == WHOLE + sum(exercise.points for exercise in FURTHER)
    assert page.read_text(encoding="utf-8") == first_page
    assert "weighed anew" not in graded(command, tmp_path)


def test_weights_are_those_of_the_lesson_again(tmp_path: Path, command: Command) -> None:
    hand_in(tmp_path, "ada", perfect())
    graded(command, tmp_path)
    record = kept(tmp_path, "ada")
    once = record.weighed(Terms(points={CORE[0].id: 7.0}))
    assert once is not None
    twice = once.weighed(Terms(points={CORE[0].id: 1.0}, dropped=frozenset({CORE[1].id})))
    assert twice is not None and twice.weighed(Terms()) == record
    assert {result.exercise: result.score for result in twice.results}[CORE[0].id] == 1
    once.unweighted = []
    assert once.weighed(Terms()) is None, "a record of an older version does not hold what this takes"


def test_an_exercise_that_came_later_is_not_missing(tmp_path: Path, command: Command) -> None:
    fresh, names = CORE[-1], [exercise.grade_id for exercise in exercises_of(TOPIC)]

    def without(*, heading: bool = True, check: bool = True) -> bytes:
        notebook = perfect()
        gone = {fresh.grade_id, *([f"{fresh.grade_id}-check"] if check else [])}
        notebook.cells = [
            cell
            for cell in notebook.cells
            if cell.metadata.get("nbgrader", {}).get("grade_id") not in gone
            and not (heading and cell.source.startswith(f"### Exercise {fresh.id} ·"))
        ]
        return as_json(notebook)

    hand_in(tmp_path, "older", without())
    hand_in(tmp_path, "deleted", without(heading=False, check=False))
    hand_in(tmp_path, "ada", perfect())
    graded(command, tmp_path)
    older, deleted = kept(tmp_path, "older"), kept(tmp_path, "deleted")
    assert older.added_later == [fresh.id] and older.score == older.max_score == WHOLE - fresh.points
    assert any(note.startswith(f"{fresh.id} is not in this notebook") for note in older.notes)
    assert not any("No cell defines" in note for note in older.notes)
    assert not deleted.added_later and deleted.max_score == WHOLE and deleted.score == WHOLE - fresh.points
    assert "already graded" in graded(command, tmp_path)
    bare = blank()
    bare.cells = [cell for cell in bare.cells if cell.metadata.get("nbgrader", {}).get("grade_id") in names[:1]]
    assert without_added_later(deleted, bare) is deleted, "a file without most labels says nothing of what was handed out"
