"""doctor: what would cost points is said before handing in, with the grader at hand and without."""

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbformat.notebooknode import NotebookNode
from typer.testing import CliRunner

from embedding_course.checking.intake.cells import Cell, cells_of
from embedding_course.exercises import exercises_of
from embedding_course.learner.doctor.examine import compose
from embedding_course.learner.doctor.report import Report, panel
from embedding_course.learner.doctor.run import run
from embedding_course.learner.doctor.saved import read
from embedding_course.learner.doctor.static_look import INSTALLED, look
from embedding_course.learner.doctor.would_be_graded import take
from embedding_course.messages import ENGLISH, edition
from embedding_course.subject.errors import CourseError
from grader.cli import app
from grader.course_source.notebook import release, translated
from grader.engine.fork_server import Learners
from grader.marking.rehearsal import examine_as_graded
from grader.paths import ROOT
from tests.redteam.honest import TOPIC, solution
from tests.support.classes import blank, keep, perfect

EXERCISES = exercises_of(TOPIC)
FIRST, SECOND = EXERCISES[:2]


def alone(path: Path, live: dict | None = None) -> Report:
    """The report of the base package, without the grader."""
    saved = read(path)
    taken = take(saved, lesson_cells())
    return compose(saved, taken, run(taken.steps, TOPIC), live)


@cache
def lesson_cells() -> list[Cell]:
    """The cells of the lesson, from which grading takes nothing but the given ones."""
    return cells_of(blank())


def said(report: Report, weight: str) -> str:
    return "\n".join(finding.message for finding in report.findings if finding.weight == weight)


def answer(notebook: NotebookNode, source: str) -> None:
    notebook.cells[solution(notebook, FIRST.grade_id)].source = source


def test_a_perfect_notebook_is_ready_in_either_way(learners: Learners, tmp_path: Path, own_memory: Path) -> None:
    path = keep(perfect(), tmp_path)
    before = path.read_bytes()
    first = alone(path)
    assert path.read_bytes() == before and not own_memory.exists(), "nothing is recorded, nothing is written"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    for report in (first, examine_as_graded(learners, read(path))):
        assert report.ready and report.findings == [], report.findings
        assert report.score == report.max_score == sum(exercise.points for exercise in EXERCISES if exercise.core)
        assert 0 < report.cpu < 120 and report.memory > 2**20 and {"python", "torch", "numpy"} <= set(report.versions)
        assert f"✔ {TOPIC}" in panel(report).text and "submit()" in panel(report).text


def test_an_untouched_notebook_is_told_stub_by_stub(tmp_path: Path) -> None:
    report = alone(keep(blank(), tmp_path))
    assert not report.ready and report.score == 0
    for exercise in EXERCISES:
        assert f"`{exercise.name}`" in said(report, "lost" if exercise.core else "note")
    assert "written answer" in said(report, "lost")


def loses_a_cell(notebook: NotebookNode) -> None:
    del notebook.cells[solution(notebook, FIRST.grade_id)]


def is_no_python(notebook: NotebookNode) -> None:
    answer(notebook, f"def {FIRST.name}(weight, max_norm:\n    return weight")


def raises_where_it_defines(notebook: NotebookNode) -> None:
    answer(notebook, f"1\ndef {FIRST.name}(weight, max_norm=1 / 0):\n    return weight")


def needs_a_lost_helper(notebook: NotebookNode) -> None:
    answer(notebook, f"def {FIRST.name}(*args, **options):\n    return lost_helper(*args)")


def ends_the_process(notebook: NotebookNode) -> None:
    answer(notebook, f"import os\nos._exit(3)\ndef {FIRST.name}(*args):\n    pass")


def ends_in_the_check(notebook: NotebookNode) -> None:
    answer(notebook, f"def {FIRST.name}(*args, **options):\n    import os\n    os._exit(3)")


@pytest.mark.parametrize("change", [loses_a_cell, is_no_python])
def test_a_fault_is_reported_once(change: Callable[[NotebookNode], None], learners: Learners, tmp_path: Path) -> None:
    notebook = perfect()
    change(notebook)
    path = keep(notebook, tmp_path)
    for report in (alone(path), examine_as_graded(learners, read(path))):
        messages = [finding.message for finding in report.findings if FIRST.id in finding.message]
        faults = [message for message in messages if not message.startswith(SECOND.id)]  # which calls the first
        assert len(faults) == 1 and not report.ready, faults


def test_the_command_speaks_the_notebook_s_language(tmp_path: Path) -> None:
    notebook = release(translated(TOPIC, "zh"))
    outcome = CliRunner().invoke(app, ["doctor", str(keep(notebook, tmp_path))])
    assert outcome.exit_code == 1 and "会丢分" in outcome.output and "costs points" not in outcome.output
    assert edition() == ENGLISH


