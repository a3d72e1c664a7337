"""The course's feedback page: right first, then what to look at and how; the learner's own cells, and nothing of the lesson."""

import zipfile
from pathlib import Path

import pytest
from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from embedding_course.exercises import exercises_of
from grader.classroom.class_folder import Classroom
from grader.classroom.collect.store_files import CAME_AS
from grader.classroom.policy.course import load_course
from grader.cli import app
from grader.course_source.catalogue import mistakes_of
from grader.engine.fork_server import Learners
from grader.feedback.packed import pack_pages
from grader.feedback.write_pages import count_pages, write_pages
from tests.support.classes import hand_in, perfect

TOPIC = "03_max_norm"
FIRST, SECOND = exercises_of(TOPIC)[:2]
ANSWER = "The rows that were looked up, $\\lVert w\\rVert \\le 1$."


def cell_of(notebook: NotebookNode, grade_id: str) -> NotebookNode:
    return next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


pytestmark = pytest.mark.xdist_group("feedback pages")  # what its fixture makes is made once


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, learners: Learners) -> Path:
    """A class of three: one right, one wrong in one exercise, idle in the next and late, one whose file cannot be read."""
    home = tmp_path_factory.mktemp("class")
    (home / "course.toml").write_text(
        'timezone = "Asia/Shanghai"\n[deadlines]\n03 = "2026-03-01 20:00"\n[late]\nper_day = 10\n', encoding="utf-8"
    )
    right, wrong = perfect(TOPIC), perfect(TOPIC)
    for cell in right.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("grade") and marks.get("solution"):
            cell.source = ANSWER
    mistake = mistakes_of(FIRST)[0]
    cell_of(wrong, FIRST.grade_id).source = mistake.source
    cell_of(wrong, SECOND.grade_id).source = f"def {SECOND.name}(*args):\n    raise NotImplementedError()"
    hand_in(home, "ada", right, TOPIC)
    late = hand_in(home, "bo", wrong, TOPIC)
    (late.parent / "timestamp.txt").write_text("2026-03-02 13:00:00 UTC", encoding="utf-8")
    broken = hand_in(home, "cy", perfect(TOPIC), TOPIC)
    broken.write_text("{", encoding="utf-8")
    done = CliRunner().invoke(app, ["grade", "03", "--class", str(home), "--feedback"], obj=learners)
    assert done.exit_code == 0, done.output
    assert "3 feedback pages" in done.output and "Next: grader report." in done.output
    return home


def page(home: Path, student: str) -> str:
    return (home / "feedback" / student / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")


def test_who_is_right_hears_so_first(home: Path) -> None:
    text = page(home, "ada")
    assert "What is right" in text and "What to look at again" not in text and "Not attempted" not in text
    assert all(f'id="{exercise.grade_id}"' in text for exercise in exercises_of(TOPIC))
    assert "def</span>" in text, "the learner's own code, with its words marked"


def test_what_is_wrong_comes_with_the_diagnosis_and_the_next_step(home: Path) -> None:
    text = page(home, "bo")
    mistake = mistakes_of(FIRST)[0]
    wrong = text[text.index("What to look at again") :]
    assert text.index("What is right") < text.index("What to look at again") < text.index("Not attempted")
    assert mistake.diagnosis.split("`")[0] in wrong and "Next:" in wrong
    assert mistake.slug not in text, "a learner need not know our names for mistakes"
    assert f"○ <strong>{SECOND.id}" in text


def test_times_are_those_of_the_class(home: Path) -> None:
    text = page(home, "bo")
    assert "handed in 2 March 2026, 21:00 (Asia/Shanghai)" in text
    assert "after its deadline, which was 1 March 2026, 20:00 (Asia/Shanghai)" in text and "That takes" in text


def test_a_file_that_cannot_be_read_gets_a_page_that_says_so(home: Path) -> None:
    text = page(home, "cy")
    assert "could not be read" in text and "Next:" in text and "doctor()" in text


def test_a_written_answer_waits_until_somebody_marks_it(home: Path) -> None:
    text = page(home, "ada")
    assert "Waits for a person" in text and "<math" in text and "✘ 0 of" not in text
    classroom = Classroom(home)
    with Gradebook(classroom.db_url) as book:
        rows = book.find_submission_notebook(TOPIC, TOPIC, "ada")
        (grade,) = [candidate for candidate in rows.grades if candidate.needs_manual_grade]
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        (comment,) = [candidate for candidate in rows.comments if candidate.name == grade.name]
        comment.manual_comment = "Why *only* these?"
        book.db.commit()
    assert list(write_pages(classroom, load_course(home), [TOPIC], ["ada"])) == [home / f"feedback/ada/{TOPIC}/{TOPIC}.html"]
    text = page(home, "ada")
    assert "Waits for a person" not in text and "1.5 of" in text and "Why <em>only</em> these?" in text


def test_pages_are_small_and_hold_nothing_of_the_lesson(home: Path) -> None:
    assert len(page(home, "ada")) < 60_000
    assert "Find the bug" not in page(home, "ada")


def test_several_write_the_same_as_one(home: Path) -> None:
    classroom, course = Classroom(home), load_course(home)
    assert count_pages(classroom, [TOPIC]) == 3
    alone = {path: path.read_bytes() for path in write_pages(classroom, course, [TOPIC], workers=1)}
    assert len(alone) == 3
    assert {path: path.read_bytes() for path in write_pages(classroom, course, [TOPIC], workers=2)} == alone


@pytest.mark.parametrize(
    ("kind", "came_as", "name"),
    [
        ("plain", "", "bo.html"),
        ("moodle", "Bo 张_421_assignsubmission_file_/03.ipynb", f"Bo 张_421_assignsubmission_file_/{TOPIC}_feedback.html"),
        ("moodle", "Bo 张_421_assignsubmission_file_03.ipynb", f"Bo 张_421_assignsubmission_file_{TOPIC}_feedback.html"),
        ("canvas", "zhangbo_LATE_12_345_03_max_norm-1.ipynb", f"zhangbo_LATE_12_345_{TOPIC}_feedback.html"),
    ],
)
def test_pages_are_packed_under_the_names_that_the_platform_gave(home: Path, kind: str, came_as: str, name: str) -> None:
    there = home / "submitted" / "bo" / TOPIC / CAME_AS
    if came_as:
        there.write_text(came_as, encoding="utf-8")
    pages = sorted((home / "feedback").glob(f"*/{TOPIC}/*.html"))
    packed = pack_pages(Classroom(home), TOPIC, kind, pages)
    with zipfile.ZipFile(packed.path) as archive:
        assert name in archive.namelist()
        assert archive.read(name) == page(home, "bo").encode("utf-8")
        assert packed.count == len(archive.namelist()) == (3 if kind == "plain" else 1)
    assert [sentence.split(":")[0] for sentence in packed.left] == ([] if kind == "plain" else ["ada", "cy"])
    there.unlink(missing_ok=True)


def test_the_command_says_where_and_what_is_missing(home: Path, tmp_path: Path) -> None:
    run = CliRunner().invoke
    done = run(app, ["feedback", "3", "--class", str(home), "--zip", "moodle"])
    assert done.exit_code == 0 and "3 pages" in done.output and "left out: ada" in done.output
    both = run(app, ["feedback", "--class", str(home), "--zip", "plain"])
    assert both.exit_code == 2 and "one notebook at a time" in both.output
    nothing = run(app, ["feedback", "03", "--class", str(tmp_path)])
    assert nothing.exit_code == 2 and "grader grade comes first" in nothing.output
