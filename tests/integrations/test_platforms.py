"""Where there is no Linux: notebooks import and check, and the grader says in one sentence where it runs."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from embedding_course.exercises import find_exercise
from embedding_course.subject.lessons import LESSONS
from grader.cli import app
from grader.cli.platform_needed import NEEDED
from grader.course_source.catalogue import mistakes_of, reference_source
from grader.paths import NOTEBOOKS, ROOT

#: What Windows lacks of Python's own; macOS lacks the last of it.
ELSEWHERE = """
import os, sys
sys.modules.update(dict.fromkeys(("fcntl", "resource", "pwd", "grp")))
del os.fork, os.forkpty, os.sched_getaffinity
"""
ONE_HOT = find_exercise("01.one_hot")


def elsewhere(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, "PYTHONPATH": str(ROOT), "EMBEDDING_COURSE_STATE": str(folder / "state"), "MPLBACKEND": "agg"}
    return subprocess.run([sys.executable, "-c", ELSEWHERE + code], cwd=folder, env=settings, capture_output=True, text=True)


def imports(topic: str) -> list[str]:
    """The import statements of a released notebook's code cells, wherever they stand in them."""
    tree = json.loads((NOTEBOOKS / topic / f"{topic}.ipynb").read_text(encoding="utf-8"))
    sources = ["".join(cell["source"]) for cell in tree["cells"] if cell["cell_type"] == "code"]
    nodes = (node for source in sources for node in ast.walk(ast.parse(source)))
    return list(dict.fromkeys(ast.unparse(node) for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))))


def test_everything_that_notebooks_import_is_imported(tmp_path: Path) -> None:
    folders = sorted(NOTEBOOKS.glob("[01][0-9]_*/"))
    statements = [line for folder in folders for line in imports(folder.name)]
    assert len(statements) > len(folders) == len(LESSONS) + 1  # and the warm-up
    done = elsewhere("\n".join(statements), tmp_path)
    assert done.returncode == 0, done.stderr


def test_checks_hints_progress_and_predictions(tmp_path: Path) -> None:
    done = elsewhere(
        f"""
from embedding_course import check, hint, predict, progress, reveal
right, wrong = {{}}, {{}}
exec({reference_source(ONE_HOT)!r}, right)
exec({mistakes_of(ONE_HOT)[0].source!r}, wrong)
earned = check("01.one_hot", wrong["one_hot"])
assert earned < {ONE_HOT.points}, earned
assert check("01.one_hot", right["one_hot"]) == {ONE_HOT.points}
hint("01.one_hot")
predict("01-once", "How many?", 5)
reveal("01-once", 5)
progress()
""",
        tmp_path,
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert "✔ 01.one_hot" in done.stdout and mistakes_of(ONE_HOT)[0].slug in done.stdout
    assert "Hint 1" in done.stdout and "You saw it coming" in done.stdout
    assert (tmp_path / "state" / "progress.json").exists()


def command(*words: str) -> str:
    return f"from grader.__main__ import main\nsys.argv = ['grader', *{words!r}]\nmain()"


def test_help_is_there(tmp_path: Path) -> None:
    done = elsewhere(command("--help"), tmp_path)
    assert done.returncode == 0 and "grade" in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("grade",),
        ("regrade", "one_hot"),
        ("demo",),
        ("try", "one_hot", "answer.py"),
        ("audit",),
        ("attack",),
        ("doctor", "01"),
        ("submit", "01"),
        ("build",),
    ],
    ids=lambda words: words[0],
)
def test_what_runs_answers_says_where_it_runs(words: tuple[str, ...], tmp_path: Path) -> None:
    done = elsewhere(command(*words), tmp_path)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.strip() == NEEDED


def test_macos_lacks_one_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    outcome = CliRunner().invoke(app, ["grade", "--class", str(tmp_path)])
    assert outcome.exit_code == 2 and outcome.output.strip() == NEEDED


def test_a_class_can_be_kept_anywhere(tmp_path: Path) -> None:
    for words in (("class", "new", "k"), ("class", "check", "k")):
        done = elsewhere(command(*words), tmp_path)
        assert done.returncode == 0, done.stderr
    done = elsewhere(command("report", "--class", "k"), tmp_path)
    assert done.returncode == 2 and "Nothing was graded yet" in done.stderr
