"""Honest but odd notebooks over all ten lessons: each was green when its learner ran it, and loses no mark."""

import json
import os
import subprocess
import sys

import pytest

from embedding_course.subject.lessons import LESSONS
from grader.engine.fork_server import Learners
from grader.paths import ROOT
from tests.redteam.odd_notebooks import Odd
from tests.redteam.ours import ODD, lost_by

NUMBERS = [lesson.number for lesson in LESSONS if lesson.written]
#: `make test-slow` grades every fourth; `make test-all` and `make attack` grade all of them.
ONE_IN = 4


def test_there_are_some_in_every_lesson_and_no_name_twice() -> None:
    assert len(ODD) >= 100 and all(sum(odd.number == number for odd in ODD) >= 8 for number in NUMBERS)
    assert len({odd.name for odd in ODD}) == len(ODD)


@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=pytest.mark.slow if number == "02" else pytest.mark.long) for number in NUMBERS]
)
def test_each_was_green_when_it_ran(number: str) -> None:
    """Run from top to bottom, every public check is green where it stands or at the end: what is odd is honest."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    words = [sys.executable, "-m", "tests.support.in_order", number]
    done = subprocess.run(words, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    failures = dict(json.loads(line) for line in done.stdout.splitlines())
    assert len(failures) == sum(odd.number == number for odd in ODD)
    assert not {name: red for name, red in failures.items() if red}


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(
            odd, id=f"{odd.number}-{odd.name.replace(' ', '-')}", marks=pytest.mark.long if i % ONE_IN else pytest.mark.slow
        )
        for i, odd in enumerate(ODD)
    ],
)
def test_no_mark_is_lost(odd: Odd, learners: Learners) -> None:
    assert not lost_by(learners, odd)
