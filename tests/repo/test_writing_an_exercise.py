"""docs/writing_an_exercise.md leads to an exercise that holds: its first section is followed to the letter."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.authoring.scaffold import CannotMake, make
from grader.paths import ROOT

PAGE = (ROOT / "docs" / "writing_an_exercise.md").read_text(encoding="utf-8")
SECTION = PAGE.split("## From nothing to an exercise", 1)[1].split("\n## ", 1)[0]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The parts of the repository that an exercise touches, in a folder of their own."""
    root = tmp_path / "checkout"
    for name in ("embedding_course", "grader", "solutions", "data", "docs"):
        shutil.copytree(ROOT / name, root / name, ignore=_left_out)
    shutil.copy(ROOT / "pyproject.toml", root)
    return root


def _left_out(_: str, names: list[str]) -> set[str]:
    """The other notebooks stay away: what is built and read is quicker so, and nothing else changes."""
    return {name for name in names if name == "__pycache__" or re.match(r"(?!00_|03_)\d\d_", name)}


def steps() -> Iterator[tuple[str, str, str]]:
    """What the section asks for, in order: ("run", command, ""), ("write", path, text), ("put before <line>", path, text)."""
    blocks = re.compile(
        r"^```python\n(?P<code>(?:(?!```).*\n)*)```\n|(?P<commands>(?:^    \S.*\n)+)|(?P<prose>^\S.*\n)", re.MULTILINE
    )
    prose = ""
    for block in blocks.finditer(SECTION):
        if block["commands"]:
            yield from (("run", line.strip(), "") for line in block["commands"].splitlines())
        elif block["code"]:
            into = re.findall(r"Write into `([^`]+)`:$", prose)
            before = re.findall(r"In `([^`]+)`, put before the line `([^`]+)`:$", prose)
            assert into or before, f"the page does not say where this goes: {block['code'][:60]}"
            yield ("write", into[0], block["code"]) if into else (before[0][1], before[0][0], block["code"])
            prose = ""
        else:
            prose = f"{prose} {block['prose'].strip()}"


def _run(root: Path, command: str) -> subprocess.CompletedProcess[str]:
    words = command.split()
    assert words[0] == "grader"
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(root), "OMP_NUM_THREADS": "1", "COLUMNS": "200"},
    )


@pytest.mark.slow
def test_the_page_leads_to_an_exercise_that_holds(checkout: Path) -> None:
    codes = []
    outputs = {}
    for what, where, text in steps():
        path = checkout / where
        if what == "run":
            done = _run(checkout, where)
            assert "Traceback" not in done.stderr, done.stderr[-3000:]
            codes.append((" ".join(where.split()[1:2]), done.returncode))
            outputs[len(codes)] = done.stdout + done.stderr
        elif what == "write":
            path.write_text(text, encoding="utf-8")
        else:
            whole = path.read_text(encoding="utf-8")
            assert whole.count(f"{what}\n") == 1, what
            path.write_text(whole.replace(f"{what}\n", f"{text}{what}\n"), encoding="utf-8")
    assert codes == [("new", 0), ("audit", 1), ("build", 0), ("audit", 0), ("try", 0)], outputs
    assert 'exercise="03.share_clipped"' in outputs[1]
    for missing in ("0 mistakes", "0 right_forms", "no right answer"):
        assert missing.replace("_", " ") in outputs[2], outputs[2]
    assert "mistakes caught 6/6, named 6/6, right forms accepted 4/4" in outputs[4]
    notebook = (checkout / "notebooks" / "03_max_norm" / "03_max_norm.ipynb").read_text(encoding="utf-8")
    assert "Exercise 03.share_clipped" in notebook and "vector_norm(weight, dim=1) > max_norm" not in notebook


@pytest.fixture
def lists(tmp_path: Path) -> Path:
    """Only the folders that `grader new` writes to."""
    for folder in ("embedding_course/exercises", "solutions"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "curves.py", "lesson.py")
        )
    return tmp_path


@pytest.mark.parametrize("number", ["03", "04", "07"])
def test_the_list_stays_python_and_gains_one(lists: Path, number: str) -> None:
    made = make(f"{number}.my_exercise", lists)
    text = made.registered_in.read_text(encoding="utf-8")
    compile(text, "list", "exec")
    before = (ROOT / made.registered_in.relative_to(lists)).read_text(encoding="utf-8")
    fresh = [line for line in text.splitlines() if line not in before.splitlines()]
    assert "from .my_exercise import my_exercise" in fresh
    scope: dict[str, object] = {}
    exec(
        re.sub(
            r"^from \.\w+ import (.+)$",
            lambda match: "\n".join(f"{name.strip()} = '{name.strip()}'" for name in match[1].split(",")),
            text,
            flags=re.MULTILINE,
        ),
        scope,
    )
    listed = scope["EXERCISES"]
    assert isinstance(listed, tuple) and listed[-1] == "my_exercise" and len(set(listed)) == len(listed) > 1
    for path in made.files:
        compile(path.read_text(encoding="utf-8"), path.name, "exec")
        assert "$" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("99.thing", "notebook's number"),
        ("my_exercise", "notebook's number"),
        ("07.MyLayer", "function's name"),
        ("07.class", "function's name"),
        ("07.renorm_rows", "03.renorm_rows"),
        ("07.../x", "function's name"),
    ],
)
def test_what_cannot_be_made_is_said_and_nothing_is_written(lists: Path, name: str, reason: str) -> None:
    before = {path: path.read_bytes() for path in lists.rglob("*") if path.is_file()}
    with pytest.raises(CannotMake, match=reason):
        make(name, lists)
    assert before == {path: path.read_bytes() for path in lists.rglob("*") if path.is_file()}


def test_nothing_is_written_over(lists: Path) -> None:
    kept = lists / "solutions" / "07_attention" / "mistakes" / "my_exercise.py"
    kept.write_text("# mine", encoding="utf-8")
    with pytest.raises(CannotMake, match="there already"):
        make("07.my_exercise", lists)
    assert kept.read_text(encoding="utf-8") == "# mine"
    assert not (lists / "solutions" / "07_attention" / "reference" / "my_exercise.py").exists()
