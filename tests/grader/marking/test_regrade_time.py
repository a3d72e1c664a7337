"""Regrading one exercise takes the time of one: what does not belong to it is not run, and endless loops are not met again."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from nbformat.notebooknode import NotebookNode

from embedding_course.checking.exercise import Exercise
from embedding_course.exercises import exercises_of, find_exercise
from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.engine.fork_server import Learners
from grader.engine.time_budget import TimeLimits
from grader.marking import mark as marking
from grader.marking.grade_class import grade_class
from grader.marking.mark import mark
from grader.marking.regrade import regrade, sort_out
from grader.marking.run import Run
from grader.submission.rebuild import rebuild
from tests.support.classes import blank, hand_in, perfect

LOOP, USER, OTHER = (find_exercise(f"01.{name}") for name in ("merge_pair", "train_bpe", "one_hot"))
TOPIC = LOOP.lesson.topic
TIME_LIMITS = TimeLimits(cpu=1.0, clock=6.0, whole_cpu=12.0, whole_clock=18.0)


@pytest.fixture(scope="module")
def hasty() -> Iterator[Learners]:
    with Learners(topics=[TOPIC], time_limits=TIME_LIMITS) as hasty_learners:
        yield hasty_learners


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The exercises that were tried, in their order."""
    names: list[str] = []
    check = marking._Marking._check

    def noted(own: object, exercise: Exercise, *rest: object) -> object:
        names.append(exercise.name)
        return check(own, exercise, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(marking._Marking, "_check", noted)
    return names


def endless() -> NotebookNode:
    notebook = perfect(TOPIC)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == LOOP.grade_id:
            cell.source = f"def {LOOP.name}(ids, pair, new_id):\n    while True:\n        pass"
    return notebook


class Hasty:
    """The learners of all tests, with a short time limit."""

    def __init__(self, learners: Learners) -> None:
        self.level, self.how, self.runner, self.time_limits = learners.level, learners.how, learners.runner, TIME_LIMITS
        self.start = partial(learners.start, time_limits=TIME_LIMITS)


@pytest.mark.slow
def test_one_exercise_alone_has_the_verdict_that_it_has_among_all(learners: Learners, tried: list[str]) -> None:
    hasty = Hasty(learners)
    rebuilt = rebuild(blank(TOPIC), endless(), TOPIC)
    every = mark(hasty, rebuilt, TOPIC, 3).results
    assert len(tried) == len(exercises_of(TOPIC))
    verdicts = {result.exercise: result for result in every}
    assert verdicts[LOOP.id].status == "timed out" and verdicts[USER.id].passed and verdicts[USER.id].blamed == LOOP.name
    for exercise, needed in ((OTHER, [OTHER.name]), (LOOP, [LOOP.name]), (USER, [USER.name])):
        tried.clear()
        assert mark(hasty, rebuilt, TOPIC, 3, exercise.id, every).results == [verdicts[exercise.id]]
        assert tried == needed
    tried.clear()
    assert mark(hasty, rebuilt, TOPIC, 3, USER.id).results == [verdicts[USER.id]]
    assert tried == [LOOP.name, USER.name], "without an earlier verdict it is tried whether that one is wrong"


@pytest.mark.slow
def test_a_regrading_does_not_wait_for_the_loops_of_others(
    tmp_path: Path, hasty: Learners, monkeypatch: pytest.MonkeyPatch
) -> None:
    for student in ("ada", "bo"):
        hand_in(tmp_path, student, endless(), TOPIC)
    classroom = Classroom(tmp_path)
    list(grade_class(classroom, [TOPIC], Run(seed=3, workers=1, time_limits=TIME_LIMITS), hasty))
    kept = {record.student: record for record in records.load_all(tmp_path)}
    before, _ = sort_out(classroom, TOPIC)
    check, names = marking._Marking._check, tmp_path / "names"

    def noted(own: object, exercise: Exercise, *rest: object) -> object:
        with names.open("a", encoding="utf-8") as file:  # by a process of its own
            print(exercise.name, file=file)
        return check(own, exercise, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(marking._Marking, "_check", noted)
    changes = list(regrade(classroom, OTHER.id, before, Run(workers=1, time_limits=TIME_LIMITS), hasty))
    assert [change.difference for change in changes] == [0, 0]
    assert names.read_text(encoding="utf-8").split() == [OTHER.name] * 2
    for record in records.load_all(tmp_path):
        assert [result.exercise for result in record.results] == [result.exercise for result in kept[record.student].results]
        assert record.score == kept[record.student].score
