"""The answers of a class as they were marked, and the most typical one of several."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from embedding_course.subject.lessons import lesson

from ..classroom.class_folder import Classroom, Submission
from ..submission.own_definition import definition_in, shape_of, without_comments
from ..submission.read import marked_answers

#: A longer answer is no example to show.
_MAX_CHARACTERS = 6000


@dataclass(frozen=True)
class Typical:
    """The most typical of several answers: whose it is, its code, and how many wrote the same but for names and layout."""

    student: str
    code: str
    alike: int


class Answers:
    """What `autograded/` holds of a class's answers, read when somebody asks."""

    def __init__(self, classroom: Classroom) -> None:
        self._room = classroom
        self._cells = cache(self._read)

    def code(self, student: str, exercise: str) -> str:
        """Return the definition that answers an exercise, without docstring and comments; empty if there is none to show."""
        number, name = exercise.split(".")
        source = self._cells(student, lesson(number).topic).get(f"{number}-{name}", "")
        definition = definition_in(source, name)
        try:
            return without_comments(definition.text) if definition and len(definition.text) <= _MAX_CHARACTERS else ""
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # code made to be hard to read
            return ""

    def typical(self, students: Iterable[str], exercise: str) -> Typical | None:
        """Return the answer of these students whose syntax tree most of them share, else the shortest; None without any."""
        by_shape: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
        for student in students:
            code = self.code(student, exercise)
            if code:
                by_shape[_shape(code)].append((len(code), student, code))
        if not by_shape:
            return None
        counts = Counter({shape: len(answers) for shape, answers in by_shape.items()})
        shape = min(by_shape, key=lambda candidate: (-counts[candidate], min(by_shape[candidate])))
        _, student, code = min(by_shape[shape])
        return Typical(student, code, counts[shape])

    def _read(self, student: str, topic: str) -> dict[str, str]:
        return marked_answers(self._room.autograded(Submission(student, topic, self._room.submitted / student / topic)))


def _shape(code: str) -> str:
    try:
        return shape_of(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code
