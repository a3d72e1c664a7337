"""All sentences of a feedback page are looked up: in a pseudo-language nothing stands outside of templates but data."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from embedding_course.checking import expected
from embedding_course.checking.judge import judge, stopped
from embedding_course.checking.observe import observe
from embedding_course.checking.result import Result
from embedding_course.exercises import exercises_of
from grader.classroom.grade_record import Attempt, GradeRecord
from grader.classroom.gradebook.marks import CellMark, Marks
from grader.classroom.policy.course import Course
from grader.course_source.catalogue import callable_of, mistakes_of
from grader.feedback.own_cells import OwnCell, OwnCells, Written
from grader.feedback.page import Handed, render
from tests.support.pseudo_language import pseudo_language, text_of_page, words_outside

TOPIC = "03_max_norm"
EXERCISES = exercises_of(TOPIC)
#: What a page holds besides sentences: ids of a student, a team and its members, what people wrote, and the time zone.
DATA = {"ada", "owls", "bo", "utc", "well", "seen", "why", "these"}


@pytest.fixture(autouse=True)
def pseudo() -> Iterator[None]:
    with pseudo_language():
        yield


def results() -> list[Result]:
    """Return one wrong verdict, one verdict of each other kind, and right ones for the rest."""
    found = []
    for index, exercise in enumerate(EXERCISES):
        shipped = expected.load(exercise)
        seen = shipped.expected
        if index == 0:
            answer = callable_of(mistakes_of(exercise)[0].source, exercise)
            seen = [observe(exercise, answer, case) for case in shipped.cases]
        found.append(
            judge(exercise, shipped.cases, shipped.expected, seen, lambda kept=shipped: kept.fingerprints, hidden=True)
        )
    found[1] = stopped(EXERCISES[1], "not attempted", "not attempted", "", hidden=True)
    found[2] = stopped(EXERCISES[2], "timed out", "raises", "", hidden=True)
    return found


def page(status: str = "graded", **facts: Any) -> str:
    late = datetime(2026, 3, 2, 13, tzinfo=UTC)
    record = GradeRecord(
        student="ada",
        topic=TOPIC,
        status=status,
        seed=1,
        submission="",
        graded_at=late.isoformat(),
        late=4000.0,
        penalty=0.1,
        results=results() if status == "graded" else [],
        team="Owls",
        members=["ada", "bo"],
        others=[Attempt("", "", late.isoformat(), "graded", 3.0, late=90.0)],
        **facts,
    )
    course = Course((TOPIC,), deadlines={TOPIC: late - timedelta(days=1)})
    cells = {f"{exercise.grade_id}-check": CellMark(1.0, 2.0, by_hand=index == 3) for index, exercise in enumerate(EXERCISES)}
    cells |= {"written": CellMark(0.0, 3.0, waits=True), "read": CellMark(1.0, 3.0)}
    own = OwnCells(
        {EXERCISES[0].grade_id: OwnCell("def renorm_rows(): ...", "printed", 2)},
        (OwnCell("x = 1"),),
        (Written("written", "Why?", "These."), Written("read", "Why?", "These."), Written("unknown", "Why?", "These.")),
    )
    marks = Marks(cells, {EXERCISES[3].grade_id: "Well seen."}, 2.0)
    return render(Handed(record, course, own, marks, late.replace(tzinfo=None)))


def left_over(html: str) -> set[str]:
    text = text_of_page(html)
    for exercise in EXERCISES:
        text = text.replace(exercise.name, "")
    return {word.casefold() for word in words_outside(text)} - DATA


def test_nothing_of_a_page_stands_outside_a_template() -> None:
    html = page()
    assert html.count("⟦") > 60
    assert not left_over(html)


def test_nothing_of_the_page_of_an_unreadable_file_stands_outside_a_template() -> None:
    assert not left_over(page("unreadable"))
    assert not left_over(page("failed"))
