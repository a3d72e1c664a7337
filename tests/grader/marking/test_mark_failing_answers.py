"""An attempt is never called "not attempted": it is said what Python said, and slips that are clear are mended and told."""

import nbformat
import pytest
from nbformat.notebooknode import NotebookNode

from embedding_course.checking.intake.mending import misspelt_name, without_leftover_lines
from embedding_course.checking.render import as_html, as_text
from embedding_course.checking.result import Result
from embedding_course.exercises import exercises_of
from grader.engine.fork_server import Learners
from grader.marking.mark import mark
from grader.submission.rebuild import rebuild
from tests.redteam.honest import solution
from tests.support.classes import TOPIC, blank, perfect

FIRST, SECOND = exercises_of(TOPIC)[:2]
STUB = "raise NotImplementedError()"


def source_of(notebook: NotebookNode, grade_id: str = FIRST.grade_id) -> str:
    return notebook.cells[solution(notebook, grade_id)].source


def verdict(learners: Learners, source: str, *below: str) -> Result:
    """The verdict on the first exercise whose cell holds this, with cells of the learner's own below its check."""
    notebook = perfect()
    notebook.cells[solution(notebook, FIRST.grade_id)].source = source
    index = solution(notebook, f"{FIRST.grade_id}-check") + 1
    notebook.cells[index:index] = [nbformat.v4.new_code_cell(cell_source) for cell_source in below]
    (result,) = mark(learners, rebuild(blank(), notebook, TOPIC), TOPIC, seed=7, only=FIRST.id).results
    return result


RIGHT = source_of(perfect())
HEAD = RIGHT[RIGHT.index("def ") : RIGHT.index(":\n", RIGHT.index("def "))]


@pytest.mark.parametrize(
    ("source", "message_parts"),
    [
        (RIGHT.replace(f"{HEAD}:", HEAD), ["The cell cannot be run: Python says “expected ':'” in line "]),
        (RIGHT + "\nx = (1,\n", ["graded"]),
        (f"{HEAD}:\n    x = [1, 2\n    return weight", ["The cell cannot be run", "in line 2"]),
        (f"{HEAD}:\nreturn weight", ["The cell cannot be run", "in line 2"]),
        ("I do not know how to begin", ["The cell cannot be run", "in line 1"]),
        ("norms = weight.norm(dim=1)", ["holds an attempt", f"no `{FIRST.name}`", "NameError", "(line 1)"]),
        ("import numpy as np\nx = np.zeros(3)", ["holds an attempt", f"no `{FIRST.name}`"]),
        (f"{FIRST.name} = None", ["holds an attempt"]),
    ],
    ids=["colon", "bracket below", "bracket", "indent", "words", "no function", "other code", "None"],
)
def test_what_python_said_of_an_attempt_is_said(source: str, message_parts: list[str], learners: Learners) -> None:
    result = verdict(learners, source)
    if message_parts == ["graded"]:
        assert result.passed, "what stands below the answer and is no Python costs nothing"
        return
    assert result.status == "cell failed" and result.score == 0, result.message
    for part in message_parts:
        assert part in result.message, result.message


@pytest.mark.parametrize("written", [FIRST.name[:-1], FIRST.name.upper(), FIRST.name.replace("_", "")])
def test_a_misspelt_name_is_graded_and_said(written: str, learners: Learners) -> None:
    result = verdict(learners, RIGHT.replace(f"def {FIRST.name}(", f"def {written}("))
    assert result.passed and result.score == FIRST.points
    assert f"`{FIRST.name}` was written `{written}` in its cell" in result.mended
    assert result.mended in as_text(result) and f"<code>{written}</code>" in as_html(result)


def test_a_misspelt_name_among_two_answers_of_one_cell(learners: Learners) -> None:
    notebook = perfect()
    first_index, second_index = solution(notebook, FIRST.grade_id), solution(notebook, SECOND.grade_id)
    written = f"{SECOND.name}x"
    notebook.cells[second_index].source = RIGHT + "\n\n" + source_of(notebook, SECOND.grade_id).replace(SECOND.name, written)
    notebook.cells[first_index].source = source_of(blank())
    results = mark(learners, rebuild(blank(), notebook, TOPIC), TOPIC, seed=7).results
    assert results[0].passed and not results[0].mended
    assert results[1].passed and f"`{written}`" in results[1].mended


