"""A verdict says what a cell raised: type, message and line, not a bare "there is no such name"."""

import nbformat
import pytest

from embedding_course.checking.result import Result
from embedding_course.exercises import exercises_of
from grader.engine.fork_server import Learners
from grader.engine.learner_proxy import TimeLimits
from grader.marking.mark import mark, write_verdicts
from grader.submission.plain_file import one_line
from grader.submission.rebuild import rebuild
from tests.redteam.honest import solution
from tests.support.classes import TOPIC, blank, perfect

FIRST = exercises_of(TOPIC)[0]


def verdict(learners: Learners, answer: str, *own: str) -> Result:
    """The verdict on the first exercise, with cells of the learner's own before it."""
    notebook = perfect()
    index = solution(notebook, FIRST.grade_id)
    notebook.cells[index].source = answer
    notebook.cells[index:index] = [nbformat.v4.new_code_cell(source) for source in own]
    rebuilt = rebuild(blank(), notebook, TOPIC)
    results = mark(learners, rebuilt, TOPIC, seed=7).results
    write_verdicts(rebuilt, results)
    return results[0]


USES = f"def {FIRST.name}(weight, max_norm):\n    return words[0] * weight"


@pytest.mark.parametrize(
    ("answer", "own", "message_parts"),
    [
        (f"words = open('words.txt').read()\n\n{USES}", (), ["Its cell raised FileNotFoundError", "'words.txt' (line 1)"]),
        (f"\n\nimport no_such_library\n{USES}", (), ["ModuleNotFoundError: No module named 'no_such_library' (line 3)"]),
        (f"{FIRST.name} = make()", (), ["holds an attempt", "Its cell raised NameError: name 'make' is not defined (line 1)"]),
        (f"def {FIRST.name}(weight, max_norm:\n    pass", (), ["The cell cannot be run", "never closed” in line 1"]),
        (USES, ("words = open('words.txt')",), ["The cell with `words = open('words.txt')` raised FileNotFoundError"]),
        (f"raise KeyError('é\\n\\x1b[31m')\n{USES}", (), ["Its cell raised KeyError", "(line 1)"]),
        (f"import os\nos._exit(3)\n{FIRST.name} = 3 / 0", (), ["While its cell ran", "exit?"]),
    ],
    ids=["a file", "a library", "a name", "no Python", "another cell", "odd words", "an end"],
)
def test_what_was_raised_is_said(answer: str, own: tuple[str, ...], message_parts: list[str], learners: Learners) -> None:
    result = verdict(learners, answer, *own)
    assert not result.passed
    for part in message_parts:
        assert part in result.message, result.message
    assert result.status in ("cell failed", "wrong", "crashed"), "an attempt is never called not attempted"
    assert "\n" not in result.message and "\x1b" not in result.message and len(result.message) < 900


def test_what_a_cell_raised_is_not_said_of_a_right_answer_or_of_a_stub(learners: Learners) -> None:
    notebook = perfect()
    stub = blank()
    right = verdict(learners, "1 / 0\n" + notebook.cells[solution(notebook, FIRST.grade_id)].source)
    assert right.passed and "ZeroDivision" not in right.message
    untouched = verdict(learners, "1 / 0\n" + stub.cells[solution(stub, FIRST.grade_id)].source)
    assert untouched.status == "not attempted" and "ZeroDivision" not in untouched.message


def test_an_exception_that_says_nothing_of_itself(learners: Learners) -> None:
    odd = "class Odd(Exception):\n    def __str__(self): raise SystemExit\nraise Odd\n"
    assert "Its cell raised Odd (line 3)" in verdict(learners, odd + USES).message
    huge = "raise ValueError('x' * 10_000_000)\n"
    assert len(verdict(learners, huge + USES).message) < 900


def test_an_experiment_without_end_below_the_answer_costs_time_and_no_marks(learners: Learners) -> None:
    class Hasty:
        level, how, runner, time_limits = learners.level, learners.how, learners.runner, TimeLimits(cpu=1.0)

        def start(self, **given):
            return learners.start(time_limits=self.time_limits, **given)

    notebook = perfect()
    for exercise in exercises_of(TOPIC)[:2]:
        notebook.cells[solution(notebook, exercise.grade_id)].source += "\nwhile True: pass\nwhile True: pass\nx = 1"
    results = mark(Hasty(), rebuild(blank(), notebook, TOPIC), TOPIC, seed=7).results
    assert all(result.passed for result in results)


def test_words_of_strangers_fit_one_line() -> None:
    assert one_line("a\u202eb\n\tc\x00" + "d" * 500, 10) == "ab c" + "d" * 6 + " …"
