"""Notebooks that went through Colab or VS Code: labels and ids gone, cells merged; found by name, and said so."""

import json
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat.notebooknode import NotebookNode

from embedding_course.checking.intake.cells import label_of
from embedding_course.exercises import exercises_of
from embedding_course.learner.doctor.saved import read
from embedding_course.learner.doctor.would_be_graded import take
from grader.engine.fork_server import Learners
from grader.marking.mark import mark, write_verdicts
from grader.submission.read import notebook_of, read_notebook
from grader.submission.rebuild import notes_of, rebuild, runnable, written
from tests.redteam.honest import TOPIC
from tests.support.classes import blank, perfect

EXERCISES = exercises_of(TOPIC)
TEXT = "Clipping rescales the row; the gradient is taken where the row then is."


def colab(tree: dict) -> None:
    """What Colab's "Download .ipynb" writes."""
    tree["metadata"] = {
        "colab": {"provenance": [], "name": "Copy of 03.ipynb"},
        "accelerator": "GPU",
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "language_info": {"name": "python"},
    }
    tree["nbformat_minor"] = 0
    for index, cell in enumerate(tree["cells"]):
        cell.pop("id", None)
        cell["metadata"] = {"id": f"aB3x{index}", "colab": {"base_uri": "https://localhost:8080/"}, "outputId": "9f2c-11"}
        cell["source"] = cell["source"].splitlines(keepends=True)


def vs_code(tree: dict) -> None:
    """What VS Code may leave: its own metadata, the environment's name, no ids, blank ends of text cut."""
    tree["metadata"]["kernelspec"] = {"display_name": ".venv", "language": "python", "name": "python3"}
    tree["nbformat_minor"] = 2
    for cell in tree["cells"]:
        cell.pop("id", None)
        cell["metadata"] = {"vscode": {"languageId": "python"}} if cell["cell_type"] == "code" else {}
        cell["source"] = cell["source"].rstrip() + "\n"


def windows_lines(tree: dict) -> None:
    vs_code(tree)
    for cell in tree["cells"]:
        cell["source"] = cell["source"].replace("\n", "\r\n")


def answers_joined_with_their_checks(tree: dict) -> None:
    """In every exercise, as "Join with the cell below" does."""
    vs_code(tree)
    cells: list[dict] = []
    for cell in tree["cells"]:
        if cell["source"].startswith("check(") and cells:
            cells[-1]["source"] += "\n" + cell["source"]
        else:
            cells.append(cell)
    tree["cells"] = cells


def all_answers_in_one_cell(tree: dict) -> None:
    colab(tree)
    names = tuple(f"def {exercise.name}(" for exercise in EXERCISES)
    mine = [cell for cell in tree["cells"] if "".join(cell["source"]).startswith(names)]
    mine[0]["source"] = "\n\n\n".join("".join(cell["source"]) for cell in mine)
    tree["cells"] = [cell for cell in tree["cells"] if cell not in mine[1:]]


EDITORS = [colab, vs_code, windows_lines, answers_joined_with_their_checks, all_answers_in_one_cell]


