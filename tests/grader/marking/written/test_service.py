"""What the page is told: groups, pseudonyms, second marks that see no first one, allotment, comments, and the rubric in use."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.classroom import records
from grader.classroom.class_folder import Submission
from grader.classroom.gradebook.marks import marks_of
from grader.classroom.policy.toml_file import WrongCourse
from grader.errors import UserError
from grader.marking.written import shared
from grader.marking.written.desk import Outdated, RubricError
from grader.marking.written.mark import Draft
from grader.marking.written.second import pairs_of, save_second
from grader.marking.written.service import Marking
from tests.grader.marking.written.conftest import CELL, TEXTS
from tests.support.classes import TOPIC

AT = (TOPIC, CELL)


def marking(home: Path, text: str = "") -> Marking:
    (home / "course.toml").write_text(text, encoding="utf-8")
    return Marking(home)


def answers(service: Marking, author: str = "li") -> dict[str, dict[str, Any]]:
    return {answer["student"]: answer for answer in service.question(*AT, author)["answers"]}


def give(service: Marking, student: str, count: int, author: str, seen: int = 0) -> dict[str, Any]:
    """Mark an answer with the first items of the rubric."""
    items = tuple(item["id"] for item in service.question(*AT, author)["rubric"][:count])
    return service.save(*AT, student, Draft(items), author, seen)


def test_marking_begins_with_the_rubric_of_the_lesson(home: Path) -> None:
    service = marking(home)
    question = service.question(*AT, "li")
    assert question["rubric_from"] == "the lesson" and [item["points"] for item in question["rubric"]] == [1, 1, 1]
    assert question["rubric_note"] == "" and question["most"] == 3
    assert [group["marked"] for group in service.questions()] == [0]


def test_a_rubric_of_course_toml_is_followed_in_the_middle_and_marks_are_computed_anew(home: Path) -> None:
    service = marking(home)
    give(service, "ada", 2, "li")
    lines = '[[rubrics."03.written"]]\ntext = "why"\npoints = {}\n[[rubrics.03.written]]\ntext = "check"\npoints = 1\n'
    (home / "course.toml").write_text(lines.replace('"03.written"', "03.written").format(1.5), encoding="utf-8")
    question = service.question(*AT, "li")
    assert question["rubric_from"] == "course.toml" and question["rubric_note"].startswith("All items together give 2.5 of 3")
    assert answers(service)["ada"]["mark"]["points"] == 0, "other items: what was given for the old ones counts nothing"
    give(service, "ada", 1, "li", answers(service)["ada"]["mark"]["version"])
    (home / "course.toml").write_text(lines.replace('"03.written"', "03.written").format(2), encoding="utf-8")
    assert answers(service)["ada"]["mark"]["points"] == 2
    assert marks_of(service.classroom.db_url, TOPIC)["ada"].cells[CELL].points == 2, "in nbgrader's gradebook too"
    (home / "course.toml").write_text('[[rubrics."03.written"]]\ntext = ""\npoints = 1', encoding="utf-8")
    with pytest.raises(WrongCourse, match="has no text"):
        service.question(*AT, "li")


def test_a_second_marker_does_not_see_the_first_mark(home: Path) -> None:
    service = marking(home, "[marking]\nsecond = 100")
    for student in ("ada", "bo", "cy"):
        give(service, student, 2, "li")
    seen = answers(service, "wu")
    assert seen["ada"]["blind"] and seen["ada"]["mark"] is None and seen["ada"]["elsewhere"] is None
    assert service.history(*AT, "ada", "wu") == [] and service.history(*AT, "ada", "li")
    assert not answers(service, "li")["ada"]["blind"]
    assert not seen["eve"]["blind"], "a blank answer needs no second mark"
    for student, count in (("ada", 2), ("bo", 3), ("cy", 2)):
        give(service, student, count, "wu")
    question = service.question(*AT, "li")
    agreed = question["agreement"]
    assert (agreed["answers"], round(agreed["equal"], 3), round(agreed["difference"], 3)) == (3, 0.667, 0.333)
    both = answers(service, "wu")["bo"]
    assert (both["compared"], both["first"]["points"], both["second"]["points"], both["second"]["author"]) == (
        "differs",
        2,
        3,
        "wu",
    )
    assert marks_of(service.classroom.db_url, TOPIC)["bo"].cells[CELL].points == 2, "the first counts until it is settled"
    settled = give(service, "bo", 3, "zhao", both["mark"]["version"])
    assert settled["compared"] == "settled" and settled["mark"]["author"] == "zhao"
    assert marks_of(service.classroom.db_url, TOPIC)["bo"].cells[CELL].points == 3


def test_a_second_mark_needs_another_person_and_comes_once(home: Path) -> None:
    service = marking(home)
    give(service, "ada", 1, "li")
    desk = service.desk(*AT)
    with pytest.raises(UserError, match="by somebody else"):
        save_second(desk, "ada", Draft(), "li", "text")
    save_second(desk, "ada", Draft(), "wu", "text")
    with pytest.raises(UserError, match="meanwhile"):
        save_second(desk, "ada", Draft(), "zhao", "text")
    assert pairs_of(desk)["ada"].second.author == "wu"
    with pytest.raises(Outdated):
        give(service, "ada", 1, "zhao")


def test_answers_are_allotted_by_student_section_and_in_the_page(home: Path) -> None:
    text = """
