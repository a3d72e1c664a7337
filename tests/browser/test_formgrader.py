"""An instructor's way through formgrader in a real browser: autograde, grade a reflection by hand, feedback, class report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from nbgrader.api import Gradebook

from embedding_course.exercises import exercises_of, find_exercise
from grader.course_source.catalogue import mistakes_of
from grader.course_source.notebook import source
from grader.course_source.stored import as_bytes
from grader.report.class_page import write_report
from tests.redteam.honest import solution
from tests.support.browser import Site, browser, serve, shoot, until
from tests.support.classes import hand_in, perfect
from tests.support.formgrader_page import Formgrader

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.xdist_group("browser_instructor")
TOPIC = "01_onehot_vs_lookup"
REFLECTION = "reflection-answer"
ONE_HOT = find_exercise("01.one_hot")
WRONG = next(mistake for mistake in mistakes_of(ONE_HOT) if mistake.slug == "class_axis_first")
WHOLE = sum(exercise.points for exercise in exercises_of(TOPIC))
#: What a notebook is marked out of: its core exercises and the written answer.
WRITTEN = next(
    cell.metadata.nbgrader.points
    for cell in source(TOPIC).cells
    if cell.metadata.get("nbgrader", {}).get("grade_id") == REFLECTION
)
ASKED = sum(exercise.points for exercise in exercises_of(TOPIC) if exercise.core) + WRITTEN
ANSWER = "The merges were learned from **English**: 我 is three bytes, and few of them merge."
#: As docs/grading.md has it, with folders of the test's own for what formgrader writes.
CONFIG = """
from pathlib import Path

from grader.marking.nbgrader_plugin import configure

config, home = get_config(), Path(__file__).parent
configure(config, home)
config.CourseDirectory.source_directory = str(home / "source")
config.CourseDirectory.release_directory = str(home / "release")
config.Exchange.root = str(home / "exchange")
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A class of two: Ada's code is right, and her reflection waits for a person; Bob made a mistake and wrote nothing."""
    home = tmp_path / "class"
    (home / "source" / TOPIC).mkdir(parents=True)
    (home / "exchange").mkdir()
    (home / "source" / TOPIC / f"{TOPIC}.ipynb").write_bytes(as_bytes(source(TOPIC)))
    (home / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    ada, bob = perfect(TOPIC), perfect(TOPIC)
    ada.cells[solution(ada, REFLECTION)].source = ANSWER
    bob.cells[solution(bob, ONE_HOT.grade_id)].source = WRONG.source
    bob.cells[solution(bob, REFLECTION)].source = "YOUR ANSWER HERE"
    for student, notebook in (("ada", ada), ("bob", bob)):
        path = hand_in(home, student, notebook, TOPIC)
        path.with_name("timestamp.txt").write_text("2026-03-01 12:00:00 UTC", encoding="utf-8")
    # What nbgrader's exchange leaves beside a submission. Bob's came by mail.
    (home / "submitted" / "ada" / TOPIC / "submission_secret.txt").write_text("a secret of Ada's", encoding="utf-8")
    return home


@pytest.fixture
def opened(home: Path, tmp_path: Path) -> Iterator[tuple[Chrome, Site]]:
    folder = tmp_path / "state"
    folder.mkdir()
    with browser(folder) as driver, serve(home, folder) as site:
        yield driver, site


def _grade_by_hand(driver: Chrome, pages: Formgrader) -> None:
    """Two points and a comment for Ada's reflection."""
    cell = pages.cell(REFLECTION)
    assert "我 is three bytes" in cell.text
    shoot(driver, "instructor-4-reflection")
    score, comment = cell.find_element("css selector", ".score"), cell.find_element("css selector", ".comment")
    score.send_keys("2")
    comment.click()
    until(driver, lambda _: cell.find_element("css selector", ".score-saved").is_displayed(), "a saved score")
    comment.send_keys("Right about the training. What would you advise the shop?")
    score.click()
    until(driver, lambda _: cell.find_element("css selector", ".comment-saved").is_displayed(), "a saved comment")
    shoot(driver, "instructor-5-graded-by-hand")


def _look(driver: Chrome, path: Path, name: str) -> str:
    """Open a page from the disk: light, dark and on a phone. Its text. Nothing may stick out on the right."""
    driver.get(path.as_uri())
    shoot(driver, name)
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    shoot(driver, f"{name}-dark")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    shoot(driver, f"{name}-phone")
    assert driver.execute_script("return document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1")
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return driver.find_element("css selector", "body").text


@pytest.mark.slow
def test_an_instructor_autogrades_grades_by_hand_and_gives_feedback(home: Path, opened: tuple[Chrome, Site]) -> None:
    driver, site = opened
    pages = Formgrader(driver, site)
    pages.open("manage_assignments", "#main-table .assign a")
    assert "Success" in pages.press(TOPIC, "assign")
    pages.close()
    shoot(driver, "instructor-1-assignments")
    pages.row(TOPIC).find_element("css selector", ".num-submissions a").click()
    for student in ("ada", "bob"):
        assert "Successfully autograded" in pages.press(student, "autograde")
        if student == "ada":
            shoot(driver, "instructor-2-autograded")
        pages.close()
    assert f"needs manual grading {WHOLE:g} / {ASKED:g}" in pages.row("ada").text
    shoot(driver, "instructor-3-submissions")

    pages.open(f"gradebook/{TOPIC}/{TOPIC}", "#main-table td a")
    pages.open_marked("needs manual grade")
    _grade_by_hand(driver, pages)
    driver.back()
    pages.open_marked("tests failed")
    pages.cell(f"{ONE_HOT.grade_id}-check")
    shoot(driver, "instructor-6-mistake")
    assert WRONG.diagnosis in driver.page_source

    pages.open("manage_assignments", "#main-table .generate-feedback a")
    assert "Success" in pages.press(TOPIC, "generate-feedback")
    pages.close()
    text = pages.press(TOPIC, "release-feedback")
    assert "Success" in text and "bob: not released" in text
    shoot(driver, "instructor-7-feedback-released")
    pages.close()
    assert len(list((home / "exchange").glob("embeddings/feedback/*.html"))) == 1

    with Gradebook(f"sqlite:///{home / 'gradebook.db'}") as book:
        grade = book.find_grade(REFLECTION, TOPIC, TOPIC, "ada")
        assert (grade.manual_score, grade.needs_manual_grade) == (2, False)
        assert book.find_submission(TOPIC, "ada").score == WHOLE + 2

    text = _look(driver, home / "feedback" / "ada" / TOPIC / f"{TOPIC}.html", "instructor-8-feedback")
    assert "What would you advise the shop?" in text and "✔ 01.one_hot One-hot vectors: 3 of 3 points" in text
    text = _look(driver, home / "feedback" / "bob" / TOPIC / f"{TOPIC}.html", "instructor-9-feedback-mistake")
    assert WRONG.diagnosis in text
    text = _look(driver, write_report(home), "instructor-10-class-report")
    assert "Who to talk to" in text and "1 known mistake, and who made it" in text
    driver.execute_script("document.getElementById('mistakes').open = true")
    assert WRONG.diagnosis in driver.find_element("css selector", "#mistakes").text
