"""The red team against our grader: a few of each kind always, all of them in the long run."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.faults import gone

from grader.quality.attack.attack import ATTACKS
from grader.quality.attack.ours import grade_attacks, grade_honest
from grader.quality.attack.stage import Stage


def _tried(tmp_path: Path, attacks: list) -> None:
    stage = Stage(tmp_path, attacks)
    stage.write()
    findings = grade_attacks(stage)
    assert {one.attempt.attack.name for one in findings} == {one.name for one in attacks}
    assert not [one.said() for one in findings if one.gained or one.leaked or one.harmed]
    gone(tmp_path)


@pytest.mark.parametrize("count", [6, pytest.param(16, marks=pytest.mark.slow)])
def test_some_of_each_kind(tmp_path: Path, count: int) -> None:
    _tried(tmp_path, ATTACKS[:: max(1, len(ATTACKS) // count)])


@pytest.mark.long
def test_all(tmp_path: Path) -> None:
    _tried(tmp_path, ATTACKS)


@pytest.mark.long
def test_no_honest_variant_loses_a_mark() -> None:
    assert [(name, lost) for name, lost in grade_honest() if lost] == []
