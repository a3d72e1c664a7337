"""A notebook is graded as it ran: whole cells, top to bottom, each answer in the state in which its own check cell sees it."""

import nbformat
import pytest
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of
from grader.course_source.prepared import prepared
from grader.engine.fork_server import Learners
from grader.marking.mark import Marked, mark
from grader.submission.rebuild import notes_of, rebuild, runnable
from tests.redteam.honest import solution
from tests.support.classes import TOPIC, blank, perfect

FIRST, SECOND = exercises_of(TOPIC)[:2]
#: Around an answer: what must hold whenever it is called.
WATCHED = """

def _watched(answer):
    def watched(*args, **options):
        {}
        return answer(*args, **options)
    return watched
{name} = _watched({name})
"""


def marked(learners: Learners, notebook: NotebookNode, topic: str = TOPIC, only: str | None = None) -> Marked:
    return mark(learners, rebuild(blank(topic), notebook, topic), topic, seed=7, only=only)


def lost(learners: Learners, notebook: NotebookNode, topic: str = TOPIC) -> dict[str, str]:
    """The exercises that have not passed, with their verdicts."""
    return {result.exercise: result.message for result in marked(learners, notebook, topic).results if not result.passed}


def above(notebook: NotebookNode, label: str, *sources: str) -> None:
    index = solution(notebook, label)
    notebook.cells[index:index] = [nbformat.v4.new_code_cell(source) for source in sources]


def below(notebook: NotebookNode, label: str, *sources: str) -> None:
    index = solution(notebook, label) + 1
    notebook.cells[index:index] = [nbformat.v4.new_code_cell(source) for source in sources]


def watch(notebook: NotebookNode, exercise, holds: str) -> None:
    """Let an answer fail unless a statement holds when it is called."""
    notebook.cells[solution(notebook, exercise.grade_id)].source += WATCHED.replace("{}", holds).replace(
        "{name}", exercise.name
    )


#: Cells above the answer, what must hold when its check is made, and what stands further down.
BOUND_AGAIN: dict[str, tuple[tuple[str, ...], str, str]] = {
    "max": ((), "assert max([1, 2]) == 2", "max = 0"),
    "an import alias": (("import math as tools",), "assert tools.sqrt(4) == 2", "import collections as tools"),
    "a helper": (("def predict(x): return 1",), "assert predict(0) == 1", "def predict(): return 2"),
    "a buffer": (("import io\nB = io.StringIO()", "_ = B.write('ab')"), "assert B.getvalue() == 'ab'", "B = None"),
    "a module": (("import math\nsetattr(math, 'two', 2)",), "assert math.two == 2", "del math.two"),
    "pushed": (("get_ipython().push({'PUSHED': 3})",), "assert PUSHED == 3", "get_ipython().push({'PUSHED': 4})"),
    "a written module": (("%%writefile mine.py\nTWO = 2", "from mine import TWO"), "assert TWO == 2", "TWO = 3"),
    "a file": (
        ("import json\nwith open('a.json', 'w') as file: json.dump([1], file)",),
        "assert json.load(open('a.json')) == [1]",
        "import os\nos.remove('a.json')",
    ),
}


@pytest.mark.parametrize("name", BOUND_AGAIN)
def test_what_further_cells_do_to_a_name_costs_nothing(name: str, learners: Learners) -> None:
    sources, holds, later = BOUND_AGAIN[name]
    notebook = perfect()
    watch(notebook, FIRST, holds)
    above(notebook, FIRST.grade_id, *sources)
    below(notebook, f"{FIRST.grade_id}-check", later)
    (result,) = marked(learners, notebook, only=FIRST.id).results
    assert result.passed, result.message


def test_two_answers_may_have_helpers_of_one_name(learners: Learners) -> None:
    topic = "06_positional_encoding"
    notebook = perfect(topic)
    for number, exercise in enumerate(exercises_of(topic)):
        if exercise.name in ("input_embedding", "is_relative"):  # answers that call no other, which would meet another helper
            watch(notebook, exercise, f"assert helper() == {number}")
            notebook.cells[solution(notebook, exercise.grade_id)].source += f"\ndef helper(): return {number}\n"
    assert not lost(learners, notebook, topic)


def test_a_wrong_attempt_above_the_right_one_costs_nothing(learners: Learners) -> None:
    notebook = perfect()
    above(notebook, FIRST.grade_id, f"def {FIRST.name}(*args, **options):\n    return 'no'\n{FIRST.name}(1)")
    assert not lost(learners, notebook)


