"""Cells that Python cannot read: the sign from another keyboard is named below the cell, and by `check` and `doctor`."""

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from embedding_course.checking.source.not_python import unreadable_signs, why_not_python
from embedding_course.learner.doctor.saved import read
from embedding_course.learner.doctor.static_look import look
from embedding_course.learner.doctor.would_be_graded import take
from grader.course_source.lesson import read_lesson
from grader.course_source.start_here import start_here
from grader.paths import NOTEBOOKS
from tests.redteam.honest import TOPIC, solution
from tests.support.classes import keep, perfect

#: A notebook with a cell that runs for most of a minute.
SLOW_TOPIC = "05_lstm_seq2seq"
#: What is typed, by line: the sign, and what was meant.
SIGNS = [
    ("print（x）", [(1, "（", "("), (1, "）", ")")]),
    ("def f(x)：\n    return x，1", [(1, "：", ":"), (2, "，", ",")]),
    ("x = 1；y = 2", [(1, "；", ";")]),
    ("x ＝ 3 ＋ ４", [(1, "＝", "="), (1, "＋", "+"), (1, "４", "4")]),
    ("s = “猫，狗”", [(1, "“", '"'), (1, "”", '"')]),
    ("s = ‘猫’", [(1, "‘", "'"), (1, "’", "'")]),
    ("s = '猫’", [(1, "’", "'")]),
    ("d = {“a”：“b”}", [(1, "“", '"'), (1, "”", '"'), (1, "：", ":"), (1, "“", '"'), (1, "”", '"')]),
    ("print('a’，'b')", [(1, "’", "'"), (1, "，", ",")]),
    ("s = '''a\nb’’’", [(2, "’’’", "'''")]),
    ("x = 3\nf'{x，}'  # ，", [(2, "，", ",")]),
    ("x = 2 − 1", [(1, "−", "-")]),
    ("x\u3000= 3", [(1, "\u3000", " ")]),
    ("x = 3\u200b", [(1, "\u200b", " ")]),
    ("%matplotlib inline\nx = （1）", [(2, "（", "("), (2, "）", ")")]),
    ("%%time\nx = ［1］", [(2, "［", "["), (2, "］", "]")]),
    ("x = √2", [(1, "√", "")]),
]


@pytest.mark.parametrize(("source", "signs"), SIGNS, ids=[source for source, _ in SIGNS])
def test_each_sign_is_named_with_its_line_and_what_was_meant(source: str, signs: list[tuple[int, str, str]]) -> None:
    assert sorted(unreadable_signs(source)) == sorted(signs)
    message = why_not_python(source)
    assert "does not read in code" in message and "\n" not in message
    assert ("; type " in message) is bool(signs[0][2])


@pytest.mark.parametrize(
    "source", ["# ，\ns = '（，）：'", "猫 = '，'", "files = !ls", "%time x = 1", "", "'''“”'''", "ｘ = 1"]
)
def test_what_python_reads_is_left_alone(source: str) -> None:
    assert why_not_python(source) == "" and unreadable_signs(source) == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\ndef f(x)\n    return x", "Python says “expected ':'” in line 2 (`def f(x)`)"),
        ("x = (1,\ny = 2", "in line 1 (`x = (1,`)"),
        ("def f():\nreturn 1", "in line 2 (`return 1`)"),
        ("s = 'abc", "Python says “unterminated string literal"),
    ],
)
def test_for_other_faults_python_is_quoted(source: str, message: str) -> None:
    assert message in why_not_python(source) and unreadable_signs(source) == []


