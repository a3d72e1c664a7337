"""The written answers of a class, read from the graded notebooks; a file that did not change is read once."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from embedding_course.checking.intake.stubs import own_text
from embedding_course.exercises.index import entries_of

from ...classroom import records
from ...classroom.class_folder import Classroom, Submission
from ...classroom.policy.course import Course
from ...feedback.own_cells import Written, read_own
from .groups import groups_of


@dataclass(frozen=True)
class Answers:
    """All answers to one question by student; who wrote nothing has an empty one."""

    question: str
    texts: Mapping[str, str]


def questions_of(classroom: Classroom, course: Course) -> list[tuple[str, str]]:
    """Return notebook and cell of each written question that somebody of the class has met."""
    questions: dict[tuple[str, str], None] = {}
    for topic in course.topics:
        for record in records.load_topic(classroom.home, topic):
            questions |= dict.fromkeys((topic, cell) for cell in record.written)
    return list(questions)


class AnswerReader:
    """Read the answers of a class, and group them."""

    def __init__(self, classroom: Classroom) -> None:
        self._classroom = classroom
        self._lock = threading.Lock()
        self._written: dict[Path, tuple[tuple[int, int], tuple[Written, ...]]] = {}
        self._groups: dict[tuple[str, str], tuple[dict[str, str], list[list[str]]]] = {}

    def students(self, topic: str) -> list[str]:
        """Return all students with a graded notebook, by name."""
        return sorted(path.stem for path in records.files(self._classroom.home, topic))

    def answers(self, topic: str, cell: str) -> Answers:
        """Return a question and all answers to it."""
        question, texts = "", {}
        for student in self.students(topic):
            written = self._of(student, topic, cell)
            question = question or (written.question if written else "")
            answer = own_text(written.answer) if written else self._missing(student, topic, cell)
            if answer is not None:
                texts[student] = answer
        return Answers(question, texts)

    def text(self, topic: str, cell: str, student: str) -> str:
        """Return one answer, empty if the student wrote none."""
        written = self._of(student, topic, cell)
        return own_text(written.answer) if written else self._missing(student, topic, cell) or ""

    def _missing(self, student: str, topic: str, cell: str) -> str | None:
        """Return what stands in place of an answer whose notebook is gone; None if there was none that could be marked."""
        record = records.load(self._classroom.home, topic, student)
        if record is None or cell not in record.written:
            return None  # such as a file that cannot be read
        if not record.written[cell]:
            return ""
        return f"*The graded notebook of this answer is missing. `grader grade {topic[:2]} --force` writes it again.*"

    def groups(self, topic: str, cell: str, texts: Mapping[str, str]) -> list[list[str]]:
        """Return the answers in groups of like ones, computed anew where an answer changed."""
        with self._lock:
            known = self._groups.get((topic, cell))
            if known is None or known[0] != texts:
                known = self._groups[topic, cell] = (dict(texts), groups_of(texts))
            return known[1]

    def _of(self, student: str, topic: str, cell: str) -> Written | None:
        path = self._classroom.autograded(Submission(student, topic, self._classroom.submitted / student / topic))
        try:
            facts = path.stat()
        except OSError:
            return None
        stamp = (facts.st_mtime_ns, facts.st_size)
        known = self._written.get(path)
        if known is None or known[0] != stamp:
            solutions = {exercise.grade_id for exercise in entries_of(topic)}
            known = self._written[path] = (stamp, read_own(path, solutions).written)
        return next((written for written in known[1] if written.grade_id == cell), None)