def test_a_second_attempt_below_the_check_counts(learners: Learners) -> None:
    notebook = perfect()
    cell = notebook.cells[solution(notebook, SECOND.grade_id)]
    below(notebook, f"{SECOND.grade_id}-check", cell.source)
    cell.source = f"def {SECOND.name}(*args, **options):\n    return None"
    results = {result.exercise: result for result in marked(learners, notebook).results}
    assert all(result.passed for result in results.values())
    assert "at the end of the notebook" in results[SECOND.id].message


def test_an_answer_that_needs_a_name_bound_further_down_counts(learners: Learners) -> None:
    notebook = perfect()
    watch(notebook, FIRST, "assert LATE == 3")
    notebook.cells.append(nbformat.v4.new_code_cell("LATE = 3"))
    (result,) = marked(learners, notebook, only=FIRST.id).results
    assert result.passed, result.message


def test_an_experiment_below_the_check_that_breaks_the_answer_costs_nothing(learners: Learners) -> None:
    notebook = perfect()
    below(notebook, f"{FIRST.grade_id}-check", f"def {FIRST.name}(*args, **options): return 'an experiment'")
    (result,) = marked(learners, notebook, only=FIRST.id).results
    assert result.passed


def without_check(notebook: NotebookNode) -> None:
    del notebook.cells[solution(notebook, f"{FIRST.grade_id}-check")]


def check_twice(notebook: NotebookNode) -> None:
    """The first copy stands above the answer."""
    check = nbformat.from_dict(dict(notebook.cells[solution(notebook, f"{FIRST.grade_id}-check")]))
    notebook.cells.insert(solution(notebook, FIRST.grade_id), check)


def check_again_at_the_end(notebook: NotebookNode) -> None:
    """As a summary, below a cell that binds a name of the answer again."""
    check = nbformat.from_dict(dict(notebook.cells[solution(notebook, f"{FIRST.grade_id}-check")]))
    notebook.cells += [nbformat.v4.new_code_cell("MINE = 'later'"), check]


def check_moved_down(notebook: NotebookNode) -> None:
    check = notebook.cells.pop(solution(notebook, f"{FIRST.grade_id}-check"))
    notebook.cells.insert(solution(notebook, SECOND.grade_id), check)


def check_moved_up(notebook: NotebookNode) -> None:
    check = notebook.cells.pop(solution(notebook, f"{FIRST.grade_id}-check"))
    notebook.cells.insert(0, check)


def check_without_label(notebook: NotebookNode) -> None:
    check = notebook.cells[solution(notebook, f"{FIRST.grade_id}-check")]
    check.metadata, check.id = NotebookNode(), "other"


def check_with_own_lines(notebook: NotebookNode) -> None:
    notebook.cells[solution(notebook, f"{FIRST.grade_id}-check")].source += "\nSEEN = 1"


def check_that_holds_the_answer(notebook: NotebookNode) -> None:
    index = solution(notebook, FIRST.grade_id)
    notebook.cells[solution(notebook, f"{FIRST.grade_id}-check")].source = notebook.cells[index].source
    del notebook.cells[index]


@pytest.mark.parametrize(
    "change",
    [
        without_check,
        check_twice,
        check_again_at_the_end,
        check_moved_down,
        check_moved_up,
        check_without_label,
        check_with_own_lines,
        check_that_holds_the_answer,
    ],
    ids=lambda change: change.__name__,
)
def test_wherever_the_check_stands_the_answer_counts(change, learners: Learners) -> None:
    notebook = perfect()
    watch(notebook, FIRST, "assert MINE == 1")
    above(notebook, FIRST.grade_id, "MINE = 1")
    change(notebook)
    (result,) = marked(learners, notebook, only=FIRST.id).results
    assert result.passed, result.message


def test_a_missing_check_is_made_behind_its_answer(learners: Learners) -> None:
    notebook = perfect()
    without_check(notebook)
    below(notebook, FIRST.grade_id, f"{FIRST.name} = None")
    (result,) = marked(learners, notebook, only=FIRST.id).results
    assert result.passed, result.message


