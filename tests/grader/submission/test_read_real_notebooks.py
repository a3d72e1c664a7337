"""Notebooks as learners hand them in: cells whose type a key changed, names that are used twice. None of it costs a mark."""

import tarfile
from pathlib import Path

import nbformat
import pytest

from embedding_course.exercises import exercises_of
from grader.engine.fork_server import Learners
from grader.marking.mark import mark
from grader.submission.read import read_notebook
from grader.submission.rebuild import notes_of, rebuild, written
from tests.redteam.honest import TOPIC, solution
from tests.support.classes import blank, perfect
from tests.support.paths import REAL_WORLD

#: What is said of how an answer was found, by the student whose file it is.
SAID = {
    "amy": "`renorm_rows` stood in a Markdown cell",
    "bea": "`renorm_rows` stood in a raw cell",
    "cal": "The written answer stood in a code cell",
    "dan": "The written answer stood in a raw cell",
    "eli": "`renorm_rows` stood in a Markdown cell",
    "zoe": "",
}


@pytest.mark.parametrize("kind", ["s04_cell_types", "s05_names_used_twice"])
def test_every_one_has_all_points(kind: str, learners: Learners, tmp_path: Path) -> None:
    with tarfile.open(REAL_WORLD / kind / "submitted.tgz") as archive:
        archive.extractall(tmp_path, filter="data")
    files = {path.parts[-3]: path for path in sorted(tmp_path.rglob("*.ipynb"))}
    assert len(files) > 5
    for name, path in files.items():
        rebuilt = rebuild(blank(), read_notebook(path), TOPIC)
        marked = mark(learners, rebuilt, TOPIC, seed=7)
        lost = {result.exercise: result.message for result in marked.results if not result.passed}
        assert not lost and not marked.notes, (name, lost, marked.notes)
        assert all(written(rebuilt).values()) and SAID.get(name, "") in " ".join(notes_of(rebuilt)), name


def test_a_misspelt_name_in_a_cell_beside_the_stub_is_an_attempt_too(learners: Learners) -> None:
    notebook, (first, *_) = perfect(), exercises_of(TOPIC)
    cell, written_as = notebook.cells[solution(notebook, first.grade_id)], first.name[:-1]
    beside = nbformat.v4.new_code_cell(cell.source.replace(f"def {first.name}(", f"def {written_as}("))
    notebook.cells.insert(notebook.cells.index(cell) + 1, beside)
    cell.source = blank().cells[solution(blank(), first.grade_id)].source
    results = mark(learners, rebuild(blank(), notebook, TOPIC), TOPIC, seed=7).results
    assert all(result.passed for result in results) and f"`{written_as}`" in results[0].mended


@pytest.mark.parametrize("unseen", ["\u00a0", "\u200b"])
def test_a_character_that_nobody_sees_costs_nothing(unseen: str, learners: Learners) -> None:
    notebook, (first, *_) = perfect(), exercises_of(TOPIC)
    notebook.cells[solution(notebook, first.grade_id)].source += f"\n{unseen}"
    (result,) = mark(learners, rebuild(blank(), notebook, TOPIC), TOPIC, seed=7, only=first.id).results
    assert result.passed, result.message
