"""What the marking page and scripts ask for: questions, answers in groups, marks, and the rubric, as plain data."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from embedding_course.exercises.index import entries_of
from embedding_course.subject.lessons import lesson

from ...classroom import records
from ...classroom.class_folder import Classroom, Submission
from ...classroom.policy.course import Course, load_course
from ...classroom.pseudonyms import Key
from ...errors import UserError
from ...feedback.own_cells import read_own
from .desk import Desk, Draft, Item, Mark, Outdated, digest_of_text
from .groups import groups_of


@dataclass(frozen=True)
class Answer:
    """A student's written answer to one question."""

    student: str
    text: str


def answers_to(classroom: Classroom, topic: str, cell: str) -> tuple[str, list[Answer]]:
    """Return a question and all answers to it, by student; a student whose answer is missing has an empty one."""
    solutions = {exercise.grade_id for exercise in entries_of(topic)}
    question, answers = "", []
    for path in records.files(classroom.home, topic):
        student = path.stem
        own = read_own(classroom.autograded(Submission(student, topic, classroom.submitted / student / topic)), solutions)
        written = next((written for written in own.written if written.grade_id == cell), None)
        question = question or (written.question if written else "")
        answers.append(Answer(student, written.answer if written else ""))
    return question, answers


def questions_of(classroom: Classroom, course: Course) -> list[tuple[str, str]]:
    """Return notebook and cell of each written question that somebody of the class has met."""
    questions: dict[tuple[str, str], None] = {}
    for topic in course.topics:
        for record in records.load_topic(classroom.home, topic):
            questions |= dict.fromkeys((topic, cell) for cell in record.written)
    return list(questions)


class Marking:
    """The written answers of a class, as the page needs them.

    Where the class says so (`[marking] names = false`), students are called by pseudonyms, and names never leave this object.
    """

    def __init__(self, home: Path, db: str = "") -> None:
        self.classroom = Classroom(home.resolve(), db)
        self.course = load_course(self.classroom.home)
        self._desks: dict[tuple[str, str], Desk] = {}
        self._lock = threading.Lock()
        self._key = None if self.course.names_shown else Key(self.classroom.home)

    def close(self) -> None:
        """Close all connections to the gradebook."""
        for desk in self._desks.values():
            desk.close()

    def desk(self, topic: str, cell: str) -> Desk:
        """Return the desk of a question, which is opened once.

        Raises
        ------
        UserError
            If nobody of the class has met such a question.
        """
        if (topic, cell) not in questions_of(self.classroom, self.course):
            raise UserError(f"Nobody in this class has a written answer {cell} in {topic}.")
        with self._lock:
            if (topic, cell) not in self._desks:
                self._desks[topic, cell] = Desk(self.classroom.db_url, topic, cell)
            return self._desks[topic, cell]

    def questions(self) -> list[dict[str, Any]]:
        """Return all questions with the numbers of answers and of marks."""
        listed = []
        for topic, cell in questions_of(self.classroom, self.course):
            written = [record.written.get(cell) for record in records.load_topic(self.classroom.home, topic)]
            marks = self.desk(topic, cell).marks()
            title = f"{lesson(topic[:2]).number} · {lesson(topic[:2]).title}"
            counts = {"answers": sum(map(bool, written)), "blank": written.count(False), "marked": len(marks)}
            listed.append({"topic": topic, "cell": cell, "title": title, **counts})
        return listed

    def question(self, topic: str, cell: str) -> dict[str, Any]:
        """Return a question with its rubric, its answers in groups, and their marks."""
        desk = self.desk(topic, cell)
        text, answers = answers_to(self.classroom, topic, cell)
        by_student = {answer.student: answer.text for answer in answers}
        if self._key is not None:
            self._key.learn(by_student)
        marks, opened = desk.marks(), desk.open_answers()
        order = groups_of(by_student)
        return {
            "topic": topic,
            "cell": cell,
            "question": text,
            "most": desk.most(),
            "rubric": [asdict(item) for item in desk.rubric()],
            "answers": [
                {
                    "student": self.name(student),
                    "group": number,
                    "text": by_student[student],
                    "mark": _mark_data(marks.get(student), by_student[student]),
                    "opened": opened.get(student, []),
                }
                for number, group in enumerate(order)
                for student in group
            ],
        }

    def save(self, topic: str, cell: str, name: str, draft: Draft, author: str, seen: int) -> dict[str, Any]:
        """Mark one answer and return its mark.

        Raises
        ------
        Outdated
            If somebody marked it since; `data_of` gives what that was.
        """
        student = self.student(name, topic)
        text = self._text(topic, cell, student)
        data = _mark_data(self.desk(topic, cell).save(student, draft, author, seen, text), text)
        assert data is not None
        return data

    def data_of(self, topic: str, cell: str, name: str, outdated: Outdated) -> dict[str, Any] | None:
        """Return the mark that somebody else gave."""
        return _mark_data(outdated.current, self._text(topic, cell, self.student(name, topic)))

    def set_rubric(self, topic: str, cell: str, items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Replace the rubric of a question."""
        wanted = [Item(int(item.get("id") or 0), str(item["text"]), float(item["points"])) for item in items]
        return [asdict(item) for item in self.desk(topic, cell).set_rubric(wanted)]

    def look_at(self, topic: str, cell: str, name: str, author: str) -> list[str]:
        """Note that a person has an answer open, and return who else has."""
        return self.desk(topic, cell).look_at(self.student(name, topic), author)

    def history(self, topic: str, cell: str, name: str) -> list[dict[str, Any] | None]:
        """Return all marks of an answer, the oldest first."""
        student = self.student(name, topic)
        text = self._text(topic, cell, student)
        return [_mark_data(mark, text) for mark in self.desk(topic, cell).history(student)]

    def name(self, student: str) -> str:
        """Return how the page calls a student."""
        return student if self._key is None else self._key.pseudonym(student)

    def student(self, name: str, topic: str) -> str:
        """Return the student whom the page calls by this name.

        Raises
        ------
        UserError
            If there is no such student.
        """
        students = [path.stem for path in records.files(self.classroom.home, topic)]
        if self._key is not None:
            self._key.learn(students)
        found = next((student for student in students if self.name(student) == name), None)
        if found is None:
            raise UserError(f"There is no {name} with a graded {topic} in this class.")
        return found

    def _text(self, topic: str, cell: str, student: str) -> str:
        solutions = {exercise.grade_id for exercise in entries_of(topic)}
        own = read_own(
            self.classroom.autograded(Submission(student, topic, self.classroom.submitted / student / topic)), solutions
        )
        return next((written.answer for written in own.written if written.grade_id == cell), "")


def _mark_data(mark: Mark | None, text: str) -> dict[str, Any] | None:
    if mark is None:
        return None
    return {
        "version": mark.version,
        "items": list(mark.draft.items),
        "adjustment": mark.draft.adjustment,
        "comment": mark.draft.comment,
        "points": mark.points,
        "author": mark.author,
        "at": mark.at,
        "elsewhere": mark.elsewhere,
        "other_text": mark.answer != digest_of_text(text),
    }