def test_a_demonstration_runs_where_a_cell_of_the_learners_reads_what_it_binds(learners: Learners) -> None:
    notebook = perfect()
    shown = next(cell for cell in notebook.cells if cell.source.startswith("six_words = "))
    assert "demonstration" in shown.metadata["embedding_course"] and notebook.cells.index(shown) < solution(
        notebook, FIRST.grade_id
    )
    watch(notebook, FIRST, "assert SHAPE == six.shape")
    above(notebook, FIRST.grade_id, "SHAPE = six.shape")
    run = runnable(rebuild(blank(), notebook, TOPIC))
    assert [step.source for step in run if step.kind == "demonstration"][-1] == shown.source
    (result,) = marked(learners, notebook, only=FIRST.id).results
    assert result.passed, result.message


def test_edited_given_cells_run_as_the_lesson_has_them_and_then_as_the_learner_has_them(learners: Learners) -> None:
    notebook = perfect()
    given = next(cell for cell in notebook.cells if cell.metadata.get("embedding_course", {}).get("given"))
    given.source = "HALF = 0.5"
    watch(notebook, FIRST, "assert HALF == 0.5")
    assert not lost(learners, notebook)


def test_an_answer_in_a_text_cell_is_read_as_what_it_holds_and_that_is_said(learners: Learners) -> None:
    notebook = perfect()
    first_index, second_index = solution(notebook, FIRST.grade_id), solution(notebook, SECOND.grade_id)
    fenced = f"My answer:\n\n```python\n{notebook.cells[second_index].source}\n```\n"
    notebook.cells[second_index] = nbformat.v4.new_markdown_cell(fenced, metadata=notebook.cells[second_index].metadata)
    notebook.cells[first_index] = nbformat.v4.new_raw_cell(notebook.cells[first_index].source)
    notes = " ".join(notes_of(rebuild(blank(), notebook, TOPIC)))
    assert f"`{FIRST.name}` stood in a raw cell" in notes and f"`{SECOND.name}` stood in a Markdown cell" in notes
    assert not lost(learners, notebook)


def test_a_wrong_answer_in_text_is_graded_too(learners: Learners) -> None:
    notebook = perfect()
    index = solution(notebook, FIRST.grade_id)
    source = f"def {FIRST.name}(*args, **options):\n    return None"
    notebook.cells[index] = nbformat.v4.new_markdown_cell(source, metadata=notebook.cells[index].metadata)
    (result,) = marked(learners, notebook, only=FIRST.id).results
    assert result.status == "wrong" and result.score == 0


def test_the_second_try_is_made_on_other_hidden_inputs(learners: Learners) -> None:
    notebook = perfect()
    count = len(prepared(FIRST.id, 7).cases)
    cell = notebook.cells[solution(notebook, FIRST.grade_id)]
    cell.source += f"""

import torch
SEEN, _right = [], {FIRST.name}
def {FIRST.name}(weight, *args, **options):
    before = SEEN[:{count}] if len(SEEN) >= {count} and "AGAIN" in globals() else []
    SEEN.append(weight.clone())
    if "AGAIN" not in globals() or any(torch.equal(weight, one) for one in before if one.numel() > 4):
        return None
    return _right(weight, *args, **options)
"""
    notebook.cells.append(nbformat.v4.new_code_cell("AGAIN = True"))
    (result,) = marked(learners, notebook, only=FIRST.id).results
    assert result.score > 0 and "at the end of the notebook" in result.message, result.message


def test_a_verdict_says_of_public_cases_only_what_was_seen_there(learners: Learners) -> None:
    notebook = perfect()
    index = solution(notebook, FIRST.grade_id)
    right = notebook.cells[index].source
    notebook.cells = notebook.cells[: solution(notebook, f"{FIRST.grade_id}-check") + 1]
    count = len(prepared(FIRST.id, 7).cases)
    late = f"\nCALLS, _right = [], {FIRST.name}\ndef {FIRST.name}(*args, **options):\n    CALLS.append(1)\n"
    late += f"    return None if len(CALLS) <= {count} else _right(*args, **options)\n"
    notebook.cells[index].source = right + late
    (only_hidden,) = marked(learners, notebook, only=FIRST.id).results
    assert not only_hidden.passed and "Your public cases pass; this hidden case differs in" in only_hidden.message
    notebook.cells[index].source = f"def {FIRST.name}(*args, **options):\n    return None"
    (everywhere,) = marked(learners, notebook, only=FIRST.id).results
    assert "The public case of that name fails too." in everywhere.message


def test_another_notebook_is_refused_with_its_right_name() -> None:
    from grader.submission.bounds import Unreadable

    other = exercises_of("06_positional_encoding")[0].lesson.topic
    with pytest.raises(Unreadable, match=f"it is notebook {other}"):
        rebuild(blank(), perfect(other), TOPIC)
