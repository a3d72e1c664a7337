"""What the marking page and scripts ask for: questions, answers in groups, marks, and the rubric, as plain data."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from embedding_course.subject.lessons import lesson

from ...classroom import records
from ...classroom.class_folder import Classroom
from ...classroom.policy.course import Course, load_course, people_of
from ...classroom.policy.marking import marker_of, second_sample
from ...classroom.policy.rubrics import misfit, rubric_for
from ...classroom.pseudonyms import Key
from ...classroom.sections import section_of
from ...errors import UserError
from . import shared
from .answers import AnswerReader, questions_of
from .desk import Desk, Outdated
from .gradebook_cells import Entered
from .mark import Draft, Item, Mark, digest_of_text
from .second import Pair, agreement, pairs_of, save_second


class Marking:
    """The written answers of a class, as the page needs them.

    Where the class says so (`[marking] names = false`), students are called by pseudonyms, and names never leave this object.

    Parameters
    ----------
    home : Path
        The folder of the class.
    db : str, optional
        Address of the gradebook, if it is not gradebook.db of the class.
    """

    def __init__(self, home: Path, db: str = "") -> None:
        self.classroom = Classroom(home.resolve(), db)
        self.reader = AnswerReader(self.classroom)
        self._desks: dict[tuple[str, str], Desk] = {}
        self._lock = threading.Lock()

    @property
    def course(self) -> Course:
        """Return course.toml as it is now."""
        return load_course(self.classroom.home)

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
        with self._lock:
            if (topic, cell) not in self._desks:
                if (topic, cell) not in questions_of(self.classroom, self.course):
                    raise UserError(f"Nobody in this class has a written answer {cell} in {topic}.")
                self._desks[topic, cell] = Desk(self.classroom.db_url, topic, cell)
            return self._desks[topic, cell]

    def questions(self) -> list[dict[str, Any]]:
        """Return all questions with the numbers of answers and of marks, each with the rubric that holds now."""
        course, listed = self.course, []
        for topic, cell in questions_of(self.classroom, course):
            written = [record.written.get(cell) for record in records.load_topic(self.classroom.home, topic)]
            desk = self.desk(topic, cell)
            desk.begin(*rubric_for(course.rubrics, topic, desk.most()))
            title = f"{lesson(topic[:2]).number} · {lesson(topic[:2]).title}"
            counts = {"answers": sum(map(bool, written)), "blank": written.count(False), "marked": len(desk.marks())}
            listed.append({"topic": topic, "cell": cell, "title": title, **counts})
        return listed

    def question(self, topic: str, cell: str, author: str = "", texts: bool = True) -> dict[str, Any]:
        """Return a question with its rubric, its answers in groups, and their marks, as one person may see them.

        Parameters
        ----------
        topic, cell : str
        author : str, optional
            Who looks: a first mark is hidden from whoever may give the second one.
        texts : bool, optional
            False leaves out question and answers, for a page that has them.
        """
        desk, course = self.desk(topic, cell), self.course
        most = desk.most()
        lines, source = rubric_for(course.rubrics, topic, most)
        offered = source if desk.begin(lines, source) else ""
        answers = self.reader.answers(topic, cell)
        students, people = self._by_name(course, answers.texts), people_of(course)
        sections = section_of(people)
        names = {person.id: person.full_name for person in people.people} if course.names_shown else {}
        groups = self.reader.groups(topic, cell, {name: answers.texts[student] for name, student in students.items()})
        marks, entered, opened = desk.marks(), desk.entered(), shared.open_answers(desk)
        pairs, told = pairs_of(desk), shared.allotted(desk)
        rubric = desk.rubric()
        sample = self._sample(desk, course, answers.texts)

        def data(name: str, group: int) -> dict[str, Any]:
            student = students[name]
            text, pair = answers.texts[student], pairs.get(student)
            own = told.get(student)
            if own is None:
                own = marker_of(course.allotments, topic, student, sections.get(student, ""))
            blind = student in sample and _blind(marks.get(student), pair, author)
            facts = {"student": name, "group": group, "marker": own, "opened": opened.get(student, []), "blind": blind}
            facts |= {"section": sections.get(student, ""), "called": names.get(student, "")}
            if texts:
                facts["text"] = text
            if blind:
                return {**facts, **_state(None, Entered(), None, text)}
            return {**facts, **_state(marks.get(student), entered.get(student, Entered()), pair, text)}

        agreed = agreement(pairs)
        named = {name for allotment in course.allotments for name in allotment.markers}
        return {
            "topic": topic,
            "cell": cell,
            "question": answers.question if texts else "",
            "most": most,
            "rubric": [asdict(item) for item in rubric],
            "rubric_from": desk.rubric_from(),
            "rubric_note": misfit([item.points for item in rubric], most),
            "offered": offered,
            "comments": shared.kept_comments(desk),
            "markers": sorted((named | set(told.values()) | {mark.author for mark in marks.values()}) - {""}),
            "agreement": asdict(agreed) if agreed else None,
            "answers": [data(name, number) for number, group in enumerate(groups) for name in group],
        }

    def save(
        self, topic: str, cell: str, name: str, draft: Draft, author: str, seen: int, seen_change: int = 0
    ) -> dict[str, Any]:
        """Mark one answer and return its state. Who was not shown the first mark gives the second one.

        Raises
        ------
        Outdated
            If somebody marked it since; `outdated_data` gives what that was.
        """
        student, desk = self.student(name, topic), self.desk(topic, cell)
        text = self.reader.text(topic, cell, student)
        if not seen and self._hidden(topic, cell, student, author):
            save_second(desk, student, draft, author, text)
            return self._state_of(desk, student, text)
        desk.save(student, draft, author, seen, text, seen_change)
        return self._state_of(desk, student, text)

    def outdated_data(self, topic: str, cell: str, name: str, outdated: Outdated) -> dict[str, Any]:
        """Return the state of an answer that somebody else marked."""
        text = self.reader.text(topic, cell, self.student(name, topic))
        return _state(outdated.current, outdated.entered, None, text)

    def set_rubric(
        self, topic: str, cell: str, items: Sequence[Mapping[str, Any]], seen: Sequence[Mapping[str, Any]] | None = None
    ) -> None:
        """Replace the rubric of a question; raise RubricError if it is not the one that the page has seen."""
        self.desk(topic, cell).set_rubric(_items(items), None if seen is None else _items(seen))

    def take_rubric(self, topic: str, cell: str) -> None:
        """Replace the rubric of a question by that of course.toml or, without one, of the lesson."""
        desk = self.desk(topic, cell)
        desk.take(*rubric_for(self.course.rubrics, topic, desk.most()))

    def look_at(self, topic: str, cell: str, name: str, author: str) -> list[str]:
        """Note that a person has an answer open, and return who else has."""
        return shared.look_at(self.desk(topic, cell), self.student(name, topic), author)

    def allot(self, topic: str, cell: str, names: Sequence[str], marker: str) -> None:
        """Give answers to a person."""
        shared.allot(self.desk(topic, cell), [self.student(name, topic) for name in names], marker)

    def history(self, topic: str, cell: str, name: str, author: str = "") -> list[dict[str, Any]]:
        """Return all that was marked or entered for an answer, the oldest first; nothing to whom the first mark is hidden."""
        student, desk = self.student(name, topic), self.desk(topic, cell)
        if self._hidden(topic, cell, student, author):
            return []
        text, pair = self.reader.text(topic, cell, student), pairs_of(desk).get(student)
        with desk.transaction() as connection:
            changes = desk.cells.changes_of(connection, student)
        lines: list[dict[str, Any]] = [_mark_data(mark, text) | {"kind": "mark"} for mark in desk.history(student)]
        lines += [_mark_data(pair.second, text) | {"kind": "second"}] if pair else []
        lines += [{"kind": row["kind"], "before": row["before"], "after": row["after"], "at": row["at"]} for row in changes]
        return sorted(lines, key=lambda line: line["at"])

    def student(self, name: str, topic: str) -> str:
        """Return the student whom the page calls by this name; raise UserError if there is none."""
        found = self._by_name(self.course, self.reader.students(topic)).get(name)
        if found is None:
            raise UserError(f"There is no {name} with a graded {topic} in this class.")
        return found

    def _by_name(self, course: Course, students: Collection[str]) -> dict[str, str]:
        """Return the students by what the page calls them, as the class wants it now."""
        if course.names_shown:
            return {student: student for student in students}
        key = Key(self.classroom.home)
        key.learn(students)
        return {key.pseudonym(student): student for student in students}

    def _sample(self, desk: Desk, course: Course, texts: Mapping[str, str]) -> set[str]:
        """Return the students whose answers a second person marks."""
        if not course.second_share:
            return set()
        return second_sample([student for student, text in texts.items() if text.strip()], course.second_share, desk.seed())

    def _hidden(self, topic: str, cell: str, student: str, author: str) -> bool:
        """Return True if the first mark of an answer is hidden from a person, who may give the second one."""
        desk = self.desk(topic, cell)
        if not _blind(desk.marks().get(student), pairs_of(desk).get(student), author):
            return False
        return student in self._sample(desk, self.course, self.reader.answers(topic, cell).texts)

    def _state_of(self, desk: Desk, student: str, text: str) -> dict[str, Any]:
        entered = desk.entered().get(student, Entered())
        return _state(desk.marks().get(student), entered, pairs_of(desk).get(student), text)


def _items(rows: Sequence[Mapping[str, Any]]) -> list[Item]:
    return [Item(int(row.get("id") or 0), str(row["text"]), float(row["points"])) for row in rows]


def _blind(first: Mark | None, pair: Pair | None, author: str) -> bool:
    """Return True if a first mark is hidden from a person, who may give the second one."""
    return first is not None and pair is None and first.author != author


def _state(mark: Mark | None, entered: Entered, pair: Pair | None, text: str) -> dict[str, Any]:
    """Return the marks of an answer, and what the gradebook holds if it is something else."""
    ours = (mark.points, mark.draft.comment) if mark else (None, "")
    elsewhere = None
    if (entered.points, entered.comment) != ours:
        elsewhere = {"points": entered.points, "comment": entered.comment, "at": entered.at}
    compared = ("settled" if pair.settled else "differs" if pair.differs else "equal") if pair else ""
    return {
        "mark": _mark_data(mark, text) if mark else None,
        "change": entered.change,
        "elsewhere": elsewhere,
        "second": _mark_data(pair.second, text) if pair else None,
        "first": _mark_data(pair.first, text) if pair else None,
        "compared": compared,
    }


def _mark_data(mark: Mark, text: str) -> dict[str, Any]:
    return {
        "version": mark.version,
        "items": list(mark.draft.items),
        "adjustment": mark.draft.adjustment,
        "comment": mark.draft.comment,
        "points": mark.points,
        "author": mark.author,
        "at": mark.at,
        "other_text": mark.answer != digest_of_text(text),
    }
