"""The page for the next author: numbers of each exercise, what to look at, and nobody's name or answer."""

from collections.abc import Callable
from pathlib import Path

import msgspec
from click.testing import Result as Outcome

from embedding_course.checking.judge import stopped
from embedding_course.exercises import find_exercise
from grader.classroom import records
from grader.classroom.grade_record import GradeRecord
from grader.report.author_page import author_lines, render_author_page
from grader.report.tries import Practice

TOPIC, EXERCISE = "03_max_norm", "03.renorm_rows"


def a_class(count: int, right: int) -> list[GradeRecord]:
    """The first so many are right, the others made one mistake."""
    return [_record(f"student{number}", number < right) for number in range(count)]


def _record(student: str, right: bool) -> GradeRecord:
    exercise = find_exercise(EXERCISE)
    result = stopped(exercise, "wrong", "values", "secret answer", hidden=True)
    result = msgspec.structs.replace(result, mistake="per_column", diagnosis="Columns.")
    if right:
        result = msgspec.structs.replace(result, status="passed", passed=True, score=exercise.points, mistake=None, message="")
    facts = {"seed": 1, "submission": "x", "graded_at": "2026-03-01T12:00:00+00:00"}
    return GradeRecord(student=student, topic=TOPIC, status="graded", results=[result], **facts)


def test_a_row_has_the_share_tries_minutes_and_mistakes() -> None:
    practice = [Practice({EXERCISE: tries}, {EXERCISE: 60.0 * 60}) for tries in range(1, 13)]
    (line,) = author_lines(a_class(12, 5), practice)
    assert (line.went.count, line.went.share("passed"), round(line.share, 3)) == (12, 5 / 12, round(5 / 12, 3))
    assert line.tries is not None and (line.tries.count, line.tries.middle) == (12, 6.5)
    assert line.minutes is not None and line.minutes.middle == 60
    assert line.mistakes == [("per_column", 7)] and line.unnamed == 0
    assert [hint for hint in line.hints if "longer than" in hint] and not [hint for hint in line.hints if "no name" in hint]


def test_the_page_holds_no_name_and_no_answer() -> None:
    page = render_author_page(author_lines(a_class(12, 12), []), 12, "2026-03-01")
    assert "Nearly everybody has it right" in page and "not known" in page
    assert "student1" not in page and "secret answer" not in page


def test_the_command_writes_it_and_refuses_what_does_not_fit(tmp_path: Path, command: Callable[..., Outcome]) -> None:
    outcome = command("report", "--exercises", "--class", tmp_path)
    assert outcome.exit_code == 2 and "Nothing was graded yet" in outcome.output
    for record in a_class(3, 1):
        records.save(tmp_path, record, None)
    outcome = command("report", "--exercises", "--class", tmp_path)
    assert outcome.exit_code == 0, outcome.output
    page = tmp_path / "reports" / "exercises.html"
    assert page.stat().st_mode & 0o777 == 0o600 and "per_<wbr>column" in page.read_text(encoding="utf-8")
    outcome = command("report", "--exercises", "--term", "--class", tmp_path)
    assert outcome.exit_code == 2 and "leave out the other options" in outcome.output
