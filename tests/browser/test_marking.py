"""Two people mark written answers in the same JupyterLab server: nothing is overwritten, and the gradebook has the points."""

from pathlib import Path
from typing import Any

import pytest

from embedding_course.exercises import exercises_of
from grader.classroom.class_folder import Classroom
from grader.marking.written.desk import Desk
from tests.support.browser import Site, browser, serve, shoot, until
from tests.support.classes import TOPIC, graded_with_texts

pytestmark = pytest.mark.slow

TEXTS = {
    "ada": "The clip happens at the lookup, and Adam moves the row afterwards.",
    "bo": "the clip happens at lookup; and adam moves the row afterwards!",
    "cy": "查表时才裁剪，优化器之后又移动了这一行。",
    "di": "",
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, learners: Any) -> Path:
    return graded_with_texts(tmp_path_factory.mktemp("class"), TEXTS, learners)


#: The list is drawn anew while marks of others come in, so the button is found and pressed at once.
_CHOOSE = "[...document.querySelectorAll('#list button')].find((row) => row.firstChild.textContent === arguments[0]).click()"


class Page:
    """The marking page of one person."""

    def __init__(self, driver: Any, site: Site, author: str) -> None:
        self.driver = driver
        driver.get(site.at("grader-mark"))
        driver.execute_script("localStorage.setItem('grader-author', arguments[0])", author)
        driver.get(site.at("grader-mark"))
        until(driver, lambda driver: driver.find_elements("css selector", "#list button"), "the list of answers")
        assert self.one("#author").get_attribute("value") == author

    def one(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def text(self, selector: str) -> str:
        return self.one(selector).text

    def press(self, *keys: str) -> None:
        self.driver.execute_script("document.activeElement.blur()")
        for key in keys:
            self.one("body").send_keys(key)

    def write_rubric(self, *lines: tuple[str, float]) -> None:
        self.driver.execute_script("document.querySelector('#edit').open = true")
        while len(rows := self.driver.find_elements("css selector", "#editor .item")) < len(lines):
            self.one("#add").click()
        for row, (text, points) in zip(rows, lines, strict=True):
            for name, value in (("text", text), ("points", points)):
                box = row.find_element("name", name)
                box.clear()
                box.send_keys(str(value))
        self.one("#keep").click()
        wanted = [f"{text} +{points:g}" for text, points in lines]
        until(self.driver, lambda _: all(line in " ".join(self.text("#items").split()) for line in wanted), "the rubric")
        self.driver.execute_script("document.querySelector('#edit').open = false")

    def choose(self, student: str) -> None:
        self.driver.execute_script(_CHOOSE, student)
        until(self.driver, lambda _: self.text("article.current h3").startswith(student), student)

    def keep_comment(self, text: str) -> None:
        self.one("#comment").clear()
        self.one("#comment").send_keys(text)
        self.press("a")
        until(self.driver, lambda _: text in self.text("#comments"), "the kept comment")

    def wait_for_notice(self, words: str) -> str:
        until(self.driver, lambda _: words in self.text("#notice"), words)
        return self.text("#notice")


def entered(home: Path, student: str) -> float | None:
    from nbgrader.api import Gradebook

    name = f"{TOPIC}"
    with Gradebook(Classroom(home).db_url) as book:
        cells = {exercise.grade_id for exercise in exercises_of(TOPIC)}
        grades = book.find_submission_notebook(name, name, student).grades
        return next(grade.manual_score for grade in grades if grade.name.removesuffix("-check") not in cells)


def test_two_people_on_one_question(home: Path, tmp_path: Path) -> None:
    words = ('--ServerApp.jpserver_extensions={"grader.marking.written": True}', f"--MarkingApp.class_folder={home}")
    for name in ("server", "li", "wu"):
        (tmp_path / name).mkdir()
    with (
        serve(home, tmp_path / "server", *words) as site,
        browser(tmp_path / "li") as first,
        browser(tmp_path / "wu", 420, 900) as second,
    ):
        li = Page(first, site, "li")
        until(first, lambda _: len(first.find_elements("css selector", "#items input")) == 3, "the lesson's rubric")
        assert "Evaluation writes" in li.text("#items")
        li.write_rubric(("why rows may be longer", 1), ("what reading does", 1), ("a check in code", 1))
        li.choose("cy")
        li.keep_comment("Which line of code?")
        wu = Page(second, site, "小吴")
        wu.choose("cy")
        assert "li has this answer open too" in wu.wait_for_notice("open too")
        assert "Which line of code?" in wu.text("#comments"), "kept comments are everybody's"

        li.press("1", "2", "\ue007")
        until(first, lambda _: not li.text("article.current h3").startswith("cy"), "the next answer")
        assert entered(home, "cy") == 2
        wu.press("3", "\ue007")
        told = wu.wait_for_notice("meanwhile")
        assert "marked by li meanwhile: 2 of 3" in told and "Yours was not saved: 1 of 3" in told
        assert entered(home, "cy") == 2, "an older page does not overwrite a newer mark"
        shoot(second, "marking_two_people_phone")
        wu.press("\ue007")
        until(second, lambda _: not wu.text("article.current h3").startswith("cy"), "the next answer")
        assert entered(home, "cy") == 1

        li.choose("ada")
        li.press("g")
        until(first, lambda _: len(first.find_elements("css selector", "article")) == 2, "the group")
        li.press("1")
        first.execute_script("document.querySelector('#edit').open = true")
        shoot(first, "marking_a_group")
        li.one("#save-group").click()
        until(first, lambda _: "3 of 4 marked" in li.text("#progress"), "both marks")
        assert entered(home, "ada") == entered(home, "bo") == 1

        li.write_rubric(("why rows may be longer", 2), ("what reading does", 0.5), ("a check in code", 0.5))
        assert (entered(home, "ada"), entered(home, "cy")) == (2, 0.5), "the rubric changed in the middle"
        wu.wait_for_notice("Somebody changed the rubric")
        assert "why rows may be longer +2" in " ".join(wu.text("#items").split()), "the other page follows by itself"
        points = wu.one("#adjustment")
        points.clear()
        points.send_keys("0,5")
        assert wu.text("#points") == "= 0.5 of 3", "a comma is what many keyboards have for the point"
        points.send_keys("x")
        wu.press("\ue007")
        wu.wait_for_notice("no number")

        by_formgrader(home, "ada", 1.5)
        li.one("#question").find_element("css selector", "option").click()
        li.driver.execute_script("document.querySelector('#question').onchange()")
        until(first, lambda _: "⚠" in li.text("#list"), "the change of formgrader")
        li.choose("ada")
        assert "the gradebook has 1.5" in li.text(".compared"), "a page of formgrader does not win without a word"
        li.driver.execute_script("document.querySelector('#past').open = true")
        until(first, lambda _: "points 2" in li.text("#history"), "the history")
        shoot(first, "marking_changed_in_formgrader")

        book = home / "gradebook.db"
        book.rename(home / "away.db")
        li.press("3", "\ue007")
        assert "is not there any more" in li.wait_for_notice("not there any more")
        assert not book.exists(), "no empty gradebook takes its place"
        (home / "away.db").rename(book)
        assert "= 2.5 of 3" in li.text("#points"), "what was typed is still there"
        li.press("\ue007")
        until(first, lambda _: entered(home, "ada") == 2.5, "the mark")
    desk = Desk(Classroom(home).db_url, TOPIC, "reflection-answer")
    assert [mark.author for mark in desk.history("cy")] == ["li", "小吴"]
    desk.close()


def by_formgrader(home: Path, student: str, points: float) -> None:
    """Enter points as a page of formgrader does, which knows nothing of marks at the desk."""
    from nbgrader.api import Gradebook

    with Gradebook(Classroom(home).db_url) as book:
        book.find_grade("reflection-answer", TOPIC, TOPIC, student).manual_score = points
        book.db.commit()
