"""The red team against our grader: a few always, some of each kind in the slow tests, all of them in the long run."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from embedding_course.checking.exercise import Exercise
from tests.redteam.attack import ATTACKS
from tests.redteam.ours import grade_attacks, grade_honest
from tests.redteam.stage import Stage
from tests.redteam.targets import TARGETS
from tests.support.faults import gone


def _tried(tmp_path: Path, attacks: list, targets: Sequence[Exercise] = ()) -> None:
    stage = Stage(tmp_path, attacks, targets)
    stage.write()
    findings = grade_attacks(stage)
    assert {one.attempt.attack.name for one in findings} == {one.name for one in attacks}
    assert not [one.said() for one in findings if one.gained or one.leaked or one.harmed]
    gone(tmp_path)


def test_a_few(tmp_path: Path) -> None:
    """All in one notebook, which is soon set up."""
    _tried(tmp_path, ATTACKS[:: max(1, len(ATTACKS) // 6)], TARGETS[:1])


@pytest.mark.slow
def test_some_of_each_kind(tmp_path: Path) -> None:
    _tried(tmp_path, ATTACKS[:: max(1, len(ATTACKS) // 16)])


@pytest.mark.long
def test_all(tmp_path: Path) -> None:
    _tried(tmp_path, ATTACKS)


@pytest.mark.long
def test_no_honest_variant_loses_a_mark() -> None:
    assert [(name, lost) for name, lost in grade_honest() if lost] == []
