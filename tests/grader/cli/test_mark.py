"""`grader mark` where there is nothing to mark: one sentence, and no gradebook is made."""

from pathlib import Path

from typer.testing import CliRunner

from grader.cli import app


def test_without_a_written_answer_it_says_what_comes_first(tmp_path: Path) -> None:
    outcome = CliRunner().invoke(app, ["mark", "--class", str(tmp_path), "--no-browser"])
    assert outcome.exit_code != 0 and "run grader grade first" in str(outcome.output) + str(outcome.exception)
    assert list(tmp_path.iterdir()) == []
