"""`doctor` and grading read a notebook by one intake: the same cells, the same stubs, the same statements."""

import warnings
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat.notebooknode import NotebookNode

from embedding_course.checking.intake.answers import choose
from embedding_course.checking.intake.cells import cells_of
from embedding_course.checking.intake.steps import Step
from embedding_course.exercises import exercises_of
from embedding_course.learner.doctor.saved import read
from embedding_course.learner.doctor.would_be_graded import Taken, take
from embedding_course.subject.lessons import LESSONS
from grader.submission.read import read_notebook
from grader.submission.rebuild import rebuild, runnable
from tests.redteam.honest import TOPIC, VARIANTS, solution
from tests.support.classes import blank, perfect

TOPICS = [lesson.topic for lesson in LESSONS if lesson.written]
FIRST = exercises_of(TOPIC)[0]
Variant = Callable[[NotebookNode], None]


def keep(notebook: NotebookNode, folder: Path, topic: str) -> Path:
    path = folder / f"{topic}.ipynb"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # cells without an id are what editors leave
        path.write_text(nbformat.writes(notebook), encoding="utf-8")
    return path


def both(notebook: NotebookNode, folder: Path, topic: str = TOPIC) -> tuple[Taken, NotebookNode]:
    """What `doctor` takes of a saved file, and the notebook that grading makes of it."""
    path = keep(notebook, folder, topic)
    return take(read(path, topic), cells_of(blank(topic))), rebuild(blank(topic), read_notebook(path), topic)


def run_of(entries: list[Step]) -> list[tuple]:
    """What is run and checked, in order."""
    return [(step.kind, step.source, step.answers, step.mended) for step in entries]


def agree(taken: Taken, rebuilt: NotebookNode, topic: str = TOPIC) -> None:
    for exercise in exercises_of(topic):
        graded = rebuilt.cells[solution(rebuilt, exercise.grade_id)].source
        mine = taken.cell(exercise.name)
        if mine is None:
            assert graded.startswith("# There was no answer to")
        else:
            assert mine.source == graded
    assert run_of(taken.steps) == run_of(runnable(rebuilt))


@pytest.mark.parametrize("topic", TOPICS)
def test_doctor_takes_what_grading_takes_of_each_notebook(topic: str, tmp_path: Path) -> None:
    for notebook in (perfect(topic), blank(topic)):
        agree(*both(notebook, tmp_path, topic), topic)


def no_answers_at_all(notebook: NotebookNode) -> None:
    del notebook.cells[solution(notebook, FIRST.grade_id)]


def broken(notebook: NotebookNode) -> None:
    notebook.cells[solution(notebook, FIRST.grade_id)].source = "def f(:"


def only_a_comment(notebook: NotebookNode) -> None:
    notebook.cells[solution(notebook, FIRST.grade_id)].source = "# later\n\n# perhaps"


def half_a_character(notebook: NotebookNode) -> None:
    notebook.cells[solution(notebook, FIRST.grade_id)].source += "  # \ud83d"


def half_written_behind(notebook: NotebookNode) -> None:
    """A second try, not finished, stands below the answer: it is no stub, and counts."""
    index = solution(notebook, FIRST.grade_id)
    notebook.cells.insert(index + 1, nbformat.from_dict(dict(notebook.cells[index])))
    notebook.cells[index + 1].source = f"def {FIRST.name}(*args):\n    x = 1\n    raise NotImplementedError()"


def misspelt(notebook: NotebookNode) -> None:
    """The name of the function is not quite the one that was asked for."""
    cell = notebook.cells[solution(notebook, FIRST.grade_id)]
    cell.source = cell.source.replace(f"def {FIRST.name}(", f"def {FIRST.name[:-1]}(")


def three_in_one_cell_and_no_checks(notebook: NotebookNode) -> None:
    labels = [exercise.grade_id for exercise in exercises_of(TOPIC)[:3]]
    cells = [notebook.cells[solution(notebook, label)] for label in labels]
    cells[0].source = "\n\n".join(cell.source for cell in cells)
    gone = [*cells[1:], *(notebook.cells[solution(notebook, f"{label}-check")] for label in labels)]
    notebook.cells = [cell for cell in notebook.cells if not any(cell is removed for removed in gone)]


