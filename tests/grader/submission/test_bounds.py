"""Small files made to cost the trusted side time or memory, or to make it fail: each is graded or said to be unreadable."""

import json
import time
from collections.abc import Callable
from typing import Any

import nbformat
import pytest
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of
from grader.classroom.class_folder import Submission
from grader.engine.fork_server import Learners
from grader.marking.submission_task import Task, mark_submission
from grader.submission import bounds
from grader.submission.bounds import Unreadable, within_time
from grader.submission.read import read_notebook
from grader.submission.rebuild import rebuild, runnable
from tests.redteam.honest import solution
from tests.support.classes import TOPIC, blank, perfect

FIRST = exercises_of(TOPIC)[0]
#: Processor seconds that reading and rebuilding any of these may take.
FEW = 8.0


def chain(count: int) -> str:
    """a0 = a1, a1 = a2, … so that each pass over the statements finds one more that is needed."""
    return "\n".join(f"a{index} = a{index + 1}" for index in range(count)) + f"\na{count} = 1"


def nested(opening: str, closing: str, depth: int) -> str:
    return f"deep = {opening * depth}1{closing * depth}"


def calls_that_call(count: int) -> str:
    """Functions that change a table through one another, and callers of them."""
    first = "TABLE = {}\ndef f0(): TABLE[0] = 1\n"
    return first + "\n".join(f"def f{index + 1}(): f{index}()\nf{index + 1}()" for index in range(count))


def many(name: str) -> str:
    return ", ".join(f"{name}{index}" for index in range(9000))


def lone_half(label: str) -> str:
    return f"# {label} \ud800\n"


#: What stands in a cell of the learner's own that the answer needs the name `wanted` of.
CODE: dict[str, str] = {
    "a chain in reverse order": chain(2000) + "\nwanted = a0",
    "a long chain in reverse order": chain(4500) + "\nwanted = a0",
    "240 timed lines in a long cell": "\n".join(["%time x = 1"] * 240 + ["y = 2"] * 2000) + "\nwanted = 1",
    "2000 commands and questions": "\n".join(["!ls", "x = !ls", "print?", "%%time"] * 500) + "\nwanted = 1",
    "2000 commands with open brackets": "\n".join(["!echo (", "x = %ls [", "y = 1"] * 700) + "\nwanted = 1",
    "half a character in a comment": lone_half("here") + "wanted = 1",
    "half a character in a text": "text = 'a \udfff b'\nwanted = 1",
    "a sum of 600 terms": "wanted = " + " + ".join(["1"] * 600),
    "a sum of 5000 terms": "wanted = " + " + ".join(["1"] * 5000),
    "a sum of 90,000 terms": "wanted = 1\nother = " + " + ".join(["1"] * 90_000),
    "deep brackets": nested("[", "]", 90) + "\nwanted = 1",
    "too deep brackets": nested("[", "]", 5000) + "\nwanted = 1",
    "deep calls": nested("abs(", ")", 95) + "\nwanted = 1",
    "deep minus": nested("-", "", 3000) + "\nwanted = 1",
    "deep attributes": "deep = wanted" + ".real" * 3000 + "\nwanted = 1",
    "deep indexing": "if False:\n    deep = wanted" + "[0]" * 3000 + "\nwanted = 1",
    "deep lambdas": nested("(lambda: ", ")", 90) + "\nwanted = 1",
    "deep blocks": "\n".join("  " * depth + "if True:" for depth in range(90)) + "\n" + "  " * 90 + "wanted = 1",
    "deep functions": "\n".join("  " * depth + f"def f{depth}():" for depth in range(90)) + "\n" + "  " * 90 + "1\nwanted = 1",
    "2500 branches": "if False: pass\n" + "\n".join(["elif False: wanted = 2"] * 2500) + "\nelse: wanted = 1",
    "a huge number": "wanted = 1\nhuge = " + "9" * 100_000,
    "a huge text": "wanted = 1\nhuge = '" + "x" * 900_000 + "'",
    "a null byte": "x = '\0'\nwanted = 1",
    "odd escapes": "x = '\\d \\N'\nwanted = 1",
    "escapes that Python doubts": "x = '\\d \\w'\nwanted = 1",
    "a mark of byte order": "\ufeffwanted = 1",
    "form feeds": "\x0cwanted = 1\x0c\n\x0cx = 2",
    "old line ends": "x = 1\rwanted = 1\r",
    "line ends of other alphabets": "x = 'a\u2028b'\u2029\nwanted = 1",
    "continued lines": "wanted = 1 + \\\n" + "1 + \\\n" * 5000 + "1",
    "Python 2": "print 'hello'\nwanted = 1",
    "many names at once": f"wanted, {many('a')} = 1, " + ", ".join(["0"] * 9000),
    "many names for many": f"{many('a')} = zip({many('b')})\nwanted = 1",
    "many decorators": "same = lambda f: f\n" + "@same\n" * 3000 + "def wanted(): pass",
    "many star imports": "\n".join(["from math import *"] * 3000) + "\nwanted = pi",
    "calls that call": calls_that_call(2000) + "\nwanted = TABLE",
    "one table changed 4000 times": "wanted = {}\n" + "\n".join(f"wanted[{index}] = {index}" for index in range(4000)),
    "a class of 3000 methods": "class wanted:\n" + "\n".join(f"  def m{index}(self): self.x = 1" for index in range(3000)),
    "a pattern of many": "match 1:\n" + "\n".join(f"  case [a{i}, *b{i}]: pass" for i in range(2000)) + "\nwanted = 1",
}