roster = "roster.csv"
[[allotments]]
markers = ["zhao"]
students = ["cy"]
[[allotments]]
markers = ["li"]
sections = ["Monday"]
[[allotments]]
markers = ["wu"]
notebooks = ["03"]
"""
    service = marking(home, text)
    (home / "roster.csv").write_text("student_id,section\nada,Monday\nbo,\n", encoding="utf-8")
    assert answers(service)["ada"]["section"] == "Monday"
    assert {name: answer["marker"] for name, answer in answers(service).items()} == {
        "ada": "li", "bo": "wu", "cy": "zhao", "di": "wu", "eve": "wu",
    }  # fmt: skip
    service.allot(*AT, ["bo", "cy"], "li")
    assert [answers(service)[name]["marker"] for name in ("bo", "cy")] == ["li", "li"]
    assert set(answers(service)) == set(TEXTS), "nothing is hidden by the server"
    assert service.question(*AT, "li")["markers"] == ["li", "wu", "zhao"]


def test_comments_are_kept_for_everybody_and_once(home: Path) -> None:
    desk = marking(home).desk(*AT)
    shared.keep_comment(desk, " Which line? ", "li")
    shared.keep_comment(desk, "Which line?", "wu")
    assert [(kept["text"], kept["author"]) for kept in shared.kept_comments(desk)] == [("Which line?", "li")]
    with pytest.raises(UserError, match="no comment to keep"):
        shared.keep_comment(desk, "  ", "li")
    shared.drop_comment(desk, shared.kept_comments(desk)[0]["id"])
    assert shared.kept_comments(desk) == []


def test_without_names_nothing_that_the_page_gets_holds_one(home: Path) -> None:
    service = marking(home, "[marking]\nnames = false")
    told = str(service.question(*AT, "li"))
    assert not [student for student in TEXTS if f"'{student}'" in told]
    by_text = {answer["text"]: answer["student"] for answer in service.question(*AT, "li")["answers"]}
    name = by_text[TEXTS["ada"]]
    assert name.startswith("Learner ")
    give(service, name, 1, "li")
    assert service.desk(*AT).marks()["ada"].author == "li"
    with pytest.raises(UserError, match="There is no ada"):
        service.save(*AT, "ada", Draft(), "li", 0)
    (home / "course.toml").write_text("", encoding="utf-8")
    assert set(answers(service)) == set(TEXTS), "course.toml is followed while the server runs"


def test_a_rubric_that_somebody_else_changed_is_not_replaced(home: Path) -> None:
    service = marking(home)
    seen = service.question(*AT, "li")["rubric"]
    service.set_rubric(*AT, [*seen, {"text": "by wu", "points": 1}], seen)
    with pytest.raises(RubricError, match="Somebody else changed the rubric meanwhile"):
        service.set_rubric(*AT, seen[:1], seen)
    assert [item["text"] for item in service.question(*AT, "li")["rubric"]][3:] == ["by wu"]


def test_an_answer_whose_notebook_is_gone_is_not_taken_for_a_blank_one(home: Path) -> None:
    service = marking(home)
    for student in ("ada", "eve"):
        service.classroom.autograded(Submission(student, TOPIC, home)).unlink()
    found = answers(service)
    assert "notebook of this answer is missing" in found["ada"]["text"] and found["eve"]["text"] == ""
    assert found["ada"]["group"] != found["eve"]["group"]
    record = records.load(home, TOPIC, "ada")
    assert record is not None
    records.save(home, msgspec.structs.replace(record, written={}), None)
    assert "ada" not in answers(service), "a file that could not be read holds no answer to mark"


def test_the_feedback_page_says_who_marked_unless_formgrader_changed_it(home: Path) -> None:
    from nbgrader.api import Gradebook

    service = marking(home)
    for student in ("ada", "bo"):
        give(service, student, 2, "li")
    with Gradebook(service.classroom.db_url) as book:
        book.find_grade(CELL, TOPIC, TOPIC, "bo").manual_score = 1
        book.db.commit()
    marks = marks_of(service.classroom.db_url, TOPIC)
    assert marks["ada"].cells[CELL].author == "li" and marks["ada"].cells[CELL].at
    assert marks["bo"].cells[CELL].author == "" and marks["cy"].cells[CELL].author == ""
    assert answers(service)["bo"]["elsewhere"]["points"] == 1


def test_texts_are_read_again_only_when_a_notebook_changed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = marking(home)
    service.question(*AT, "li")
    monkeypatch.setattr("grader.marking.written.answers.read_own", lambda *_: pytest.fail("read again"))
    monkeypatch.setattr("grader.marking.written.answers.groups_of", lambda *_: pytest.fail("grouped again"))
    assert answers(service)["ada"]["text"] == TEXTS["ada"]
