"""A student's whole way through notebook 01, in a real browser on a real JupyterLab."""

from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from browser import browser, serve, shoot
from classes import blank, perfect
from lab_page import LabPage

import embedding_course
from embedding_course.exercises import exercise
from embedding_course.lab.__main__ import main
from grader.attack.honest import solution
from grader.build.notebook import as_bytes
from grader.catalogue import mistakes_of

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
    place = solution(stub, exercise(EXERCISE).grade_id)
    notebook.cells[place].source = stub.cells[place].source
    nbformat.write(notebook, tmp_path / "work" / TOPIC / f"{TOPIC}.ipynb")
    return tmp_path / "work"


def test_a_student_fails_understands_mends_validates_and_submits(work: Path, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    wrong = next(one for one in mistakes_of(exercise(EXERCISE)) if one.slug == "class_axis_first")
    with browser(folder) as driver, serve(work, folder, "--LabApp.expose_app_in_browser=True") as site:
        page = LabPage(driver)
        import time; t0=time.time()
        T=lambda w: print(w, round(time.time()-t0,1))
        driver.get(site.at(f"lab/tree/{TOPIC}/{TOPIC}.ipynb"))
        page.wait_for_kernel()
        shoot(driver, "student-1-opened")
        T('opened')
        for key in ("setup", "imports", "helpers"):
            assert "Error" not in page.run(key)
        shoot(driver, "student-2-set-up")
        T('setup')
        page.run(CELL)
        assert "not attempted" in page.run(f"{CELL}-check")
        shoot(driver, "student-3-not-attempted")
        page.write(CELL, wrong.source)
        page.run(CELL)
        said = page.run(f"{CELL}-check")
        print(said)
        assert wrong.diagnosis in said
        page.show(CELL, "start")
        shoot(driver, "student-4-diagnosis")
        T('diag')
        page.press("Validate")
        print(page.dialog())
        shoot(driver, "student-5-not-valid")
        page.close_dialog()
        T('validate')
        page.write(CELL, perfect(TOPIC).cells[solution(perfect(TOPIC), exercise(EXERCISE).grade_id)].source)
        page.run(CELL)
        said = page.run(f"{CELL}-check")
        print(said)
        page.show(CELL, "start")
        shoot(driver, "student-6-passed")
        page.press("Validate")
        print(page.dialog())
        shoot(driver, "student-7-valid")
        page.close_dialog()
        T('validate2')
        print((folder/'server.log').read_text()[-3000:])
