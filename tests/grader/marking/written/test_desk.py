"""Several people mark the answers to one question: nothing is overwritten, the rubric can change, nbgrader has the points."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import select

from grader.classroom.gradebook.forget import forget_in_book
from grader.classroom.gradebook.marking_tables import CHANGES
from grader.classroom.policy.rubrics import RubricLine
from grader.errors import UserError
from grader.marking.written.desk import Desk, Outdated, RubricError
from grader.marking.written.groups import groups_of
from grader.marking.written.mark import Draft, Item
from grader.marking.written.shared import look_at, open_answers
from tests.support.classes import TOPIC


def in_book(desk: Desk, student: str) -> tuple[float | None, bool, str | None]:
    with Gradebook(desk._db_url) as book:
        grade = book.find_grade(desk.cells.cell, TOPIC, TOPIC, student)
        comment = book.find_comment(desk.cells.cell, TOPIC, TOPIC, student)
        return grade.manual_score, grade.needs_manual_grade, comment.manual_comment


def in_formgrader(desk: Desk, student: str, points: float) -> None:
    """Enter points as formgrader does, through nbgrader's own API."""
    with Gradebook(desk._db_url) as book:
        book.find_grade(desk.cells.cell, TOPIC, TOPIC, student).manual_score = points
        book.db.commit()


def rubric(desk: Desk) -> list[Item]:
    return desk.set_rubric([Item(0, "why rows may be longer", 1), Item(0, "what reading does", 1), Item(0, "a check", 1)])


def test_a_mark_lands_in_the_gradebook_with_its_comment(desk: Desk) -> None:
    first, second, _ = rubric(desk)
    assert in_book(desk, "ada")[:2] == (None, True)
    mark = desk.save("ada", Draft((first.id, second.id), 0.5, "Good."), "li", 0, "text")
    assert (mark.points, mark.author) == (2.5, "li") and in_book(desk, "ada") == (2.5, False, "Good.")
    assert desk.marks()["ada"] == mark and set(desk.marks()) == {"ada"}


def test_an_older_page_never_overwrites_a_newer_mark(desk: Desk) -> None:
    first, second, _ = rubric(desk)
    by_li = desk.save("ada", Draft((first.id,)), "li", 0, "text")
    with pytest.raises(Outdated) as met:
        desk.save("ada", Draft((second.id,), comment="mine"), "wu", 0, "text")
    assert met.value.current == by_li and in_book(desk, "ada")[0] == 1
    desk.save("ada", Draft((first.id, second.id)), "wu", by_li.version, "text")
    assert [mark.author for mark in desk.history("ada")] == ["li", "wu"] and in_book(desk, "ada")[0] == 2


def test_of_many_who_save_at_once_one_wins_and_the_others_are_told(desk: Desk) -> None:
    items = rubric(desk)
    desks = [Desk(desk._db_url, TOPIC, desk.cells.cell) for _ in range(6)]

    def save(number: int) -> str:
        try:
            desks[number].save("bo", Draft((items[number % 3].id,)), f"author {number}", 0, "text")
            return "saved"
        except Outdated:
            return "told"

    with ThreadPoolExecutor(6) as pool:
        outcomes = list(pool.map(save, range(6)))
    assert sorted(outcomes) == ["saved", *["told"] * 5]
    assert len(desk.history("bo")) == 1
    for other in desks:
        other.close()


def test_a_changed_rubric_leaves_alone_what_formgrader_changed(desk: Desk) -> None:
    first, *others = rubric(desk)
    for student in ("ada", "bo"):
        desk.save(student, Draft((first.id,)), "li", 0, "text")
    in_formgrader(desk, "ada", 2.5)
    desk.set_rubric([Item(first.id, first.text, 2), *others])
    assert in_book(desk, "ada")[0] == 2.5 and in_book(desk, "bo")[0] == 2


def test_a_rubric_that_gives_more_than_the_question_stops_at_its_points(desk: Desk) -> None:
    items = desk.set_rubric([Item(0, "one", 2), Item(0, "two", 2)])
    assert desk.save("ada", Draft(tuple(item.id for item in items)), "li", 0, "text").points == 3


def test_a_mark_does_not_replace_what_formgrader_changed_meanwhile(desk: Desk) -> None:
    first, second, _ = rubric(desk)
    mark = desk.save("ada", Draft((first.id,)), "li", 0, "text")
    in_formgrader(desk, "ada", 2.5)
    with pytest.raises(Outdated) as met:
        desk.save("ada", Draft((second.id,)), "li", mark.version, "text")
    assert met.value.entered.points == 2.5 and in_book(desk, "ada")[0] == 2.5
    desk.save("ada", Draft((second.id,)), "li", mark.version, "text", met.value.entered.change)
    assert in_book(desk, "ada")[0] == 1
    with desk.transaction() as connection:
        changes = desk.cells.changes_of(connection, "ada")
    assert [(change["before"], change["after"]) for change in changes] == [("1.0", "2.5")], (
        "the journal keeps what was replaced"
    )


def test_points_of_the_class_that_change_are_entered_when_the_desk_is_opened(desk: Desk) -> None:
    desk.begin([RubricLine("a", 1), RubricLine("b", 2)], "course.toml")
    first, second = desk.rubric()
    desk.save("ada", Draft((second.id,)), "li", 0, "text")
    assert not desk.begin([RubricLine("a", 1), RubricLine("b, in other words", 1.5)], "course.toml")
    assert in_book(desk, "ada")[0] == 1.5 and [item.id for item in desk.rubric()] == [first.id, second.id]
    desk.set_rubric(desk.rubric())
    assert desk.begin([RubricLine("a", 3)], "course.toml"), "what was changed in the page is not replaced without a word"
    assert in_book(desk, "ada")[0] == 1.5
    desk.take([RubricLine("a", 3)], "course.toml")
    assert in_book(desk, "ada")[0] == 0 and desk.rubric_from() == "course.toml"


