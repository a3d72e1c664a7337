"""The red team against our grader: a few always, some of each kind in the slow tests, all of them in the long run."""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import Result

from embedding_course.checking.exercise import Exercise
from tests.redteam.attack import ATTACKS
from tests.redteam.ours import grade_attacks
from tests.redteam.stage import Stage
from tests.redteam.targets import TARGETS
from tests.support.faults import gone

Command = Callable[..., Result]


def _tried(tmp_path: Path, attacks: list, targets: Sequence[Exercise] = ()) -> None:
    stage = Stage(tmp_path, attacks, targets)
    stage.write()
    findings = grade_attacks(stage)
    assert {outcome.attempt.attack.name for outcome in findings} == {attack.name for attack in attacks}
    assert not [outcome.said() for outcome in findings if outcome.gained or outcome.leaked or outcome.harmed]
    gone(tmp_path)


def test_a_few(tmp_path: Path) -> None:
    """All in one notebook, which is soon set up."""
    _tried(tmp_path, ATTACKS[:: max(1, len(ATTACKS) // 6)], TARGETS[:1])


@pytest.mark.slow
def test_some_of_each_kind(tmp_path: Path) -> None:
    _tried(tmp_path, ATTACKS[:: max(1, len(ATTACKS) // 16)])


def test_without_the_checkout_a_sentence_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> None:
    monkeypatch.setattr(import_module("grader.cli.attack"), "ENGINE", tmp_path)
    outcome = command("attack", "--only", "observation")
    assert outcome.exit_code == 2
    assert outcome.output == "grader attack needs the source checkout: the red team is not installed.\n"


@pytest.mark.long
def test_all(tmp_path: Path) -> None:
    _tried(tmp_path, ATTACKS)