BROKEN: list[tuple[Callable[[NotebookNode], None], str]] = [
    (loses_a_cell, f"No cell defines `{FIRST.name}`"),
    (is_no_python, "no valid Python"),
    (raises_where_it_defines, "ZeroDivisionError: division by zero (line 2)"),
    (needs_a_lost_helper, "`lost_helper`"),
    (ends_the_process, "exit?"),
    (ends_in_the_check, "exit?"),
]


def broken(spoil: Callable[[NotebookNode], None], folder: Path) -> Path:
    notebook = perfect()
    spoil(notebook)
    return keep(notebook, folder)


def named(report: Report, wanted: str) -> None:
    everything = said(report, "lost") + said(report, "mind")
    assert wanted in everything, everything
    assert not report.ready
    failing = {result.exercise for result in report.results if not result.passed}
    assert FIRST.id in failing and failing <= {
        FIRST.id,
        *(exercise.id for exercise in EXERCISES if FIRST.name in exercise.uses),
    }


@pytest.mark.parametrize(("spoil", "wanted"), BROKEN, ids=lambda value: getattr(value, "__name__", ""))
def test_one_broken_answer_is_named_and_the_rest_is_fine(
    spoil: Callable[[NotebookNode], None], wanted: str, learners: Learners, tmp_path: Path
) -> None:
    named(examine_as_graded(learners, read(broken(spoil, tmp_path))), wanted)


@pytest.mark.parametrize(
    ("spoil", "wanted"),
    BROKEN,
    ids=lambda value: getattr(value, "__name__", ""),
)
@pytest.mark.slow
def test_it_is_named_without_the_grader_as_well(spoil: Callable[[NotebookNode], None], wanted: str, tmp_path: Path) -> None:
    named(alone(broken(spoil, tmp_path)), wanted)


def test_a_line_that_fails_above_the_answer_is_told_and_costs_nothing(learners: Learners, tmp_path: Path) -> None:
    notebook = perfect()
    answer(notebook, "\n1 / 0\n" + notebook.cells[solution(notebook, FIRST.grade_id)].source)
    path = keep(notebook, tmp_path)
    for report in (alone(path), examine_as_graded(learners, read(path))):
        assert "ZeroDivisionError: division by zero (line 2)" in said(report, "mind")
        assert report.ready and report.score == report.max_score