def run(folder: Path, *cells: str) -> list[str]:
    """What each of these cells shows in a kernel; errors do not stop it."""
    notebook = nbformat.v4.new_notebook()
    setup = f"import os\nos.environ['EMBEDDING_COURSE_STATE'] = {str(folder)!r}\nfrom embedding_course import check"
    notebook.cells = [nbformat.v4.new_code_cell(text) for text in (setup, *cells)]
    NotebookClient(notebook, allow_errors=True, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    return ["\n".join(str(output) for output in cell.outputs) for cell in notebook.cells[1:]]


def test_a_kernel_says_it_below_the_cell_and_check_says_it_again(tmp_path: Path) -> None:
    wide, checked, fine, plain, colon, missing, near, misspelt, wrong_call = run(
        tmp_path,
        "def one_hot(ids, n)：\n    return ids，n",
        "check('01.one_hot')",
        "s = '，'",
        "1 +",
        "def merge_pair(ids)\n    return ids",
        "check('01.merge_pair')",
        "def build_vocabs(texts):\n    return texts",
        "check('01.build_vocab')",
        "check（'01.one_hot'）",
    )
    message = (
        "ine 1 has `：`; line 2 has `，`, which Python does not read in code; type `:`, `,` with the keyboard set to English."
    )
    assert "SyntaxError" in wide and f"L{message}" in wide and wide.count("text/plain") == 1
    assert f"The cell that defines `one_hot` is no valid Python: l{message}" in checked and "not attempted" not in checked
    assert fine == "" and "does not read" not in plain and "display_data" not in plain, "Python has said it all"
    assert "does not read" not in colon
    assert (
        "Python says “expected" in missing and "in line 1 (`def merge_pair(ids)`)" in missing and "not attempted" not in missing
    )
    assert near == "" and "your notebook defines `build_vocabs`: call it `build_vocab`" in misspelt
    assert "Line 1 has `（`, `）`" in wrong_call


def test_the_older_answer_is_not_judged_and_the_newer_cell_is_explained(tmp_path: Path) -> None:
    *_, output = run(
        tmp_path, "def one_hot(ids, n):\n    return ids", "def one_hot(ids, n):\n    return ids，", "check('01.one_hot')"
    )
    assert "what the kernel still holds is an older one" in output and "line 2 has `，`" in output


def test_a_cell_that_ran_and_defined_nothing_is_told_apart_from_none(tmp_path: Path) -> None:
    _, ran, not_run = run(
        tmp_path, "1 / 0\ndef one_hot(ids, n):\n    return ids", "check('01.one_hot')", "check('01.merge_pair')"
    )
    assert "Its cell stopped before it defined `one_hot`" in ran and "There is no `merge_pair` yet" in not_run


def test_the_warm_up_says_it_in_its_first_exercise(tmp_path: Path) -> None:
    notebook = start_here()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    last = next(number for number, cell in enumerate(cells) if "def empty_table" in cell.source)
    notebook.cells = cells[: last + 1]
    cells[last].source = cells[last].source.replace("raise NotImplementedError()", "return torch.zeros（rows， columns）")
    NotebookClient(
        notebook, allow_errors=True, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    assert "Line 3 has `（`, `，`, `）`" in "\n".join(str(output) for output in cells[last].outputs)


def test_doctor_names_them(tmp_path: Path) -> None:
    notebook = perfect(TOPIC)
    cell = notebook.cells[solution(notebook, "03-renorm_rows")]
    cell.source = "def renorm_rows(weight，max_norm，norm_type=2.0)：\n    return weight"
    saved = read(keep(notebook, tmp_path))
    findings_text = "\n".join(finding.message for finding in look(saved, take(saved)))
    assert "line 1 has `，`, `：`, which Python does not read in code; type `,`, `:`" in findings_text


def test_a_cell_that_runs_too_early_says_which_section_makes_the_name(tmp_path: Path) -> None:
    own, foreign, first = run(tmp_path, "check('03.renorm_rows')\nsix.shape", "no_such_name", "nn.Embedding")
    assert "NameError" in own and "`six` is made in “1 · " in own and "Run the cells there first" in own
    assert "NameError" in foreign and "is made in" not in foreign, "a name of the learner's own is Python's to explain"
    assert "`nn` is made by the first cells of this notebook" in first


def test_a_cell_that_runs_for_long_says_so_before_it_runs(tmp_path: Path) -> None:
    cells = {cell.id: cell.source for cell in nbformat.read(NOTEBOOKS / SLOW_TOPIC / f"{SLOW_TOPIC}.ipynb", as_version=4).cells}
    key = next(cell.key for cell in read_lesson(SLOW_TOPIC) if cell.meta.get("seconds", 0) > 20)
    slow, changed = run(tmp_path, cells[key], f"{cells[key]}\n# mine")
    assert re.search(r"This takes up to \d+ seconds on this machine", slow)
    assert "This takes" not in changed, "a cell that the learner wrote anew is not foretold"
