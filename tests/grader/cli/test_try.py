"""`grader try`: any file through the hidden check."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from embedding_course.exercises import known
from grader.course_source.catalogue import mistakes_of, reference_source

Command = Callable[..., Result]
FIRST = next(iter(known().values()))


def _write(folder: Path, text: str) -> str:
    path = folder / "answer.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_right_exits_0_and_the_json_follows_the_schema(tmp_path: Path, command: Command) -> None:
    outcome = command("try", FIRST.id, _write(tmp_path, reference_source(FIRST)), "--json")
    assert outcome.exit_code == 0, outcome.output
    result = json.loads(outcome.stdout)
    assert result["exercise"] == FIRST.id
    assert result["passed"] is True
    assert result["score"] == result["max_score"] == FIRST.points
    assert result["mistake"] is None
    assert {"stage", "criteria", "message", "seed", "versions"} <= set(result)


def test_wrong_exits_1_and_is_named(tmp_path: Path, command: Command) -> None:
    mistake = mistakes_of(FIRST)[0]
    outcome = command("try", FIRST.id, _write(tmp_path, mistake.source), "--json")
    assert outcome.exit_code == 1
    assert json.loads(outcome.stdout)["mistake"] == mistake.slug


@pytest.mark.parametrize(
    ("name", "text", "messages"),
    [
        ("nope.nothing", "x = 1", "did you mean|there are"),
        (FIRST.id, "def something_else():\n    pass\n", "does not define"),
        (FIRST.id, "def broken(:\n", "not valid Python"),
        (FIRST.id, f"{FIRST.name} = 1\nraise OSError('no')", "raises OSError"),
        (FIRST.id, f"def {FIRST.name}(): pass\nimport os\nos._exit(0)", "ends its process"),
    ],
)
def test_what_cannot_be_tried_exits_2_with_one_sentence(
    name: str, text: str, messages: str, tmp_path: Path, command: Command
) -> None:
    outcome = command("try", name, _write(tmp_path, text))
    assert outcome.exit_code == 2
    assert any(part in outcome.output for part in messages.split("|"))
    assert len(outcome.output.strip().splitlines()) == 1


def test_a_missing_file_is_said(tmp_path: Path, command: Command) -> None:
    outcome = command("try", FIRST.id, tmp_path / "none.py")
    assert outcome.exit_code == 2
    assert "There is no file" in outcome.output


def test_an_untouched_stub_is_not_attempted(tmp_path: Path, command: Command) -> None:
    stub = f"def {FIRST.name}(*args, **options):\n    raise NotImplementedError()\n"
    outcome = command("try", FIRST.id, _write(tmp_path, stub), "--json")
    assert outcome.exit_code == 1
    assert json.loads(outcome.stdout)["stage"] == "not attempted"


def test_a_seed_repeats_the_verdict(tmp_path: Path, command: Command) -> None:
    path = _write(tmp_path, mistakes_of(FIRST)[0].source)
    outputs = [command("try", FIRST.id, path, "--json", "--seed", "5").stdout for _ in range(2)]
    assert outputs[0] == outputs[1]


def test_a_folder_is_tried_in_one_start_with_a_line_for_each_file_and_seed(tmp_path: Path, command: Command) -> None:
    wrong = mistakes_of(FIRST)[0]
    folder = tmp_path / "answers" / FIRST.id
    folder.mkdir(parents=True)
    for name, text in (("a_right", reference_source(FIRST)), ("b_wrong", wrong.source), ("c_broken", "def broken(:\n")):
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    outcome = command("try", tmp_path / "answers", "--json", "--seeds", "2", "--seed", "5")
    assert outcome.exit_code == 1, outcome.output
    lines = [json.loads(line) for line in outcome.stdout.splitlines()]
    assert [(Path(line["file"]).stem, line["seed"]) for line in lines] == [
        (name, seed) for name in ("a_right", "b_wrong", "c_broken") for seed in (5, 6)
    ]
    assert [line.get("passed") for line in lines] == [True, True, False, False, None, None]
    assert lines[2]["mistake"] == wrong.slug and "not valid Python" in lines[4]["error"]


@pytest.mark.parametrize(("folder", "message"), [("nothing here", "no folder"), ("", "holds no answers")])
def test_a_folder_without_answers_exits_2(folder: str, message: str, tmp_path: Path, command: Command) -> None:
    outcome = command("try", tmp_path / folder)
    assert outcome.exit_code == 2 and message in outcome.output
