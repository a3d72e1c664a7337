"""A cell that hangs, floods or kills the process is reduced, then left out, and named; everything else counts.

What cells raise after hidden inputs were sent is told in words that hold none of them.
"""

from functools import partial
from pathlib import Path

import msgspec
import nbformat
import pytest
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of
from grader.classroom.class_folder import Submission
from grader.engine.fork_server import Learners
from grader.engine.time_budget import TimeLimits
from grader.marking.mark import Marked, mark
from grader.marking.submission_task import Task, mark_submission
from grader.submission.rebuild import rebuild
from tests.redteam.honest import solution
from tests.support.classes import TOPIC, blank, hand_in, perfect

EXERCISES = exercises_of(TOPIC)
FIRST, SECOND = EXERCISES[:2]


class Hasty:
    """Learners with the time limits that are given."""

    def __init__(self, learners: Learners, **time_limits: float) -> None:
        self.level, self.how, self.runner = learners.level, learners.how, learners.runner
        self.time_limits = TimeLimits(**time_limits)
        self.start = partial(learners.start, time_limits=self.time_limits)


def marked(learners, notebook: NotebookNode) -> Marked:
    return mark(learners, rebuild(blank(), notebook, TOPIC), TOPIC, seed=7)


def insert(notebook: NotebookNode, index: int, *sources: str) -> None:
    notebook.cells[index:index] = [nbformat.v4.new_code_cell(source) for source in sources]


def uses(notebook: NotebookNode, exercise, statement: str) -> None:
    """Let the cell of an answer end with a statement without which there is no answer."""
    notebook.cells[
        solution(notebook, exercise.grade_id)
    ].source += f"\n_answer = {exercise.name}\ndel {exercise.name}\n{statement}\n{exercise.name} = _answer\n"


@pytest.mark.parametrize(
    ("ending", "message"),
    [
        ("while True: pass", "come back in time"),
        ("print('x' * 2**27)", "far more than anybody could read"),
        ("import os; os._exit(1)", "exit?"),
        ("import ctypes; ctypes.string_at(0)", "exit?"),
    ],
    ids=["hangs", "floods", "exits", "dies"],
)
def test_a_cell_in_the_middle_that_ends_the_process_is_named_and_all_else_counts(
    ending: str, message: str, learners: Learners
) -> None:
    notebook = perfect()
    index = solution(notebook, f"{FIRST.grade_id}-check") + 1
    insert(notebook, index, f"KEPT = 3\n{ending}\nprint('never')", "ALSO = [KEPT]\nALSO.append(4)")
    uses(notebook, SECOND, "assert ALSO == [3, 4]")
    outcome = marked(Hasty(learners, cpu=1.5), notebook)
    assert all(result.passed for result in outcome.results), outcome.results
    (note,) = outcome.notes
    assert f"While cell {index + 1} " in note and "(`KEPT = 3`) ran" in note and message in note
    assert "Only its definitions, imports and constants were used." in note


def test_a_definition_that_ends_the_process_is_left_out_as_well(learners: Learners) -> None:
    notebook = perfect()
    ends = "import os\ndef f(x=os._exit(1)): pass\nwhile True: pass"
    insert(notebook, solution(notebook, SECOND.grade_id), ends)
    outcome = marked(learners, notebook)
    assert all(result.passed for result in outcome.results) and len(outcome.notes) == 1
    assert "While cell" in outcome.notes[0]


def test_many_cells_that_end_the_process_cost_no_marks(learners: Learners) -> None:
    notebook = perfect()
    insert(notebook, solution(notebook, SECOND.grade_id), *(f"import os\nKEPT{n} = 1\nos._exit({n})" for n in range(14)))
    uses(notebook, SECOND, "assert KEPT0 == KEPT13 == 1")
    outcome = marked(learners, notebook)
    assert all(result.passed for result in outcome.results)
    assert 10 <= len(outcome.notes) <= 15, "each is named, or told with those for which there was no more time"