def through(editor: Callable[[dict], None], notebook: NotebookNode, folder: Path) -> Path:
    tree = json.loads(nbformat.writes(notebook))
    for cell in tree["cells"]:
        cell["source"] = "".join(cell["source"])
    editor(tree)
    path = folder / f"{TOPIC}.ipynb"
    path.write_text(json.dumps(tree), encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize("editor", EDITORS, ids=lambda editor: editor.__name__)
def test_nothing_is_lost_and_the_learner_is_told(editor: Callable[[dict], None], learners: Learners, tmp_path: Path) -> None:
    path = through(editor, perfect(), tmp_path)
    rebuilt = rebuild(blank(), read_notebook(path), TOPIC)
    results = mark(learners, rebuilt, TOPIC, seed=11).results
    assert not {result.exercise: result.message for result in results if not result.passed}
    assert all(written(rebuilt).values()) and written(rebuilt)
    (labels, question) = notes_of(rebuilt)
    assert "lost the labels" in labels and all(f"`{exercise.name}`" in labels for exercise in EXERCISES)
    assert "written answer" in question
    write_verdicts(rebuilt, results)
    assert "lost the labels" in rebuilt.cells[0].source, "it stands at the top of the feedback"


@pytest.mark.parametrize("editor", EDITORS, ids=lambda editor: editor.__name__)
def test_doctor_takes_the_same_cells(editor: Callable[[dict], None], tmp_path: Path) -> None:
    saved = read(through(editor, perfect(), tmp_path))
    assert saved.lesson.topic == TOPIC
    assert {name for name, choice in take(saved).choices.items() if choice.cell} == {exercise.name for exercise in EXERCISES}


def place_of_question(tree: dict) -> int:
    marks = [cell["metadata"].get("nbgrader", {}) for cell in tree["cells"]]
    return next(at for at, mark in enumerate(marks) if mark.get("grade") and mark.get("solution")) - 1


def below_the_empty_cell(tree: dict) -> None:
    tree["cells"].insert(place_of_question(tree) + 2, {"cell_type": "markdown", "metadata": {}, "source": TEXT})


def in_a_new_cell(tree: dict) -> None:
    tree["cells"][place_of_question(tree) + 1] = {"cell_type": "markdown", "metadata": {}, "source": TEXT}


def into_the_question(tree: dict) -> None:
    tree["cells"][place_of_question(tree)]["source"] += f"\n\n{TEXT}"


def merged_with_the_question(tree: dict) -> None:
    into_the_question(tree)
    del tree["cells"][place_of_question(tree) + 1]


HABITS = [below_the_empty_cell, in_a_new_cell, into_the_question, merged_with_the_question]


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.__name__)
def test_a_written_answer_is_found_where_people_write_it(habit: Callable[[dict], None], tmp_path: Path) -> None:
    rebuilt = rebuild(blank(), read_notebook(through(habit, blank(), tmp_path)), TOPIC)
    (cell,) = [
        candidate
        for candidate in rebuilt.cells
        if candidate.metadata.get("nbgrader", {}).get("grade") and candidate.cell_type == "markdown"
    ]
    assert cell.source.strip() == TEXT
    assert any("found by its question" in note for note in notes_of(rebuilt))


def test_an_empty_written_answer_stays_empty(tmp_path: Path) -> None:
    rebuilt = rebuild(blank(), read_notebook(through(colab, blank(), tmp_path)), TOPIC)
    assert not any(written(rebuilt).values())


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"YOUR ANSWER HERE\n\n{TEXT}", TEXT),
        (f"{TEXT}\n\nYOUR ANSWER HERE", TEXT),
        ("", ""),
        ("> YOUR ANSWER HERE", ""),
        ("...", ""),
    ],
)
def test_what_the_lesson_put_there_is_no_answer_and_hides_none(source: str, expected: str, tmp_path: Path) -> None:
    def write_it(tree: dict) -> None:
        tree["cells"][place_of_question(tree) + 1]["source"] = source

    rebuilt = rebuild(blank(), read_notebook(through(write_it, blank(), tmp_path)), TOPIC)
    assert set(written(rebuilt).values()) == {bool(expected)}
    if expected:
        assert rebuilt.cells[place_of_question(rebuilt) + 1].source == expected


def bare(tree: dict) -> bytes:
    """What small tools write: the keys that they need and no others."""
    tree.pop("metadata")
    for cell in tree["cells"]:
        cell.pop("metadata")
    return json.dumps(tree).encode()


def wide(tree: dict) -> bytes:
    """What PowerShell's `>` makes of a file that is typed out."""
    return json.dumps(tree).encode("utf-16")


def padded(tree: dict) -> bytes:
    """What a folder that was synchronised half leaves behind: the end is filled up with zeros."""
    return json.dumps(tree).encode() + bytes(512)


@pytest.mark.parametrize("write", [bare, wide, padded], ids=lambda write: write.__name__)
def test_files_of_odd_makes_are_read(write: Callable[[dict], bytes]) -> None:
    written_by_hand = perfect()
    read_again = notebook_of(write(json.loads(nbformat.writes(written_by_hand))))
    assert [cell.source for cell in read_again.cells] == [cell.source for cell in written_by_hand.cells]
    assert runnable(rebuild(blank(), read_again, TOPIC))


def test_what_is_no_python_is_said_and_the_rest_is_taken() -> None:
    notebook = perfect()
    cell = next(candidate for candidate in notebook.cells if label_of(candidate) == EXERCISES[0].grade_id)
    line = cell.source.count("\n") + 2
    cell.source += "\nI think this is right."
    rebuilt = rebuild(blank(), notebook, TOPIC)
    assert any(f"line {line} could not be read" in note for note in notes_of(rebuilt))
    mine = [step for step in runnable(rebuilt) if step.kind == "answer" and EXERCISES[0].name in step.answers]
    assert [step.source for step in mine] == [cell.source], "it runs as a whole; what of it Python reads runs by itself"