def needing(code: str) -> NotebookNode:
    """A perfect notebook whose first answer needs the name `wanted`."""
    notebook = perfect()
    notebook.cells[solution(notebook, FIRST.grade_id)].source += "\n_used = wanted"
    notebook.cells.insert(3, nbformat.v4.new_code_cell(code))
    return notebook


def spent(work: Callable[[], Any]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


@pytest.mark.parametrize("name", CODE)
def test_no_cell_holds_the_trusted_side(name: str, tmp_path: Any) -> None:
    path = tmp_path / f"{TOPIC}.ipynb"
    path.write_text(json.dumps(needing(CODE[name])), encoding="utf-8")

    def read_and_rebuild() -> None:
        try:
            runnable(rebuild(blank(), read_notebook(path), TOPIC))
        except Unreadable as error:
            assert len(str(error)) < 200 and "\n" not in str(error)

    blank()
    assert spent(read_and_rebuild) < FEW


#: Those whose cells a learner's process is quick with: with the others it loses its own time.
QUICK = [name for name in CODE if not any(word in name for word in ("deep", "chain", "calls that", "4000", "commands"))]


@pytest.mark.parametrize("name", QUICK)
def test_the_answer_is_graded_all_the_same(name: str, tmp_path: Any, learners: Learners) -> None:
    """Nothing of this is an answer's fault: it gets its marks, the odd cell aside."""
    folder = tmp_path / "ada" / TOPIC
    folder.mkdir(parents=True)
    (folder / f"{TOPIC}.ipynb").write_text(json.dumps(needing(CODE[name])), encoding="utf-8")
    graded = mark_submission(learners, Task(Submission("ada", TOPIC, folder), seed=7))
    assert graded.record.status == "graded", graded.record.reason
    assert graded.record.score == graded.record.max_score
    json.loads(graded.notebook)


def in_the_metadata(notebook: NotebookNode) -> None:
    notebook.metadata["author"] = "half \ud83d"


def in_an_output(notebook: NotebookNode) -> None:
    cell = notebook.cells[solution(notebook, FIRST.grade_id)]
    cell.outputs = [
        nbformat.v4.new_output("stream", text="half \udc00"),
        nbformat.v4.new_output("display_data", {"text/html": "\ud800"}),
    ]


def in_a_label(notebook: NotebookNode) -> None:
    notebook.cells[1].metadata["nbgrader"] = {"grade_id": "\ud800"}


@pytest.mark.parametrize("spoil", [in_the_metadata, in_an_output, in_a_label], ids=lambda spoil: spoil.__name__)
def test_half_a_character_anywhere_costs_nothing(
    spoil: Callable[[NotebookNode], None], tmp_path: Any, learners: Learners
) -> None:
    notebook = perfect()
    spoil(notebook)
    folder = tmp_path / "ada" / TOPIC
    folder.mkdir(parents=True)
    (folder / f"{TOPIC}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    graded = mark_submission(learners, Task(Submission("ada", TOPIC, folder), seed=7))
    assert graded.record.status == "graded" and graded.record.score == graded.record.max_score
    json.loads(graded.notebook)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["x = 1"] * 3100, r"3,2\d\d cells"),
        (["x = 1\n" * 15_000, "y = 2;" * 9000], "lines of code"),
        (["x = 2; " * 6000], "statements"),
        (["x = '" + "a" * 1_100_000 + "'"], "characters of code"),
    ],
    ids=["cells", "lines", "statements", "characters"],
)
def test_each_bound_is_one_sentence(cells: list[str], message: str) -> None:
    notebook = perfect()
    notebook.cells += [nbformat.v4.new_code_cell(source) for source in cells]
    with pytest.raises(Unreadable, match=message):
        rebuild(blank(), notebook, TOPIC)


def test_values_without_end_are_not_read_into_memory(tmp_path: Any) -> None:
    tree = json.loads(nbformat.writes(perfect()))
    tree["metadata"]["x"] = [{}] * 600_000
    path = tmp_path / "wide.ipynb"
    path.write_text(json.dumps(tree), encoding="utf-8")
    with pytest.raises(Unreadable, match="values"):
        read_notebook(path)
    tree["metadata"]["x"] = "[{,}]" * 600_000  # the same signs within a text are nothing
    path.write_text(json.dumps(tree), encoding="utf-8")
    assert read_notebook(path).cells


def test_what_no_bound_foresaw_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SECONDS", 0.3)

    def for_ever(*_: Any) -> None:
        while True:
            pass

    monkeypatch.setattr("grader.submission.rebuild.keep_outputs", for_ever)
    with pytest.raises(Unreadable, match="processor time"):
        rebuild(blank(), perfect(), TOPIC)
    with within_time(0.2):
        assert spent(lambda: sum(range(1000))) < 0.2
    time.sleep(0.01)
    assert spent(lambda: sum(range(20_000_000))) > 0, "no alarm is left behind"
