"""The grade of the term on a page: each sentence of it is looked up, the sum is that of its lines, and pages lead to it."""

import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import Result

from grader.classroom.class_folder import Classroom
from grader.classroom.export.grades import Grade, Student
from grader.classroom.export.term_column import term_grades
from grader.classroom.policy.course import Course, load_course
from grader.classroom.policy.term import Term
from grader.classroom.roster import Roster
from grader.feedback.page import without_term_link
from grader.feedback.term_page import _line, render_term, write_term_pages
from tests.support.classes import TOPIC, blank, hand_in, perfect
from tests.support.pages import active, has_policy
from tests.support.pseudo_language import pseudo_language, text_of_page, words_outside

Command = Callable[..., Result]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
TOPICS = ("01_onehot_vs_lookup", "02_gradients", "03_max_norm", "04_nplm", "05_lstm_seq2seq")
COURSE = Course(
    TOPICS,
    deadlines={TOPICS[4]: datetime.now(UTC) + timedelta(days=9)},
    projects={"search_engine": 20.0},
    term=Term({**dict.fromkeys(TOPICS, 1.0), "search_engine": 2.0}, drop=1),
    most_extra=2.0,
    excused=frozenset({("ada", TOPICS[1])}),
)
ADA = Student(
    "ada",
    "Ada",
    "Lovelace",
    grades={
        TOPICS[0]: Grade(20, 2, 20, True),
        TOPICS[2]: Grade(30, 0, 20, False, counted=22.0),
        "search_engine": Grade(10, 0, 20, False),
    },
)
BO = Student("bo", grades={TOPICS[3]: Grade(1, 0, 20, False)})


def page(tmp_path: Path, student: Student) -> str:
    grade = term_grades(COURSE, [ADA, BO], Roster())[student.id]
    lines = [_line(Classroom(tmp_path), COURSE, student.id, grade, part, student.grades) for part in grade.parts]
    return render_term(COURSE, student.id, grade, lines, NOW)


def test_every_part_says_why_it_counts_as_it_does(tmp_path: Path) -> None:
    text = text_of_page(page(tmp_path, ADA))
    for sentence in (
        "Does not count: you are excused from it.",
        "Does not count: it is your lowest notebook.",
        "and does not count yet.",
        "Handed in late: 2 points were taken off.",
        "You earned 30 points, of which 22 count.",
        "A written answer waits for a person",
        "Project: search engine",
        "75 of 100 points so far",
        "A notebook counts up to 2 points above its maximum.",
    ):
        assert sentence in text
    assert "Nothing was handed in, so it counts as 0." in text_of_page(page(tmp_path, BO))


def test_nothing_of_it_stands_outside_a_template_and_it_runs_nothing(tmp_path: Path) -> None:
    html = page(tmp_path, ADA)
    assert has_policy(html) and active(html) == []
    with pseudo_language():
        texts = [text_of_page(page(tmp_path, student)) for student in (ADA, BO)]
    data = {"ada", "bo", "utc", "search", "engine"}
    assert {word.casefold() for text in texts for word in words_outside(text)} <= data


def test_pages_are_private_lead_to_each_other_and_are_packed(tmp_path: Path, command: Command) -> None:
    (tmp_path / "course.toml").write_text(
        f'notebooks = ["{TOPIC[:2]}", "01"]\nstudents = ["ada", "bo", "cy"]\n[term]\nscale = 50\n', encoding="utf-8"
    )
    hand_in(tmp_path, "ada", perfect())
    hand_in(tmp_path, "bo", b"{")
    hand_in(tmp_path, "zoe", blank())
    graded = command("grade", "--class", tmp_path)
    assert graded.exit_code in (0, 3), graded.output
    before = command("feedback", TOPIC[:2], "--class", tmp_path)
    own = tmp_path / "feedback" / "ada" / TOPIC / f"{TOPIC}.html"
    assert before.exit_code == 0 and "term.html" not in own.read_text(encoding="utf-8")

    outcome = command("feedback", TOPIC[:2], "--class", tmp_path, "--term", "--zip", "plain")
    assert outcome.exit_code == 0, outcome.output
    assert "3 grades of the term" in outcome.output
    term = tmp_path / "feedback" / "ada" / "term.html"
    assert term.stat().st_mode & 0o077 == 0 and f"{TOPIC}/{TOPIC}.html" in term.read_text(encoding="utf-8")
    assert not (tmp_path / "feedback" / "zoe" / "term.html").exists(), "who is not in the class has no grade of the term"
    assert "Not due yet" in term.read_text(encoding="utf-8"), "01 has no deadline, and nobody's is graded"
    assert "could not be read" in (tmp_path / "feedback" / "bo" / "term.html").read_text(encoding="utf-8")
    assert '<a href="../term.html">' in own.read_text(encoding="utf-8")
    assert b"term.html" not in without_term_link(own.read_bytes())
    with zipfile.ZipFile(tmp_path / "feedback" / "term_plain.zip") as archive:
        assert sorted(archive.namelist()) == ["ada.html", "bo.html", "cy.html"]
    with zipfile.ZipFile(tmp_path / "feedback" / f"{TOPIC}_plain.zip") as archive:
        assert b"term.html" not in archive.read("ada.html"), "it is handed out by itself"
    assert write_term_pages(Classroom(tmp_path), load_course(tmp_path), Roster(), ["nobody"]) == []


@pytest.mark.parametrize(("text", "message"), [("", "has no [term]"), ("[term]\n", "There is no gradebook")])
def test_without_a_grade_of_the_term_it_says_so(tmp_path: Path, command: Command, text: str, message: str) -> None:
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    outcome = command("feedback", "--term", "--class", tmp_path)
    assert outcome.exit_code == 2 and message in outcome.output
