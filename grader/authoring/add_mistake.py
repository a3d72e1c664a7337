"""Give a wrong answer of a class a name: append it to the catalogue of its exercise, as the student wrote it."""

import builtins
import re
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

from embedding_course.checking.compare import STAGES
from embedding_course.checking.exercise import Exercise
from embedding_course.checking.intake.statements import Statement, bound_names
from embedding_course.checking.result import Result
from embedding_course.exercises import exercises_of, find_exercise
from embedding_course.files import atomic_write
from embedding_course.subject.errors import CourseError

from ..classroom import records
from ..classroom.class_folder import Classroom, Submission
from ..course_source.catalogue_file import CannotRead, read_entries
from ..errors import UserError
from ..submission.own_definition import definition_in, without_comments
from ..submission.read import marked_answers

_SLUG = re.compile(r"[a-z][a-z0-9_]{2,59}")
_WIDTH = 126


class CannotAdd(UserError):
    """The answer cannot become an entry; the message says why, and nothing was written."""


@dataclass(frozen=True)
class Words:
    """What an instructor says of a mistake: its name, what was done, and one thing to try next."""

    slug: str
    diagnosis: str
    next_step: str


@dataclass(frozen=True)
class Addition:
    """An entry that can be added: to which file, which code, and the text that is appended."""

    exercise: str
    path: Path
    code: str
    text: str

    @property
    def place(self) -> str:
        """Return the file as one finds it in a checkout: solutions/03_max_norm/mistakes/renorm_rows.py."""
        return "/".join(self.path.parts[-4:])

    def write(self) -> None:
        """Append the entry to the file, all at once.

        Raises
        ------
        CannotAdd
            If the file could not be read with the entry, or if its other entries would not read as before.
        """
        before = self.path.read_bytes()
        body = before + (b"" if before.endswith(b"\n") else b"\n") + self.text.encode("utf-8")
        with tempfile.TemporaryDirectory() as folder:
            trial = Path(folder) / self.path.name
            trial.write_bytes(body)
            try:
                old, new = read_entries(self.path), read_entries(trial)
            except CannotRead as error:
                raise CannotAdd(f"With this entry {self.path.name} could not be read: {error}") from None
        if new[:-1] != old:
            raise CannotAdd(f"With this entry {self.path.name} would not read as before; write it by hand.")
        atomic_write(self.path, body)


def addition(classroom: Classroom, exercise_id: str, student: str, words: Words, solutions: Path) -> Addition:
    """Return the catalogue entry for the answer of a student of a class.

    Parameters
    ----------
    classroom : Classroom
    exercise_id : str
    student : str
        Id of the student who gave the answer.
    words : Words
        Name, diagnosis and next step of the new entry.
    solutions : Path
        Folder solutions/ of a checkout of the course.

    Raises
    ------
    CannotAdd
        If there is no such answer, if it is right or known already, if the name is taken, or if the answer does not stand by
        itself.
    """
    try:
        exercise = find_exercise(exercise_id)
    except CourseError as error:
        raise CannotAdd(str(error)) from None
    path = solutions / exercise.lesson.topic / "mistakes" / f"{exercise.stem}.py"
    if not path.is_file():
        raise CannotAdd(
            "Mistakes are added in a checkout of the course: there is no folder solutions/ with this exercise here."
        )
    _check_words(words, exercise, path.parent)
    stage = _stage(_result(classroom, exercise, student), student)
    answer = _answer(classroom, exercise, student)
    _check_alone(answer, exercise, path)
    try:
        code = without_comments(answer.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise CannotAdd(f"The answer of {student} cannot be taken apart: write the entry by hand.") from None
    if not code.replace("\t", " ").replace("\n", " ").isprintable():  # what is shown would not be what is added
        raise CannotAdd(f"The answer of {student} holds signs that cannot be printed: write the entry by hand.")
    return Addition(exercise.id, path, code, _entry(stage, words, code))


def _check_words(words: Words, exercise: Exercise, folder: Path) -> None:
    if not _SLUG.fullmatch(words.slug):
        raise CannotAdd(f"The name {words.slug!r} should be small letters, digits and underscores, such as norm_type_ignored.")
    for option, text in (("--diagnosis", words.diagnosis), ("--next-step", words.next_step)):
        if len(text.strip()) < 10 or not text.isprintable():
            raise CannotAdd(f"{option} should be a sentence of one line.")
    entries = (entry for path in sorted(folder.glob("*.py")) for entry in read_entries(path))
    if any(entry.exercise == exercise.id and getattr(entry, "slug", "") == words.slug for entry in entries):
        raise CannotAdd(f"{exercise.id} has an entry {words.slug} already; choose another name.")


def _result(classroom: Classroom, exercise: Exercise, student: str) -> Result:
    record = records.load(classroom.home, exercise.lesson.topic, student)
    graded_result = next((result for result in record.results if result.exercise == exercise.id), None) if record else None
    if graded_result is None:
        raise CannotAdd(f"In {classroom.home.name} there is no graded answer of {student} to {exercise.id}.")
    return graded_result


def _stage(result: Result, student: str) -> str:
    """Return where the checks caught it."""
    if result.mistake:
        raise CannotAdd(f"The answer of {student} is known already: it is {result.mistake}.")
    if result.status not in ("wrong", "partly") or not result.case or result.stage not in STAGES:
        raise CannotAdd(f"The answer of {student} to {result.exercise} is no wrong answer to name: it is {result.status}.")
    return result.stage


def _answer(classroom: Classroom, exercise: Exercise, student: str) -> Statement:
    topic = exercise.lesson.topic
    marked = classroom.autograded(Submission(student, topic, classroom.submitted / student / topic))
    answer = definition_in(marked_answers(marked).get(exercise.grade_id, ""), exercise.name)
    if answer is None:
        raise CannotAdd(f"In autograded/ there is no function or class {exercise.name} of {student}.")
    if answer.undecorated:
        raise CannotAdd(f"The answer of {student} has a decorator, which an entry cannot have: write the entry by hand.")
    return answer


def _check_alone(answer: Statement, exercise: Exercise, path: Path) -> None:
    """Raise CannotAdd unless the entry runs with the notebook's answers and the file's imports alone."""
    there = {*dir(builtins), *bound_names(path.read_text(encoding="utf-8"))}
    there |= {topic_exercise.name for topic_exercise in exercises_of(exercise.lesson.topic)}
    missing = sorted(name for name in answer.looks_up - there if "." not in name)
    if missing:
        named = ", ".join(f"`{name}`" for name in missing)
        raise CannotAdd(
            f"The answer uses {named}, defined elsewhere in its notebook. Add an import of it to {path.name} first, or write "
            "the entry by hand."
        )


def _entry(stage: str, words: Words, code: str) -> str:
    sentences = [*_comment(words.diagnosis), *_comment(f"Next: {words.next_step}")]
    return "\n".join(["", "", f"# mistake {words.slug} ({stage})", *sentences, code, ""])


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)]