def stub_with_an_import_behind(notebook: NotebookNode) -> None:
    index = solution(notebook, FIRST.grade_id)
    stub = blank().cells[solution(blank(), FIRST.grade_id)].source
    notebook.cells.insert(index, nbformat.v4.new_code_cell(f"import math as m\n{stub}\nHALF = m.sqrt(0.25)"))


def answer_in_the_check(notebook: NotebookNode) -> None:
    index = solution(notebook, FIRST.grade_id)
    notebook.cells[solution(notebook, f"{FIRST.grade_id}-check")].source = notebook.cells[index].source
    del notebook.cells[index]


def answer_in_markdown(notebook: NotebookNode) -> None:
    index = solution(notebook, FIRST.grade_id)
    notebook.cells[index] = nbformat.v4.new_markdown_cell(notebook.cells[index].source, metadata=notebook.cells[index].metadata)


def checks_twice_and_at_the_end(notebook: NotebookNode) -> None:
    index = solution(notebook, f"{FIRST.grade_id}-check")
    notebook.cells.append(nbformat.from_dict(dict(notebook.cells[index])))


def helper_in_the_check(notebook: NotebookNode) -> None:
    """What a learner writes into the cell of a check is theirs."""
    notebook.cells[solution(notebook, FIRST.grade_id)].source += "\n_used = twice(2)"
    notebook.cells[solution(notebook, f"{FIRST.grade_id}-check")].source += "\ndef twice(x):\n    return 2 * x"


def helper_in_the_setup(notebook: NotebookNode) -> None:
    notebook.cells[solution(notebook, FIRST.grade_id)].source += "\n_used = twice(2)"
    given = next(cell for cell in notebook.cells if cell.metadata.get("embedding_course", {}).get("given"))
    given.source += "\ndef twice(x):\n    return 2 * x"


UNFINISHED = (
    no_answers_at_all,
    broken,
    only_a_comment,
    half_written_behind,
    helper_in_the_check,
    helper_in_the_setup,
    misspelt,
    three_in_one_cell_and_no_checks,
    stub_with_an_import_behind,
    answer_in_the_check,
    answer_in_markdown,
    checks_twice_and_at_the_end,
)


@pytest.mark.parametrize("variant", [*VARIANTS, *UNFINISHED], ids=lambda variant: variant.__name__)
def test_doctor_takes_what_grading_takes_of_a_notebook_whether_it_is_finished_or_not(variant: Variant, tmp_path: Path) -> None:
    notebook = perfect()
    variant(notebook)
    agree(*both(notebook, tmp_path))


def all_text(notebook: NotebookNode) -> None:
    notebook.cells = [nbformat.v4.new_markdown_cell(cell.source, metadata=cell.metadata) for cell in notebook.cells]


def all_raw(notebook: NotebookNode) -> None:
    notebook.cells = [nbformat.v4.new_raw_cell(cell.source) for cell in notebook.cells]


def backwards(notebook: NotebookNode) -> None:
    notebook.cells = notebook.cells[::-1]


def every_cell_twice(notebook: NotebookNode) -> None:
    notebook.cells = [nbformat.from_dict(dict(cell)) for cell in notebook.cells for _ in range(2)]


