"""What course.toml says on marking written answers: rubrics, allotments, second marks; and the lessons' own rubrics."""

from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from embedding_course.subject.lessons import topics
from grader.classroom.policy.course import load_course
from grader.classroom.policy.marking import Allotment, marker_of, second_sample
from grader.classroom.policy.rubrics import reference_rubric, rubric_for
from grader.classroom.policy.toml_file import WrongCourse
from grader.cli import app
from grader.course_source.stored import labelled_cells

STUDENTS = [f"student {number}" for number in range(300)]


@pytest.mark.parametrize("topic", topics())
def test_each_lesson_has_a_rubric_that_adds_up(topic: str) -> None:
    lines = reference_rubric(topic)
    marks = [cell["metadata"]["nbgrader"] for cell in labelled_cells(topic).values()]
    worth = [mark["points"] for mark in marks if mark["grade"] and mark["solution"]]
    assert [sum(line.points for line in lines)] == worth and 2 <= len(lines) <= 4


def test_the_lessons_rubric_grows_with_the_points_of_the_class(tmp_path: Path) -> None:
    lines, source = rubric_for(load_course(tmp_path).rubrics, "03_max_norm", 6)
    assert source == "the lesson" and [line.points for line in lines] == [2, 2, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[rubrics."12.written"]]\ntext = "x"\npoints = 1', "no written question"),
        ('[[rubrics."03.written"]]\ntext = "x"', r"each line needs text"),
        ('[rubrics]\n"03.written" = 3', r"each line needs text"),
        ('[[rubrics."03.written"]]\ntext = "x"\npoints = inf', "inf points"),
        ("[marking]\nsecond = 101", "at most 100"),
        ("[[allotments]]\nmarkers = []", "who marks"),
        ('[[allotments]]\nmarkers = ["li"]\nnotebooks = ["14"]', "no notebook"),
        ('students = ["ada"]\n[[allotments]]\nmarkers = ["li"]\nstudents = ["bo"]', 'no student "bo"'),
        ('[[allotments]]\nmarkers = ["li"]\nsection = "x"', "did you mean sections"),
    ],
)
def test_what_cannot_hold_is_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    with pytest.raises(WrongCourse, match=message) as raised:
        load_course(tmp_path)
    assert "\n" not in str(raised.value)


def test_class_check_says_what_follows(tmp_path: Path) -> None:
    text = """
[marking]
names = false
second = 10
[[allotments]]
markers = ["li", "wu"]
notebooks = ["03"]
[[rubrics."03.written"]]
text = "all of it"
points = 4
"""
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    said = CliRunner().invoke(app, ["class", "check", str(tmp_path)]).output
    assert "see no names" in said and "A second person marks 10 % of the written answers." in said
    assert "li and wu mark notebooks 03, about evenly." in said
    assert "Rubric of 03.written: 4. All items together give 4 of 3 points" in said


def test_several_markers_share_the_answers_and_a_late_student_changes_nothing() -> None:
    allotments = [Allotment(("li", "wu", "zhao"))]
    counts = Counter(marker_of(allotments, "03_max_norm", student) for student in STUDENTS)
    assert set(counts) == {"li", "wu", "zhao"} and min(counts.values()) > 70
    assert marker_of([Allotment(("li",), sections=("Monday",))], "03_max_norm", "ada", "Tuesday") == ""


def test_the_sample_of_the_second_marker_is_drawn_by_its_seed() -> None:
    sample = second_sample(STUDENTS, 0.1, "seed")
    assert len(sample) == 30 and sample == second_sample(STUDENTS[::-1], 0.1, "seed") != second_sample(STUDENTS, 0.1, "s")
    assert second_sample([], 0.1, "seed") == set() and len(second_sample(["ada"], 0.1, "seed")) == 1
