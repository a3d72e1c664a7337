"""The demo class gets the foretold scores; the report says what happened, and escapes it."""

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from embedding_course.checking.judge import stopped
from embedding_course.exercises import known
from embedding_course.subject.lessons import topics
from grader.classroom.grade_record import GradeRecord
from grader.course_source.notebook import release, source
from grader.quality.demo.outcomes import by_kind, others, write
from grader.quality.demo.personas import PERSONAS, fill
from grader.quality.demo.roster import MOST, roster
from grader.quality.demo.run import Outcome, compare, make_class
from grader.quality.demo.run import run as run_demo
from grader.report.class_page import render, write_report
from grader.report.summary import summarise


def one_of_each_kind() -> list[tuple[str, str, str]]:
    """The first row of the roster for each persona and notebook that is not there yet: a small class with everything."""
    seen: dict[object, tuple[str, str, str]] = {}
    for row in roster(topics(), MOST):
        _, topic, persona = row
        if persona not in seen or topic not in {other for _, other, _ in seen.values()}:
            seen[persona if persona not in seen else topic] = row
    return list(seen.values())


@pytest.mark.slow
def test_scores_are_the_foretold_ones(tmp_path: Path) -> None:
    rows = one_of_each_kind()
    outcomes = run_demo(tmp_path / "demo", rows=rows)
    assert {outcome.persona for outcome in outcomes} == {*PERSONAS, "corrupt"}
    assert {outcome.topic for outcome in outcomes} == set(topics())
    assert not [(outcome.student, outcome.topic, outcome.persona, outcome.wrong) for outcome in outcomes if outcome.wrong]
    page = write_report(tmp_path / "demo").read_text(encoding="utf-8")
    assert "What to teach again" in page
    assert "Who to talk to" in page
    again = run_demo(tmp_path / "demo", rows=rows[:5])
    scores = {(outcome.student, outcome.topic): outcome.score for outcome in outcomes}
    assert [outcome.score for outcome in again] == [scores[outcome.student, outcome.topic] for outcome in again]
    assert len(again) == 5


@pytest.mark.long
def test_the_whole_class_gets_the_foretold_scores(tmp_path: Path) -> None:
    outcomes = run_demo(tmp_path / "demo", rows=roster(topics(), MOST))
    assert len(outcomes) == 10 * MOST
    assert not [(outcome.student, outcome.topic, outcome.persona, outcome.wrong) for outcome in outcomes if outcome.wrong]


def test_every_kind_of_student_is_there() -> None:
    assert {persona for _, _, persona in roster(topics())} == {*PERSONAS, "corrupt"}


def test_a_real_class_is_never_touched(tmp_path: Path) -> None:
    (tmp_path / "gradebook.db").write_text("precious", encoding="utf-8")
    with pytest.raises(FileExistsError, match="not a demo class"):
        make_class(tmp_path)
    assert (tmp_path / "gradebook.db").read_text(encoding="utf-8") == "precious"


def test_a_score_other_than_foretold_is_seen() -> None:
    topic = topics()[0]
    sheet = fill(topic, release(source(topic)), "perfect", 0)
    nothing = [stopped(exercise, "wrong", "values", "") for exercise in known().values() if exercise.lesson.topic == topic]
    record = GradeRecord(student="a", topic=topic, status="graded", seed=1, submission="", graded_at="", results=nothing)
    assert compare(sheet, record, {}).wrong


def test_the_table_counts_by_kind_and_tells_every_surprise(tmp_path: Path) -> None:
    outcomes = [
        Outcome("ada", "01_onehot_vs_lookup", "perfect", 29, 29, ()),
        Outcome("bo", "01_onehot_vs_lookup", "perfect", 29, 28.5, ("01.one_hot",)),
        Outcome("bo", "02_gradients", "untouched", 0, 0, ()),
    ]
    console = Console(file=StringIO(), width=80)
    console.print(by_kind(outcomes))
    output = console.file.getvalue()  # type: ignore[attr-defined]
    rows = [line.split() for line in output.splitlines()]
    assert ["perfect", "✘", "1/2"] in rows and ["untouched", "1"] in rows
    assert others(outcomes) == ["bo, 01_onehot_vs_lookup (perfect): 29 was foretold, 28.5 came; 01.one_hot."]
    write(tmp_path / "foretold.csv", outcomes)
    lines = (tmp_path / "foretold.csv").read_text(encoding="utf-8").splitlines()
    assert lines[2] == "bo,01_onehot_vs_lookup,perfect,29,28.5,01.one_hot" and len(lines) == 4


def test_the_report_escapes_what_students_wrote() -> None:
    record = GradeRecord(
        student="<script>alert(1)</script>",
        topic=topics()[0],
        status="unreadable",
        seed=1,
        submission="",
        graded_at="",
        reason="<img onerror=x>",
    )
    page = render(summarise([record]), "today")
    assert "<script>alert" not in page
    assert "<img onerror" not in page


def test_a_report_of_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="grader grade"):
        write_report(tmp_path)