def one_id_for_all(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        cell.id = "same"


def one_label_for_all(notebook: NotebookNode) -> None:
    label = dict(notebook.cells[solution(notebook, FIRST.grade_id)].metadata["nbgrader"])
    for cell in notebook.cells:
        cell.metadata["nbgrader"] = dict(label)


def empty_cells_between(notebook: NotebookNode) -> None:
    notebook.cells = [
        new_cell for cell in notebook.cells for new_cell in (cell, *map(nbformat.v4.new_code_cell, ("", "# a", "\n\n")))
    ]


def magics_between(notebook: NotebookNode) -> None:
    lines = ("%matplotlib inline\n%time", "%%bash\nls", "!ls\n?x", "%%writefile a.py\nx = 1")
    notebook.cells = [new_cell for cell in notebook.cells for new_cell in (cell, *map(nbformat.v4.new_code_cell, lines))]


def many_cells(notebook: NotebookNode) -> None:
    notebook.cells = [*(nbformat.v4.new_code_cell(f"x{n} = {n}") for n in range(2_500)), *notebook.cells]


def the_lesson_behind_it(notebook: NotebookNode) -> None:
    notebook.cells += blank().cells


def all_code_in_one_cell(notebook: NotebookNode) -> None:
    code = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    notebook.cells = [nbformat.v4.new_code_cell(code)]


@pytest.mark.parametrize(
    "variant",
    [
        all_text,
        all_raw,
        backwards,
        every_cell_twice,
        one_id_for_all,
        one_label_for_all,
        empty_cells_between,
        magics_between,
        many_cells,
        the_lesson_behind_it,
        all_code_in_one_cell,
    ],
    ids=lambda variant: variant.__name__,
)
def test_whatever_became_of_the_file_both_take_all_answers_and_make_each_check_once(variant: Variant, tmp_path: Path) -> None:
    notebook = perfect()
    variant(notebook)
    taken, rebuilt = both(notebook, tmp_path)
    agree(taken, rebuilt)
    names = sorted(exercise.name for exercise in exercises_of(TOPIC))
    assert all(choice.attempted for choice in taken.choices.values())
    assert sorted(name for step in taken.steps if step.kind == "answer" for name in step.answers) == names
    assert sorted(step.answers[0] for step in taken.steps if step.kind == "check") == names


@pytest.mark.parametrize("topic", TOPICS)
def test_no_text_of_a_lesson_is_an_answer(topic: str) -> None:
    notebook = blank(topic)
    assert not any(choice.retyped or choice.attempted for choice in choose(cells_of(notebook), exercises_of(topic)))
    for cell in notebook.cells:
        cell.metadata = NotebookNode()  # as some editors leave it
    assert not any(choice.attempted for choice in choose(cells_of(notebook), exercises_of(topic)))
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type != "code"]
    assert not any(choice.cell for choice in choose(cells_of(notebook), exercises_of(topic)))


def test_halves_of_characters_are_read_alike(tmp_path: Path) -> None:
    notebook = perfect()
    half_a_character(notebook)
    path = tmp_path / f"{TOPIC}.ipynb"
    path.write_text(nbformat.writes(notebook, ensure_ascii=True), encoding="utf-8")
    agree(take(read(path), cells_of(blank())), rebuild(blank(), read_notebook(path), TOPIC))


def test_what_was_written_into_a_given_cell_or_a_check_is_found(tmp_path: Path) -> None:
    for variant in (helper_in_the_check, helper_in_the_setup):
        notebook = perfect()
        variant(notebook)
        taken, _ = both(notebook, tmp_path)
        assert any("def twice(x)" in step.source and not step.answers for step in taken.steps), variant.__name__


def test_without_the_lesson_at_hand_the_file_itself_shows_it(tmp_path: Path) -> None:
    """As in an installation without a checkout: cells know by their own marks what they are."""
    path = keep(perfect(), tmp_path, TOPIC)
    assert run_of(take(read(path)).steps) == run_of(runnable(rebuild(blank(), read_notebook(path), TOPIC)))


def test_without_the_lesson_a_check_that_is_gone_is_made_behind_its_answer(tmp_path: Path) -> None:
    notebook = perfect()
    three_in_one_cell_and_no_checks(notebook)
    names = [exercise.name for exercise in exercises_of(TOPIC)[:3]]
    steps_taken = take(read(keep(notebook, tmp_path, TOPIC))).steps
    index = next(index for index, step in enumerate(steps_taken) if step.answers == tuple(names))
    assert [step.answers for step in steps_taken[index + 1 : index + 4]] == [(name,) for name in names]


def test_an_autograded_notebook_may_be_handed_in_again(tmp_path: Path) -> None:
    """What it notes of the places of cells belongs to another file."""
    notebook = rebuild(blank(), perfect(), TOPIC)
    for number in range(4):
        notebook.cells.insert(2 * number, nbformat.v4.new_code_cell(f"own_{number} = {number}"))
    taken, rebuilt = both(notebook, tmp_path)
    agree(taken, rebuilt)
    assert [step.source for step in taken.steps if step.kind == "own"] == [f"own_{number} = {number}" for number in range(4)]
    assert all(choice.attempted for choice in taken.choices.values())
