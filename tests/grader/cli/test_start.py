"""What needs no torch does not wait for it: counted by what a command imports, not by the clock."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from embedding_course.exercises import known
from embedding_course.exercises.index import INDEX, entries
from grader.authoring.build import exercise_index
from grader.classroom.gradebook.ask import find_alembic
from grader.paths import NOTEBOOKS

HEAVY = ("torch", "sklearn", "matplotlib")
GRADEBOOK = ("nbgrader", "nbformat", "jsonschema", "sqlalchemy", "alembic", "jinja2", "numpy")
LIGHT = ("class", "collect", "export", "report", "receipt", "release")
TOPIC = "03_max_norm"
FURTHER = next(name for name, exercise in entries().items() if not exercise.core)
FILE = NOTEBOOKS / TOPIC / f"{TOPIC}.ipynb"

_RUN = """
import sys, time
from grader.__main__ import main
sys.argv[0] = "grader"
try:
    main()
except SystemExit as end:
    code = end.code or 0
imported = {name.partition(".")[0] for name in sys.modules}
print(code, time.process_time(), *imported, file=sys.stderr)
"""


def start(*words: str | Path) -> tuple[int, float, set[str], str]:
    """A command in a process of its own: its exit code, seconds of processor time, what it imported, what it said."""
    done = subprocess.run([sys.executable, "-c", _RUN, *map(str, words)], capture_output=True, text=True, check=True)
    *error_lines, facts = done.stderr.splitlines()
    code, seconds, *imported = facts.split()
    return int(code), float(seconds), set(imported), "\n".join([done.stdout, *error_lines])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    assert start("class", "new", tmp_path / "class")[0] == 0
    return tmp_path / "class"


def runs(wanted: int, *words: str | Path, without: tuple[str, ...] = HEAVY) -> str:
    """What a command says that ends with this exit code and imports none of these."""
    code, _, imported, output = start(*words)
    assert code == wanted, output
    assert not imported & set(without), f"{words} imported {imported & set(without)}"
    return output


@pytest.mark.parametrize("words", [(), *((name,) for name in LIGHT), ("class", "check"), ("demo",), ("grade",)], ids=" ".join)
def test_help_imports_neither_torch_nor_nbgrader(words: tuple[str, ...]) -> None:
    assert "Usage" in runs(0, *words, "--help", without=HEAVY + GRADEBOOK)


def test_a_class_is_made_and_checked(home: Path) -> None:
    with (home / "course.toml").open("a", encoding="utf-8") as file:
        file.write(f'timezone = "UTC"\ncore = ["{FURTHER}"]\n[deadlines]\n03 = 2026-03-15\n')
    assert TOPIC in runs(0, "class", "check", home, without=HEAVY + GRADEBOOK)
    assert "no gradebook" in runs(2, "class", "upgrade", home, without=HEAVY + GRADEBOOK)


def test_collecting(home: Path, tmp_path: Path) -> None:
    """A file that says which notebook it is need not be read as one; another has to be, by nbformat."""
    (tmp_path / "in").mkdir()
    shutil.copy2(FILE, tmp_path / "in" / "ada_03.ipynb")
    runs(0, "collect", tmp_path / "in", "--class", home, without=HEAVY + GRADEBOOK)
    assert (home / "submitted" / "ada" / TOPIC / f"{TOPIC}.ipynb").exists()
    (tmp_path / "in" / "ada_03.ipynb").rename(tmp_path / "in" / "bo.ipynb")
    runs(0, "collect", tmp_path / "in", "--class", home)
    assert (home / "submitted" / "bo" / TOPIC / f"{TOPIC}.ipynb").exists()


def test_a_report(home: Path) -> None:
    assert "Nothing was graded yet" in runs(2, "report", "--class", home, without=HEAVY + GRADEBOOK[:-2])
    graded(home)
    assert "wrote" in runs(0, "report", "--class", home, without=HEAVY + GRADEBOOK[:-2])
    empty_gradebook(home)
    assert "wrote" in runs(0, "report", "--class", home)


def graded(home: Path) -> None:
    facts = {"student": "ada", "topic": TOPIC, "status": "graded", "seed": 1, "submission": "", "graded_at": ""}
    mine = [exercise for exercise in entries().values() if exercise.lesson.topic == TOPIC]
    results = [
        {
            "exercise": exercise.id,
            "title": exercise.title,
            "passed": True,
            "score": exercise.points,
            "max_score": exercise.points,
            "status": "passed",
            "stage": "",
            "criteria": [],
            "core": exercise.core,
        }
        for exercise in mine
    ]
    (home / "results" / TOPIC).mkdir(parents=True)
    record = json.dumps({**facts, "results": results})
    (home / "results" / TOPIC / "ada.json").write_text(record, encoding="utf-8")


def empty_gradebook(home: Path) -> None:
    find_alembic()
    Gradebook(f"sqlite:///{home}/gradebook.db").close()


def test_an_export(home: Path) -> None:
    assert "no gradebook" in runs(2, "export", "--class", home, without=HEAVY + GRADEBOOK)
    empty_gradebook(home)
    assert "Nothing was graded yet" in runs(2, "export", "--class", home)


def test_receipts() -> None:
    assert "there is no receipt in it" in runs(1, "receipt", FILE, without=HEAVY + GRADEBOOK)


def test_a_release(home: Path, tmp_path: Path) -> None:
    """All but the wheel, which is pip's work."""
    code = f"""
import sys
from pathlib import Path
from grader.classroom.policy.course import load_course
from grader.classroom.release import release
release(Path({str(tmp_path / "out")!r}), wheel=False, course=load_course(Path({str(home)!r})))
print(*{{name.partition(".")[0] for name in sys.modules}} & {set(HEAVY)!r})
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
    assert (tmp_path / "out" / "embedding-course" / "notebooks" / TOPIC / f"{TOPIC}.ipynb").exists()


def test_help_costs_less_than_torch_alone() -> None:
    torch = "import time, torch; print(time.process_time())"
    done = subprocess.run([sys.executable, "-c", torch], capture_output=True, text=True, check=True)
    assert start("--help")[1] < float(done.stdout)


def test_the_index_says_what_the_exercises_say() -> None:
    assert INDEX.read_bytes() == exercise_index(), "run `grader build` and commit"
    assert list(entries()) == list(known())
    for name, exercise in known().items():
        for fact in ("title", "why", "points", "core", "difficulty", "minutes", "name", "lesson", "grade_id"):
            assert getattr(entries()[name], fact) == getattr(exercise, fact)