def test_lines_of_equal_text_stay_apart_when_the_file_changes(desk: Desk) -> None:
    desk.begin([RubricLine("clear", 1), RubricLine("clear", 2)], "course.toml")
    before = [item.id for item in desk.rubric()]
    desk.begin([RubricLine("clear", 1.5), RubricLine("clear", 1.5)], "course.toml")
    assert [(item.id, item.points) for item in desk.rubric()] == [(before[0], 1.5), (before[1], 1.5)]


def test_a_gradebook_that_is_away_is_one_sentence_and_nothing_is_made_in_its_place(desk: Desk) -> None:
    first, *_ = rubric(desk)
    path = Path(desk._db_url.removeprefix("sqlite:///"))
    path.rename(path.with_name("away.db"))
    with pytest.raises(UserError, match="not there any more: put it back"):
        desk.save("ada", Draft((first.id,)), "li", 0, "text")
    assert not path.exists()
    path.with_name("away.db").rename(path)
    assert desk.save("ada", Draft((first.id,)), "li", 0, "text").points == 1


def test_a_forgotten_student_leaves_nothing_on_the_desk(desk: Desk) -> None:
    first, *_ = rubric(desk)
    for student in ("ada", "bo"):
        desk.save(student, Draft((first.id,)), "li", 0, "text")
    look_at(desk, "ada", "li")
    in_formgrader(desk, "ada", 2.5)
    assert forget_in_book(desk._db_url, "ada")
    assert set(desk.marks()) == {"bo"} and desk.history("ada") == [] and open_answers(desk) == {}
    with desk.transaction() as connection:
        assert set(connection.execute(select(CHANGES.c.after)).scalars()) == {"1.0"}, "only bo's is left"


def test_a_changed_rubric_changes_all_marks(desk: Desk) -> None:
    first, second, third = rubric(desk)
    desk.save("ada", Draft((first.id, second.id)), "li", 0, "text")
    desk.save("bo", Draft((third.id,)), "li", 0, "text")
    desk.set_rubric([Item(first.id, first.text, 2), Item(second.id, second.text, 0.5), Item(0, "new", 0.5)])
    assert in_book(desk, "ada")[0] == 2.5 and in_book(desk, "bo")[0] == 0, "an item that is gone counts nothing"
    assert [item.text for item in desk.rubric()] == [first.text, second.text, "new"]


def test_marks_of_formgrader_are_seen(desk: Desk) -> None:
    first, *_ = rubric(desk)
    desk.save("ada", Draft((first.id,)), "li", 0, "text")
    in_formgrader(desk, "ada", 3)
    assert desk.marks()["ada"].points == 1 and desk.entered()["ada"].points == 3


def test_who_has_what_open_is_seen(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert look_at(desk, "ada", "li") == [] and look_at(desk, "ada", "wu") == ["li"]
    assert open_answers(desk) == {"ada": ["li", "wu"]}
    assert look_at(desk, "bo", "li") == [] and open_answers(desk) == {"ada": ["wu"], "bo": ["li"]}
    import time

    later = time.time() + 100
    monkeypatch.setattr("grader.marking.written.shared.time.time", lambda: later)
    assert open_answers(desk) == {}


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([Item(0, " ", 3)], "no text"),
        ([Item(0, "x", float("nan"))], "nan points"),
        ([Item(0, "x", 1e9)], "from -1000 to 1000"),
        ([Item(99, "x", 3)], "no item 99"),
        ([Item(1, "x", 3), Item(1, "y", 1)], "stands in the rubric twice"),
    ],
)
def test_a_rubric_that_cannot_be_used_is_refused(desk: Desk, items: list[Item], message: str) -> None:
    with pytest.raises(RubricError, match=message):
        desk.set_rubric(items)
    assert desk.rubric() == []


def test_points_beyond_the_maximum_and_unknown_people_are_refused(desk: Desk) -> None:
    first, *_ = rubric(desk)
    with pytest.raises(UserError, match="between 0 and 3"):
        desk.save("ada", Draft((first.id,), 5), "li", 0, "text")
    with pytest.raises(UserError, match="between 0 and 3"):
        desk.save("ada", Draft((first.id,), float("nan")), "li", 0, "text")
    with pytest.raises(UserError, match="not in the gradebook"):
        desk.save("nobody", Draft((first.id,)), "li", 0, "text")
    with pytest.raises(UserError, match="knows no written question"):
        Desk(desk._db_url, TOPIC, "no-such-cell").most()
    assert desk.marks() == {}


def test_like_answers_are_one_group_and_blank_ones_are_together() -> None:
    answers = {
        "a": "The clip happens at the lookup, and Adam moves the row afterwards.",
        "b": "the clip happens at lookup; and adam moves the row afterwards!",
        "c": "I would trust both statements.",
        "d": "  \n",
        "e": "...",
        "f": "查表时才裁剪，优化器之后又移动了这一行。",
        "g": "查表时才裁剪，之后优化器又移动这一行",
    }
    assert groups_of(answers) == [["a", "b"], ["f", "g"], ["c"], ["d", "e"]]
