"""Scores above a notebook's maximum, which extra credit makes: kept, capped or scaled, by the instructor's choice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from embedding_course.checking.result import number

if TYPE_CHECKING:  # which brings nbgrader
    from .grades import Grade, Student

CHOICES = ("keep", "cap", "scale")


def settle_above(students: Sequence[Student], topics: Iterable[str], choice: str) -> list[str]:
    """Change grades above the maximum of a notebook, and return notes on what was changed.

    Parameters
    ----------
    students : sequence of Student
        Students whose grades are changed in place.
    topics : iterable of str
        Names of the notebooks.
    choice : str
        "cap" cuts each grade to the maximum. "scale" makes the highest score the maximum and multiplies every other score by
        the same factor. "keep" changes nothing.
    """
    if choice == "keep":
        return []
    return [
        note for topic in topics for note in (_cap if choice == "cap" else _scale)(_above(students, topic), students, topic)
    ]


def _above(students: Sequence[Student], topic: str) -> list[Student]:
    return [student for student in students if topic in student.grades and _share(student.grades[topic]) > 1.0 + 1e-9]


def _share(grade: Grade) -> float:
    return grade.score / grade.most if grade.most > 0 else 0.0


def _cap(above: Sequence[Student], _: Sequence[Student], topic: str) -> list[str]:
    lines = [f"{student.id} {number(student.grades[topic].score)} → {number(student.grades[topic].most)}" for student in above]
    for student in above:
        student.grades[topic] = replace(student.grades[topic], counted=student.grades[topic].most)
    return [f"{topic}: capped at the maximum: {', '.join(lines)}. --above keep or scale does otherwise."] if lines else []


def _scale(above: Sequence[Student], students: Sequence[Student], topic: str) -> list[str]:
    if not above:
        return []
    best = max(above, key=lambda student: _share(student.grades[topic])).grades[topic]
    factor, changes = best.most / best.score, []
    for student in students:
        grade = student.grades.get(topic)
        if grade is not None and grade.score:
            student.grades[topic] = replace(grade, counted=grade.score * factor)
            changes.append(f"{student.id} {number(grade.score)} → {number(student.grades[topic].score)}")
    return [f"{topic}: scaled by {factor:.4f}, so that the highest is the maximum: {', '.join(changes)}."]
