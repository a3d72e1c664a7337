"""A student's whole way through notebook 01, in a real browser on a real JupyterLab."""

from pathlib import Path

import nbformat
import pytest

from embedding_course.exercises import exercises_of, find_exercise
from embedding_course.learner.lab.__main__ import main
from grader.course_source.catalogue import mistakes_of
from grader.course_source.stored import as_bytes
from tests.redteam.honest import solution
from tests.support.browser import browser, serve, shoot
from tests.support.classes import blank, perfect
from tests.support.lab_page import LabPage
from tests.support.readme_pictures import in_step

pytestmark = pytest.mark.xdist_group("browser_student")
TOPIC = "01_onehot_vs_lookup"
EXERCISE, CELL = "01.one_hot", "01-one-hot"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The folder that `make lab` opens. The student has done everything but one exercise."""
    (tmp_path / "notebooks" / TOPIC).mkdir(parents=True)
    (tmp_path / "notebooks" / TOPIC / f"{TOPIC}.ipynb").write_bytes(as_bytes(blank(TOPIC)))
    assert main(["01", "--copy-only"], tmp_path) == 0
    notebook, stub = perfect(TOPIC), blank(TOPIC)
    index = solution(stub, find_exercise(EXERCISE).grade_id)
    notebook.cells[index].source = stub.cells[index].source
    nbformat.write(notebook, tmp_path / "work" / TOPIC / f"{TOPIC}.ipynb")
    return tmp_path / "work"


@pytest.mark.slow
def test_a_student_fails_understands_mends_validates_and_submits(work: Path, tmp_path: Path) -> None:
    folder = tmp_path / "browser"
    folder.mkdir()
    wrong = next(mistake for mistake in mistakes_of(find_exercise(EXERCISE)) if mistake.slug == "class_axis_first")
    right = perfect(TOPIC).cells[solution(perfect(TOPIC), find_exercise(EXERCISE).grade_id)].source
    with browser(folder) as driver, serve(work, folder, "--LabApp.expose_app_in_browser=True") as site:
        page = LabPage(driver)
        driver.get(site.at(f"lab/tree/{TOPIC}/{TOPIC}.ipynb"))
        page.wait_for_kernel()
        shoot(driver, "student-1-opened")
        for key in ("setup", "imports", "helpers"):
            assert "Error" not in page.run(key)
        shoot(driver, "student-2-set-up")

        page.run(CELL)
        assert "not attempted" in page.run(f"{CELL}-check")
        shoot(driver, "student-3-not-attempted")
        page.write(CELL, wrong.source)
        page.run(CELL)
        output = page.run(f"{CELL}-check")
        assert "not right yet" in output and wrong.diagnosis in output and wrong.slug in output
        page.show(f"{CELL}-check", "end")
        picture = shoot(driver, "student-4-diagnosis")
        in_step("verdict.png", picture.read_bytes(), f"{EXERCISE} {wrong.slug}: {wrong.diagnosis}")

        page.write(CELL, right)
        page.run(CELL)
        assert "right · 3 of 3 points" in page.run(f"{CELL}-check")
        page.show(f"{CELL}-check", "end")
        shoot(driver, "student-5-passed")
        page.dark()
        shoot(driver, "student-6-passed-dark")

        page.press("Validate")
        assert "Success! Your notebook passes all the tests." in page.dialog()
        shoot(driver, "student-7-validated")
        page.close_dialog()
        points = f"{sum(exercise.points for exercise in exercises_of(TOPIC) if exercise.core):g}"
        assert f"{points}/{points}" in page.run("progress")
        shoot(driver, "student-8-progress")

        page.save()
        output = page.run(page.new_cell_below("progress", "from embedding_course import submit\nsubmit()"))
        shoot(driver, "student-9-submitted")
        (handed_in,) = work.glob(f"submissions/{TOPIC}/*/{TOPIC}.ipynb")
        assert handed_in.parent.name in output
        cells = nbformat.read(handed_in, as_version=4).cells
        assert right in [cell.source for cell in cells]
