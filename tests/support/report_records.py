"""Records of a class, made by hand: what a report is counted from."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from embedding_course.checking.judge import stopped
from embedding_course.checking.result import CriterionResult, Result
from embedding_course.exercises import exercises_of, find_exercise
from grader.classroom.grade_record import GradeRecord

TOPIC = "03_max_norm"
#: Names of students that stand nowhere else.
NAMES = [f"Xq{letter}{place}name" for place, letter in enumerate("abcdefghijklmnopqrstuvwx")]


def result(
    name: str,
    share: float,
    mistake: str | None = None,
    status: str = "",
    computed: str = "",
    failed: Sequence[str] = ("a row",),
) -> Result:
    """The verdict on an answer that earned this share of an exercise's points."""
    exercise = find_exercise(name)
    final_status = status or ("passed" if share == 1 else "partly" if share else "wrong")
    base = stopped(exercise, "wrong", "values", "It is not the expected tensor.")
    first, *others = base.criteria
    kept = CriterionResult(first.name, first.says, first.points, 0.0, share == 1, 2, [] if share == 1 else list(failed))
    return msgspec.structs.replace(
        base,
        status=final_status,
        passed=share == 1,
        score=share * exercise.points,
        mistake=mistake,
        computed=computed,
        diagnosis=f"What {mistake} does." if mistake else "",
        next_step="Try `this`." if mistake else "",
        case=failed[0] if share < 1 and final_status in ("wrong", "partly") else "",
        criteria=[kept, *others],
    )


def record(student: str, results: Sequence[Result] = (), topic: str = TOPIC, **more: object) -> GradeRecord:
    """A graded submission, unless `more` says otherwise."""
    facts = {"status": "graded", "seed": 1, "submission": "a" * 64, "graded_at": "2026-03-01T10:00:00+00:00", **more}
    return GradeRecord(student=student, topic=topic, results=list(results), **facts)  # type: ignore[arg-type]


def share_of(student: str, share: float, topic: str = TOPIC, **more: object) -> GradeRecord:
    """A submission that earned this share of the points in every exercise."""
    return record(student, [result(exercise.id, share) for exercise in exercises_of(topic)], topic, **more)


def autograded(home: Path, student: str, answers: Mapping[str, str], topic: str = TOPIC) -> Path:
    """Put a graded notebook with these answers, by exercise, where a class keeps it."""
    cells = [
        {
            "cell_type": "code",
            "source": source.splitlines(keepends=True),
            "outputs": [],
            "execution_count": None,
            "metadata": {"nbgrader": {"grade_id": name.replace(".", "-"), "solution": True}},
        }
        for name, source in answers.items()
    ]
    path = home / "autograded" / student / topic / f"{topic}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")
    return path
