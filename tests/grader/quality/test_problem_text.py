"""`grader report-problem`: the verdict and the versions, and nothing that gives an answer away."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import Result

from embedding_course.checking.result import Result as Verdict
from embedding_course.checking.seed import storable
from embedding_course.exercises import find_exercise
from grader.course_source.catalogue import mistakes_of, reference_source
from grader.quality.problem_text import problem_text

EXERCISE = find_exercise("01.one_hot")
SECRET = "a_name_of_my_own_9173"


def _file(folder: Path, text: str) -> Path:
    path = folder / "my_answer_of_tonight.py"
    path.write_text(text, encoding="utf-8")
    return path


def _verdict(output: str) -> dict:
    (verdict_text,) = re.findall(r"```json\n(.*?)\n```", output, re.DOTALL)
    return json.loads(verdict_text)


@pytest.mark.parametrize("right", [True, False])
def test_it_holds_what_try_prints_and_not_the_answer(right: bool, tmp_path: Path, command: Callable[..., Result]) -> None:
    source = reference_source(EXERCISE) if right else mistakes_of(EXERCISE)[0].source
    path = _file(tmp_path, source)
    outcome = command("report-problem", EXERCISE.id, path)
    assert outcome.exit_code == 0, outcome.output
    verdict = _verdict(outcome.stdout)
    tried = json.loads(command("try", EXERCISE.id, path, "--json", "--seed", str(verdict["seed"])).stdout)
    assert storable(verdict) == tried and verdict["hidden"] and verdict["passed"] is right
    assert f"torch {verdict['versions']['torch']}" in outcome.stdout
    lines = [line.strip() for line in source.splitlines() if len(line.strip()) > 20]
    assert lines and not [line for line in lines if line in outcome.stdout]
    assert path.name not in outcome.stdout and str(tmp_path) not in outcome.stdout


def test_what_an_answer_says_of_hidden_inputs_does_not_come_along(tmp_path: Path, command: Callable[..., Result]) -> None:
    text = f"def one_hot(ids, num_classes):\n    raise RuntimeError('{SECRET} ' + str(ids.tolist()) + ' 12345678')\n"
    outcome = command("report-problem", EXERCISE.id, _file(tmp_path, text))
    assert outcome.exit_code == 0 and not _verdict(outcome.stdout)["passed"]
    assert SECRET not in outcome.stdout and "12345678" not in outcome.stdout
    assert not re.search(r"\[\d+, \d+", outcome.stdout), "values of a hidden input"


def test_what_cannot_be_tried_is_one_sentence(tmp_path: Path, command: Callable[..., Result]) -> None:
    outcome = command("report-problem", EXERCISE.id, tmp_path / "nothing.py")
    assert outcome.exit_code == 2 and "There is no file" in outcome.output and len(outcome.output.strip().splitlines()) == 1


def test_a_verdict_on_public_cases_is_refused(tmp_path: Path, command: Callable[..., Result]) -> None:
    outcome = command("try", EXERCISE.id, _file(tmp_path, reference_source(EXERCISE)), "--json")
    public = msgspec.structs.replace(msgspec.json.decode(outcome.stdout.encode(), type=Verdict), hidden=False)
    with pytest.raises(ValueError, match="hidden cases"):
        problem_text(public)
