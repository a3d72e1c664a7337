"""Several people mark the answers to one question: nothing is overwritten, the rubric can change, nbgrader has the points."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import Result
from nbgrader.api import Gradebook

from grader.classroom.class_folder import Classroom
from grader.errors import UserError
from grader.marking.written.desk import Desk, Outdated, RubricError
from grader.marking.written.groups import groups_of
from grader.marking.written.mark import Draft, Item
from grader.marking.written.shared import look_at, open_answers
from tests.support.classes import TOPIC, hand_in, perfect

Command = Callable[..., Result]
CELL = "reflection-answer"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, learners) -> Path:
    from typer.testing import CliRunner

    from grader.cli import app

    home = tmp_path_factory.mktemp("class")
    for student in ("ada", "bo", "cy"):
        hand_in(home, student, perfect())
    outcome = CliRunner().invoke(app, ["grade", TOPIC[:2], "--class", str(home)], obj=learners)
    assert outcome.exit_code == 0, outcome.output
    return home


@pytest.fixture
def desk(shared: Path, tmp_path: Path):
    import shutil

    shutil.copytree(shared, tmp_path / "class")
    desk = Desk(Classroom(tmp_path / "class").db_url, TOPIC, cell_of(tmp_path / "class"))
    yield desk
    desk.close()


def cell_of(home: Path) -> str:
    with Gradebook(Classroom(home).db_url) as book:
        return next(cell.name for cell in book.find_notebook(TOPIC, TOPIC).grade_cells if not cell.name.endswith("-check"))


def in_book(desk: Desk, student: str) -> tuple[float | None, bool, str | None]:
    with Gradebook(desk._db_url) as book:
        grade = book.find_grade(desk.cells.cell, TOPIC, TOPIC, student)
        comment = book.find_comment(desk.cells.cell, TOPIC, TOPIC, student)
        return grade.manual_score, grade.needs_manual_grade, comment.manual_comment


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
    with Gradebook(desk._db_url) as book:
        book.find_grade(desk.cells.cell, TOPIC, TOPIC, "ada").manual_score = 3
        book.db.commit()
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
