"""A corrected exercise is graded again for the whole class; nothing else changes."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import Result
from nbgrader.api import Gradebook

from embedding_course.exercises import exercises_of
from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.engine.fork_server import Learners
from grader.marking.grade_class import grade_class
from grader.marking.regrade import Change, LeftOut, back_up, difference, sort_out
from grader.marking.run import Run
from grader.report.regraded_page import render_regraded
from tests.support.classes import TOPIC, hand_in, perfect, still_waiting

FIRST, SECOND = exercises_of(TOPIC)[:2]
Command = Callable[..., Result]
CHECK = f"{FIRST.grade_id}-check"


def _grades(home: Path, student: str) -> dict[str, tuple[float | None, float | None, float | None]]:
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        rows = book.find_submission_notebook(TOPIC, TOPIC, student)
        return {grade.name: (grade.auto_score, grade.manual_score, grade.extra_credit) for grade in rows.grades}


def _wrongly_judged(home: Path, student: str) -> GradeRecord:
    """As if the check of the first exercise had refused a right answer."""
    record = records.load(home, TOPIC, student)
    assert record is not None
    results = [
        msgspec.structs.replace(result, score=0.0, passed=False, status="wrong") if result.exercise == FIRST.id else result
        for result in record.results
    ]
    records.save(home, msgspec.structs.replace(record, results=results), record)
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        book.find_grade(CHECK, TOPIC, TOPIC, student).auto_score = 0.0
        book.db.commit()
    return msgspec.structs.replace(record, results=results)


def _by_hand(home: Path, student: str) -> str:
    """A person grades the written answer, changes a mark and writes a comment; returns the written answer's cell."""
    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        rows = book.find_submission_notebook(TOPIC, TOPIC, student)
        written = next(grade for grade in rows.grades if grade.cell.cell_type == "markdown")
        written.manual_score = 1.5
        book.find_grade(f"{SECOND.grade_id}-check", TOPIC, TOPIC, student).manual_score = 0.25
        rows.comments[0].manual_comment = "Well put."
        book.db.commit()
        return written.name


def test_one_exercise_is_regraded_and_everything_else_stays(tmp_path: Path, command: Command, learners: Learners) -> None:
    for name in ("ada", "bob", "eve"):
        hand_in(tmp_path, name, perfect())
    hand_in(tmp_path, "cut", b"{")
    classroom = Classroom(tmp_path)
    list(grade_class(classroom, [TOPIC], Run(seed=11), learners))
    before = {name: _wrongly_judged(tmp_path, name) for name in ("ada",)}
    written = _by_hand(tmp_path, "ada")
    shown = _grades(tmp_path, "ada")
    changed = perfect()
    changed.cells[0].source += "\nMore."
    hand_in(tmp_path, "eve", changed)
    hand_in(tmp_path, "new", perfect())

    outcome = command("regrade", FIRST.name, "--class", tmp_path, "--workers", "1")
    assert outcome.exit_code == 0, outcome.output
    assert "2 regraded: 1 with other points than before, 1 the same" in outcome.output

    record = records.load(tmp_path, TOPIC, "ada")
    assert record is not None and record.seed == 11 and record.stored
    fresh = {result.exercise: result for result in record.results}
    assert fresh[FIRST.id].passed and fresh[FIRST.id].seed == 11
    assert [result for result in record.results if result.exercise != FIRST.id] == [
        result for result in before["ada"].results if result.exercise != FIRST.id
    ]
    after = _grades(tmp_path, "ada")
    paid = FIRST.points if FIRST.core else 0.0
    assert after == {**shown, CHECK: (paid, *after[CHECK][1:])} and after[written][1] == 1.5
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as book:
        comments = book.find_submission_notebook(TOPIC, TOPIC, "ada").comments
        assert "Well put." in [comment.manual_comment for comment in comments]

    (backup,) = (tmp_path / "backups").iterdir()
    with Gradebook(f"sqlite:///{backup}") as book:
        assert book.find_grade(CHECK, TOPIC, TOPIC, "ada").auto_score == 0.0
    (page,) = (tmp_path / "reports").glob("regrade_*.html")
    text = page.read_text(encoding="utf-8")
    assert f"+{FIRST.points:g}" in text and backup.name in text
    for name in ("eve", "new", "cut"):
        assert f"not regraded: {name}" in outcome.output and name in text
    assert still_waiting(classroom) == {"eve", "new"}
    assert len(records.attempts(tmp_path, TOPIC, "ada")) >= 2


def test_whom_it_does_not_concern_is_said(tmp_path: Path, command: Command) -> None:
    hand_in(tmp_path, "new", perfect())
    assert sort_out(Classroom(tmp_path), TOPIC) == ({}, [LeftOut("new", "was not graded yet: `grader grade` grades it whole")])
    assert back_up(Classroom(tmp_path)) is None
    outcome = command("regrade", FIRST.id, "--class", tmp_path)
    assert outcome.exit_code == 2 and "not graded yet" in outcome.output
    assert not (tmp_path / "reports").exists()


@pytest.mark.parametrize("name", ["03.nothing", "nothing", ""])
def test_an_unknown_exercise_exits_2(tmp_path: Path, name: str, command: Command) -> None:
    outcome = command("regrade", name, "--class", tmp_path)
    assert outcome.exit_code == 2 and "There is no exercise" in outcome.output


def test_the_page_sorts_by_what_changed_and_escapes() -> None:
    changes = [
        Change("same", 1, 1, "passed", "passed", 5, 5),
        Change("<up>", 0, 2, "wrong", "passed", 3, 5),
        Change("down", 2, 1.5, "passed", "partly", 5, 4.5, "A `row` is <missing>."),
    ]
    text = render_regraded(FIRST.id, changes, [LeftOut("x", "why")], "backups/one.db")
    assert text.index("&lt;up&gt;") < text.index(">down<") < text.index(">same<")
    assert "+2" in text and "−0.5" in text and "<up>" not in text and "&lt;missing&gt;" in text
    assert [difference(change) for change in changes] == ["0", "+2", "−0.5"]
