"""`grader try`: any file through the hidden check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from embedding_course.exercises import known
from grader.catalogue import mistakes_of, reference_source
from grader.cli import app

run = CliRunner().invoke
FIRST = next(iter(known().values()))

pytestmark = pytest.mark.usefixtures("one_zygote")


def _write(folder: Path, text: str) -> str:
    path = folder / "answer.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_right_exits_0_and_the_json_follows_the_schema(tmp_path: Path) -> None:
    outcome = run(app, ["try", FIRST.id, _write(tmp_path, reference_source(FIRST)), "--json"])
    assert outcome.exit_code == 0, outcome.output
    result = json.loads(outcome.stdout)
    assert result["exercise"] == FIRST.id
    assert result["passed"] is True
    assert result["score"] == result["max_score"] == FIRST.points
    assert result["mistake"] is None
    assert {"stage", "criteria", "message", "seed", "versions"} <= set(result)


def test_wrong_exits_1_and_is_named(tmp_path: Path) -> None:
    mistake = mistakes_of(FIRST)[0]
    outcome = run(app, ["try", FIRST.id, _write(tmp_path, mistake.source), "--json"])
    assert outcome.exit_code == 1
    assert json.loads(outcome.stdout)["mistake"] == mistake.slug


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("nope.nothing", "x = 1", "did you mean|there are"),
        (FIRST.id, "def something_else():\n    pass\n", "does not define"),
        (FIRST.id, "def broken(:\n", "not valid Python"),
        (FIRST.id, f"{FIRST.name} = 1\nraise OSError('no')", "raises OSError"),
        (FIRST.id, f"def {FIRST.name}(): pass\nimport os\nos._exit(0)", "ends its process"),
    ],
)
def test_what_cannot_be_tried_exits_2_with_one_sentence(name: str, text: str, said: str, tmp_path: Path) -> None:
    outcome = run(app, ["try", name, _write(tmp_path, text)])
    assert outcome.exit_code == 2
    assert any(part in outcome.output for part in said.split("|"))
    assert len(outcome.output.strip().splitlines()) == 1


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    outcome = run(app, ["try", FIRST.id, str(tmp_path / "none.py")])
    assert outcome.exit_code == 2
    assert "There is no file" in outcome.output


def test_an_untouched_stub_is_not_attempted(tmp_path: Path) -> None:
    stub = f"def {FIRST.name}(*args, **options):\n    raise NotImplementedError()\n"
    outcome = run(app, ["try", FIRST.id, _write(tmp_path, stub), "--json"])
    assert outcome.exit_code == 1
    assert json.loads(outcome.stdout)["stage"] == "not attempted"


def test_a_seed_repeats_the_verdict(tmp_path: Path) -> None:
    path = _write(tmp_path, mistakes_of(FIRST)[0].source)
    said = [run(app, ["try", FIRST.id, path, "--json", "--seed", "5"]).stdout for _ in range(2)]
    assert said[0] == said[1]