def test_which_name_is_a_misspelling() -> None:
    others = {"tied_scores", "norm_trace"}
    assert misspelt_name("def renormrows(w): return w", "renorm_rows", others) == "renormrows"
    assert misspelt_name("class Encoder_: x = 1", "Encoder", others) == "Encoder_"
    assert misspelt_name("def renorm_rows(w): return w\ndef renorm_row(w): return w", "renorm_rows", others) == ""
    assert misspelt_name("def renorm_row(w): return w\ndef renorm_rowz(w): return w", "renorm_rows", others) == ""
    assert misspelt_name("def renorm_row(w): raise NotImplementedError()", "renorm_rows", others) == ""
    assert misspelt_name("def norm_trace(w): return w", "norm_traces", others) == ""
    assert misspelt_name("def helper(w): return w", "renorm_rows", others) == ""


@pytest.mark.parametrize("where", ["above", "below", "both"])
def test_a_leftover_line_of_the_stub_is_taken_out_and_said(where: str, learners: Learners) -> None:
    lines = RIGHT.split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith("def "))
    body = first + 1
    while not lines[body].endswith('"""') or lines[body].count('"""') == 0:
        body += 1
    indented = f"    {STUB}  # YOUR CODE HERE"
    source = "\n".join([*lines[: body + 1], *([indented] if where != "below" else []), *lines[body + 1 :]])
    if where != "above":
        returned = next(line for line in reversed(source.split("\n")) if line.strip().startswith("return"))
        source = source.replace(
            returned, f"    answer = {returned.strip().removeprefix('return ')}\n{indented}\n    return answer"
        )
    result = verdict(learners, source)
    assert result.passed, result.message
    assert "still holds the stub's `raise NotImplementedError()`: graded without that line" in result.mended
    line = 1 + next(number for number, text in enumerate(source.split("\n")) if STUB in text)
    assert result.mended.startswith(f"Line {line} of its cell")


def test_a_half_written_answer_is_wrong_and_no_stub(learners: Learners) -> None:
    result = verdict(learners, f"{HEAD}:\n    norms = weight.norm(dim=1)\n    {STUB}")
    assert result.status in ("wrong", "partly") and "Line 3 of its cell" in result.mended


def test_an_untouched_stub_is_not_attempted_and_says_nothing_more(learners: Learners) -> None:
    result = verdict(learners, source_of(blank()))
    assert result.status == "not attempted" and not result.mended


def test_a_mended_answer_serves_later_ones_after_a_process_has_ended(learners: Learners) -> None:
    """The line that was left over is out in every process that runs the notebook."""
    topic = "08_pooling"
    pooled, last = (exercise for exercise in exercises_of(topic) if exercise.name in ("pool_weighted", "TextEncoder"))
    ends = next(exercise for exercise in exercises_of(topic) if exercise.name == "cosine_similarity_matrix")
    notebook = perfect(topic)
    index = solution(notebook, pooled.grade_id)
    source = notebook.cells[index].source
    returned = next(line for line in reversed(source.split("\n")) if line.strip().startswith("return"))
    notebook.cells[index].source = source.replace(
        returned, f"    answer = {returned.strip().removeprefix('return ')}\n    {STUB}\n    return answer"
    )
    notebook.cells[solution(notebook, ends.grade_id)].source = f"def {ends.name}(*given):\n    import os\n    os._exit(3)"
    results = {
        result.exercise: result for result in mark(learners, rebuild(blank(topic), notebook, topic), topic, seed=7).results
    }
    assert results[pooled.id].passed and results[pooled.id].mended
    assert results[ends.id].status == "crashed" and results[last.id].passed, results[last.id].message


def test_what_is_mended_in_a_class_and_what_is_no_leftover() -> None:
    source = f"import x\n\nclass A:\n    def f(self):\n        {STUB}\n        return 1\n    def g(self):\n        return 2"
    text, line = without_leftover_lines(source, "A")
    assert line == 5 and STUB not in text and "pass" in text and "return 1" in text
    assert without_leftover_lines(f"def f(x):\n    if x:\n        {STUB}\n    return x", "f") == ("", 0)
    assert without_leftover_lines(f"def f(x):\n    'Words.'\n    {STUB}", "f") == ("", 0)
    assert without_leftover_lines("def f(x):\n    raise NotImplementedError('later')\n    return x", "f") == ("", 0)
    text, line = without_leftover_lines("@once\ndef f(x):\n    raise NotImplementedError(\n    )\n    return x", "f")
    assert line == 3 and "NotImplementedError" not in text and text.endswith("return x")