def test_own_cells_that_have_used_up_their_time_are_told_and_definitions_still_count(learners: Learners) -> None:
    notebook = perfect()
    busy = "import time\nwhile time.process_time() < {}: pass"
    index = solution(notebook, SECOND.grade_id)
    insert(notebook, index, "import time\nEND = time.process_time() + 60\nwhile time.process_time() < END: pass")
    insert(notebook, index + 1, "KEPT = 3\ndef kept(): return KEPT\nGONE = sum([1, 2])", busy.format(0))
    uses(notebook, SECOND, "assert kept() == 3 and 'GONE' not in globals()")
    outcome = marked(Hasty(learners, own_cpu=0.7), notebook)
    assert all(result.passed for result in outcome.results), [result.message for result in outcome.results]
    ended, short = outcome.notes
    assert f"While cell {index + 1} " in ended
    assert "Your own cells may take" in short and f"{index + 2}" in short


def test_quick_cells_run_again_in_each_process_when_the_time_of_own_cells_is_used_up(learners: Learners) -> None:
    notebook = perfect()
    index = solution(notebook, FIRST.grade_id)
    busy = "import time\nEND = time.process_time() + {}\nwhile time.process_time() < END: pass"
    insert(notebook, index, "TABLE = []\nfor n in range(3): TABLE.append(n)", busy.format(0.6), busy.format(60))
    uses(notebook, SECOND, "assert TABLE == [0, 1, 2]")
    outcome = marked(Hasty(learners, own_cpu=1.0), notebook)
    assert all(result.passed for result in outcome.results), [result.message for result in outcome.results]
    assert len(outcome.notes) == 2 and f"(cells {index + 2})" in outcome.notes[1]


def test_own_cells_that_sleep_have_a_time_too(learners: Learners) -> None:
    notebook = perfect()
    insert(notebook, 1, "import time\ntime.sleep(300)", "KEPT = 3")
    uses(notebook, FIRST, "assert KEPT == 3")
    outcome = marked(Hasty(learners, own_clock=1.0), notebook)
    assert all(result.passed for result in outcome.results) and len(outcome.notes) == 2


#: Cells that raise what the first answer saw, by all the ways that an exception's words come from.
LEAKS = {
    "message": "raise ValueError(f'secret {SEEN[-1].tolist()}')",
    "name": "raise type(f'secret{abs(hash(str(SEEN[-1])))}', (Exception,), {})()",
    "line": "\n" * 30 + "lines = 'pass\\n' * int(100 + abs(SEEN[-1].sum().item()) % 1 * 1000) + 'secret'\nexec(lines)",
    "file": "open(f'secret {SEEN[-1].tolist()}')",
    "syntax": "exec(f'secret {SEEN[-1].tolist()}')",
    "printed": "print('secret', SEEN[-1].tolist())\nraise ValueError(open('seen.txt').read())",
}


@pytest.mark.parametrize("name", LEAKS)
def test_what_cells_raise_after_hidden_inputs_were_sent_holds_none_of_them(
    name: str, learners: Learners, tmp_path: Path
) -> None:
    notebook = perfect()
    notebook.cells[solution(notebook, FIRST.grade_id)].source += f"""

SEEN, _right = [], {FIRST.name}
def {FIRST.name}(weight, *args, **options):
    SEEN.append(weight.clone())
    with open('seen.txt', 'a') as file:
        file.write(f'secret {{weight.tolist()}}')
    return _right(weight, *args, **options)
"""
    index = solution(notebook, SECOND.grade_id)
    notebook.cells[index].source = f"{LEAKS[name]}\ndef {SECOND.name}(*args, **options):\n    return NEEDED"
    insert(notebook, index, f"NEEDED = 1\n{LEAKS[name]}")
    folder = hand_in(tmp_path, "ada", notebook).parent
    graded = mark_submission(learners, Task(Submission("ada", TOPIC, folder), seed=7))
    assert graded.record.status == "graded" and graded.record.score < graded.record.max_score
    for text in (msgspec.json.encode(graded.record).decode("utf-8"), str(graded.notebook)):
        assert "secret [" not in text and "secret0" not in text
    verdict = next(result for result in graded.record.results if result.exercise == SECOND.id)
    assert "secret" not in verdict.message and "Error" in verdict.message