@pytest.mark.slow
def test_an_endless_loop_is_found_by_its_processor_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = perfect()
    last = EXERCISES[-1]
    loop = f"def {last.name}(*args, **options):\n    while True:\n        pass"
    notebook.cells[solution(notebook, last.grade_id)].source = loop
    site = tmp_path / "site"
    site.mkdir()
    hurry = "import embedding_course.checking.submission_limits as limits\nlimits.CPU_SECONDS = 4.0\n"
    (site / "sitecustomize.py").write_text(hurry, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{site}{os.pathsep}{ROOT}")
    report = alone(keep(notebook, tmp_path))
    statuses = {result.exercise: result.status for result in report.results}
    assert statuses.pop(last.id) == "timed out" and set(statuses.values()) == {"passed"}


def test_what_only_this_kernel_has_is_told(tmp_path: Path) -> None:
    notebook = perfect()
    needs_a_lost_helper(notebook)
    saved = read(keep(notebook, tmp_path))
    findings_text = "\n".join(finding.message for finding in look(saved, take(saved), {"lost_helper": abs}))
    assert "`lost_helper`" in findings_text and "lives only in this kernel" in findings_text


def test_an_answer_that_was_not_saved_is_told(tmp_path: Path) -> None:
    import linecache

    saved = read(keep(perfect(), tmp_path))
    newer = f"def {FIRST.name}(*args):\n    return 'newer'\n"
    linecache.cache["/tmp/ipykernel_1/1.py"] = (len(newer), None, newer.splitlines(keepends=True), "/tmp/ipykernel_1/1.py")
    scope: dict = {}
    exec(compile(newer, "/tmp/ipykernel_1/1.py", "exec"), scope)
    messages = [finding.message for finding in look(saved, take(saved), scope)]
    assert len(messages) == 1 and "save the notebook" in messages[0] and f"`{FIRST.name}`" in messages[0]


def test_files_and_modules_that_the_grader_has_not(tmp_path: Path) -> None:
    notebook = perfect()
    index = solution(notebook, FIRST.grade_id)
    notebook.cells[index].source += "\nimport my_module\nimport pandas\nwords = open('words.txt').read()\nprint('a/b.txt')"
    (tmp_path / "my_module.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "words.txt").write_text("word\n", encoding="utf-8")
    saved = read(keep(notebook, tmp_path))
    findings = list(look(saved, take(saved)))
    assert [finding.weight for finding in findings] == ["lost", "mind", "lost"]
    assert "`my_module`" in findings[0].message and "`pandas`" in findings[1].message and "`words.txt`" in findings[2].message


def test_files_that_the_notebook_writes_itself_are_there_in_grading_too(tmp_path: Path) -> None:
    notebook = perfect()
    lines = ("%%writefile mine.py\nTWO = 2", "from mine import TWO", "with open('words.txt', 'w') as file: file.write('a')")
    notebook.cells += [nbformat.v4.new_code_cell(source) for source in (*lines, "print(open('words.txt').read())")]
    for name in ("mine.py", "words.txt"):
        (tmp_path / name).write_text("TWO = 2\n", encoding="utf-8")
    path = keep(notebook, tmp_path)
    saved = read(path)
    assert [finding.message for finding in look(saved, take(saved, lesson_cells()))] == []
    assert alone(path).ready


def test_a_misspelt_name_is_said_and_taken_as_grading_takes_it(learners: Learners, tmp_path: Path) -> None:
    notebook = perfect()
    index = solution(notebook, FIRST.grade_id)
    answer(notebook, notebook.cells[index].source.replace(f"def {FIRST.name}(", f"def {FIRST.name[:-1]}("))
    path = keep(notebook, tmp_path)
    for report in (alone(path), examine_as_graded(learners, read(path))):
        assert f"does not define `{FIRST.name}`, but `{FIRST.name[:-1]}`: is that a misspelling?" in said(report, "lost")
        assert report.score == report.max_score and not report.ready


def test_own_cells_that_take_longer_than_grading_gives_them_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = perfect()
    notebook.cells.append(nbformat.v4.new_code_cell("total = sum(range(3_000_000))"))
    path = keep(notebook, tmp_path)
    assert "Your own cells take" not in said(alone(path), "mind")
    monkeypatch.setattr("embedding_course.learner.doctor.run.OWN_SECONDS", 0.001)
    report = alone(path)
    assert "Grading gives them 0.001 s together" in said(report, "mind") and report.ready
    loses_a_cell(notebook)
    assert "Grading gives them 0.001 s together" in said(alone(keep(notebook, tmp_path)), "mind")


def test_an_attempt_without_its_name_is_a_cell_that_failed(learners: Learners, tmp_path: Path) -> None:
    notebook = perfect()
    answer(notebook, "norms = 3")
    path = keep(notebook, tmp_path)
    for report in (alone(path), examine_as_graded(learners, read(path))):
        statuses = {result.exercise: result.status for result in report.results}
        assert statuses[FIRST.id] == "cell failed"


def test_what_is_installed_follows_from_the_project() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {requirement.split(">")[0].replace("scikit-learn", "sklearn") for requirement in project["dependencies"]}
    assert names <= INSTALLED


def test_a_doubled_answer_says_which_one_counts(tmp_path: Path) -> None:
    notebook = perfect()
    index = solution(notebook, FIRST.grade_id)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(notebook.cells[index].source))
    report = alone(keep(notebook, tmp_path))
    assert report.ready and f"the one in cell {index + 2} below “" in said(report, "mind")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"[1, 2]", "not a notebook"),
        (b'{"worksheets": []}', "no notebook of this course"),
        (b'{"cells": []}', "no notebook of this course"),
    ],
)
def test_what_is_no_notebook_gets_one_sentence(content: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "thing.ipynb"
    path.write_bytes(content)
    with pytest.raises(CourseError, match=sentence):
        read(path)
    outcome = CliRunner().invoke(app, ["doctor", str(path)])
    assert outcome.exit_code == 2 and sentence in outcome.output and "Traceback" not in outcome.output


@pytest.mark.slow
def test_the_base_package_alone_can_do_it(tmp_path: Path) -> None:
    """No grader, no Jupyter of any kind is imported; the report comes all the same."""
    path = keep(perfect(), tmp_path)
    code = f"""
import sys
import embedding_course
assert not [name for name in sys.modules if name.split(".")[0] in ("grader", "IPython", "nbformat", "nbgrader", "nbclient")]
from embedding_course.learner.doctor import graded
graded.available = lambda: None
embedding_course.doctor({str(path)!r})
assert not [name for name in sys.modules if name.split(".")[0] in ("grader", "nbformat", "nbgrader", "nbclient")]
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert f"✔ {TOPIC}" in done.stdout and "a fresh Python process" in done.stdout


@pytest.mark.slow
def test_where_the_grader_is_at_hand_it_does_the_running(tmp_path: Path) -> None:
    from embedding_course.learner.doctor.graded import available, run_graded

    assert available() == ROOT
    ran = run_graded(read(keep(perfect(), tmp_path)))
    assert ran is not None and "grader" in ran.how and all(result.passed for result in ran.results)
