"""A user's mistake is one sentence in every command; what can be known before a long command begins is said before."""

import shutil
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from embedding_course.exercises import exercises_of
from embedding_course.subject.errors import CourseError
from grader.cli import app
from grader.cli.sentences import TRACEBACK, sentence_of
from grader.course_source import half_made
from grader.course_source.half_made import HalfMade, look_for_half_made

TOPIC = "03_max_norm"


def a_class(home: Path, kind: str) -> Path:
    """The folder of a class in which something is wrong."""
    home.mkdir()
    bodies = {
        "no TOML": b"= =",
        "no text": b"\xff\xfe\x00",
        "no roster": b'roster = "nobody.csv"\n',
        "odd roster": b'roster = "r.csv"\n',
    }
    (home / "r.csv").write_bytes(b"\x00\x01\x02")
    if kind == "a folder":
        (home / "course.toml").mkdir()
    else:
        (home / "course.toml").write_bytes(bodies.get(kind, b""))
    if kind == "files for folders":
        for name in ("submitted", "results", "reports", "feedback", "backups", "earlier"):
            (home / name).write_text("x", encoding="utf-8")
    if kind == "no gradebook":
        (home / "gradebook.db").write_text("no database", encoding="utf-8")
    return home


COMMANDS = (
    ["grade"],
    ["grade", "03"],
    ["grade", "99"],
    ["feedback"],
    ["report"],
    ["report", "--anonymous"],
    ["export"],
    ["export", "--to", "canvas", "--into", "none.csv"],
    ["similar"],
    ["similar", "99"],
    ["regrade", "03.renorm_rows"],
    ["regrade", "nope"],
    ["collect", "none.zip"],
    ["collect", "r.csv"],
    ["class", "restore", "none.zip"],
    ["class", "forget", "ada", "--yes"],
)


@pytest.mark.parametrize(
    "kind", ["no TOML", "no text", "no roster", "odd roster", "a folder", "files for folders", "no gradebook"]
)
def test_a_class_in_which_something_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    home = a_class(tmp_path / "class", kind)
    monkeypatch.chdir(home)
    for words in COMMANDS:
        outcome = CliRunner().invoke(app, words)
        assert isinstance(outcome.exception, SystemExit | CourseError), (words, outcome.exception)
        assert outcome.exit_code in (1, 2), (words, outcome.output)
        assert isinstance(outcome.exception, CourseError) or outcome.output.strip(), words
        assert "Traceback" not in outcome.output, words


@pytest.mark.parametrize(
    "words",
    [
        ["build", "99"],
        ["audit", "nope.nope"],
        ["site", "99"],
        ["figures", "99"],
        ["try", "03.renorm_rows", "none.py"],
        ["doctor", "none"],
        ["receipt", "none"],
        ["package", "gradescope", "99"],
        ["class", "check", "none"],
        ["class", "new", "file/class"],
        ["package", "gradescope", "03", "--out", "file/x"],
        ["site", "03", "--out", "file/x/y"],
    ],
)
def test_a_wrong_name_or_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    outcome = CliRunner().invoke(app, words)
    assert isinstance(outcome.exception, SystemExit | CourseError) and outcome.exit_code in (1, 2), outcome.exception


def test_the_sentences_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sentence_of(PermissionError(13, "Permission denied", "/x/y")) == (
        "/x/y: Permission denied. Look at the path, and whether you may read and write there."
    )
    assert "nosuchprogram: there is no such file or program here" in sentence_of(
        FileNotFoundError(2, "No such file", "nosuchprogram")
    )
    assert "exit code 3" in sentence_of(subprocess.CalledProcessError(3, ["pip", "wheel"]))
    assert sentence_of(ValueError("a fault of ours")) == ""
    monkeypatch.setenv(TRACEBACK, "1")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert isinstance(CliRunner().invoke(app, ["grade", "--class", "file"]).exception, OSError)


@pytest.fixture
def solutions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a notebook's solutions, to leave something out of."""
    shutil.copytree(half_made.SOLUTIONS / TOPIC, tmp_path / "solutions" / TOPIC)
    monkeypatch.setattr(half_made, "SOLUTIONS", tmp_path / "solutions")
    monkeypatch.setattr(half_made, "ROOT", tmp_path)
    return tmp_path / "solutions" / TOPIC


def test_half_made_exercises_are_said_before_anything_runs(solutions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    look_for_half_made([TOPIC])
    first, second, third, *_ = exercises_of(TOPIC)
    (solutions / "reference" / f"{first.stem}.py").unlink()
    stub = f"def {second.name}(weight):\n    raise NotImplementedError('write the right answer here')\n"
    (solutions / "reference" / f"{second.stem}.py").write_text(stub, encoding="utf-8")
    lesson = solutions / "lesson.py"
    lesson.write_text(lesson.read_text(encoding="utf-8").replace(f'exercise="{third.id}"', 'key="gone"'), encoding="utf-8")
    monkeypatch.setattr(half_made.expected, "file_of", lambda exercise: solutions / "none")
    with pytest.raises(HalfMade) as error:
        look_for_half_made([TOPIC])
    messages = str(error.value).splitlines()
    assert (
        f"{first.id} is half made: its right answer is missing; write solutions/{TOPIC}/reference/{first.stem}.py." in messages
    )
    assert any(line.startswith(f"{second.id} is half made:") and "NotImplementedError" in line for line in messages)
    assert any(line.startswith(f"{third.id} is half made: no cell of") for line in messages)
    assert f"{first.id} is half made: it was never built; run grader build {first.number}." in messages
    with pytest.raises(HalfMade) as error:
        look_for_half_made([TOPIC], built=False)
    assert "never built" not in str(error.value)


@pytest.mark.parametrize("words", [["build", "03"], ["site", "03"], ["grade", "03"], ["regrade", "03.renorm_rows"]])
def test_long_commands_look_first(solutions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    (solutions / "reference" / "renorm_rows.py").unlink()
    monkeypatch.chdir(tmp_path)
    assert isinstance(CliRunner().invoke(app, words).exception, HalfMade)
