"""What stays of a learner's own outputs, and what does not."""

import base64

import pytest
from nbformat.notebooknode import NotebookNode

from grader.submission.outputs import CELL, clean
from grader.submission.rebuild import rebuild
from tests.redteam.honest import TOPIC, solution
from tests.support.classes import blank, perfect

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(50)).decode()


def shown(**data: object) -> dict:
    return {
        "output_type": "display_data",
        "data": {name.replace("_", "/"): value for name, value in data.items()},
        "metadata": {},
    }


def test_text_and_pictures_stay() -> None:
    kept = clean(
        [{"output_type": "stream", "name": "stdout", "text": ["a\n", "狗"]}, shown(image_png=PNG, text_plain="<Figure>")]
    )
    assert kept[0].text == "a\n狗"
    assert kept[1].data == {"image/png": PNG, "text/plain": "<Figure>"}


@pytest.mark.parametrize(
    "output",
    [
        shown(application_javascript="alert(1)"),
        shown(text_html="<script>alert(1)</script><b onclick='alert(1)'>x</b><iframe src='//x'></iframe>"),
        shown(**{"image_svg+xml": "<svg onload='alert(1)'/>"}),
        shown(image_png=base64.b64encode(b"<script>alert(1)</script>").decode()),
        shown(text_html="<a href='javascript:alert(1)'>x</a><style>*{alert(1)}</style>"),
        {"output_type": "stream", "text": "\x1b]0;alert(1)\x07\x1b[2J"},
        {"output_type": "update_display_data", "data": {"text/html": "alert(1)"}},
    ],
)
def test_nothing_that_runs_stays(output: dict) -> None:
    assert "alert" not in str(clean([output]))
    assert "\x1b" not in str(clean([output]))


@pytest.mark.parametrize(
    "odd", [None, 3, {}, {"output_type": []}, shown(text_plain={"a": 1}), {"output_type": "stream"}], ids=repr
)
def test_odd_outputs_do_no_harm(odd: object) -> None:
    clean([odd])


def test_floods_are_cut() -> None:
    assert len(clean([{"output_type": "stream", "text": "x" * 10**7}])[0].text) < CELL + 10
    many = clean([{"output_type": "stream", "text": "x" * CELL}] * 100, most=10 * CELL)
    assert len(many) == 11
    assert "left out" in many[-1].text


def test_outputs_come_back_below_their_cells() -> None:
    notebook = perfect()
    exercise_cell = next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution"))
    exercise_cell.outputs = [NotebookNode({"output_type": "stream", "name": "stdout", "text": "mine"})]
    rebuilt = rebuild(blank(), notebook, TOPIC)
    assert rebuilt.cells[solution(rebuilt, exercise_cell.metadata.nbgrader.grade_id)].outputs[0].text == "mine"
