"""The pictures of the README: the class report and a figure are taken here, the verdict in tests/browser/test_student.py."""

import base64
import io
from pathlib import Path

import pytest
from nbclient import NotebookClient
from PIL import Image, ImageChops, ImageFilter, ImageStat

from grader.classroom.class_folder import Classroom
from grader.marking.grade_class import grade_class
from grader.marking.run import Run
from grader.quality.demo.roster import CLASS_SIZE, roster
from grader.quality.demo.run import make_class
from grader.report.class_page import write_report
from tests.support.browser import browser
from tests.support.classes import perfect
from tests.support.readme_pictures import FOLDER, in_step

#: Notebook 01's own tokenizer, from its pairs to what it saves.
CELLS = ("imports", "helpers", "01-merge-pair", "01-train-bpe", "01-bpe-encode", "use-train-bpe", "figure-compression")


@pytest.mark.slow
def test_the_report_of_an_invented_class(tmp_path: Path) -> None:
    topic = "03_max_norm"
    home = tmp_path / "demo"
    make_class(home, roster([topic], CLASS_SIZE))
    assert len(list(grade_class(Classroom(home), [topic], Run(workers=2)))) == CLASS_SIZE
    page = write_report(home)
    (tmp_path / "browser").mkdir()
    with browser(tmp_path / "browser", height=900) as driver:
        driver.get(page.as_uri())
        words = str(driver.find_element("css selector", "body").get_property("innerText"))
        picture = driver.get_screenshot_as_png()
    # The first line tells when it was written.
    start, end = words.index("Who to talk to"), words.index("What to teach again")
    in_step("class_report.png", picture, words[start:end])


@pytest.mark.slow
def test_a_figure_drawn_by_the_learners_own_code(tmp_path: Path) -> None:
    notebook = perfect("01_onehot_vs_lookup")
    by_key = {cell.id: cell for cell in notebook.cells}
    notebook.cells = [by_key[key] for key in CELLS]
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    (drawn,) = [output for output in notebook.cells[-1].outputs if "image/png" in output.get("data", {})]
    picture = base64.b64decode(drawn["data"]["image/png"])
    in_step("lesson_figure.png", picture, "tokens for a character of Chinese and English text, by the size of the vocabulary")
    with Image.open(io.BytesIO(picture)) as now, Image.open(FOLDER / "lesson_figure.png") as kept:
        assert now.size == kept.size
        difference = ImageChops.difference(*(_blurred(image) for image in (now, kept)))
    assert ImageStat.Stat(difference).mean[0] < 3, "the figure is another one: EMBEDDING_COURSE_UPDATE_PICTURES=1 takes it anew"


def _blurred(picture: Image.Image) -> Image.Image:
    """In grey and without its small letters, whose edges differ by the version of the font's library."""
    return picture.convert("RGB").convert("L").filter(ImageFilter.GaussianBlur(6))
