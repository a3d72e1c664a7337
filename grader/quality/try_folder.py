"""Try a whole folder of answers, laid out as EXERCISE/*.py, in one warm start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from embedding_course.exercises import find_exercise
from embedding_course.subject.errors import CourseError

from ..engine.fork_server import Learners
from .try_file import CannotTry, try_with

__all__ = ["Answer", "answers_in", "try_folder"]

#: Answers at a time: while one runs in its process, another is judged here.
_AT_A_TIME = 2


@dataclass(frozen=True)
class Answer:
    """One file, and the exercise that its folder names."""

    exercise: str
    path: Path


def answers_in(folder: Path) -> list[Answer]:
    """Return the files of a folder by exercise.

    Raises
    ------
    CannotTry
        If there is no answer in the folder.
    CourseError
        If the name of a subfolder is not that of an exercise.
    """
    answers = [
        Answer(find_exercise(subfolder.name).id, path)
        for subfolder in sorted(folder.iterdir())
        for path in sorted(subfolder.glob("*.py"))
    ]
    if not answers:
        raise CannotTry(
            f"{folder} holds no answers; they are looked for as {folder}/EXERCISE/*.py, such as 07.split_heads/a.py."
        )
    return answers


def try_folder(folder: Path, seeds: Sequence[int], shared: Learners | None = None) -> Iterator[dict[str, Any]]:
    """Try each file with each seed, and yield the outcomes in that order.

    Parameters
    ----------
    folder : Path
        Folder with answers.
    seeds : sequence of int
        Seeds of the hidden cases.
    shared : Learners, optional
        Learner processes to be reused, which stay open.

    Yields
    ------
    dict of str to Any
        The fields of a result, `file` and `seed`; if the file cannot be tried, `exercise`, `error`, `file` and `seed`.
    """
    answers = answers_in(folder)
    topics = sorted({find_exercise(answer.exercise).lesson.topic for answer in answers})
    asked = [(answer, seed) for answer in answers for seed in seeds]
    with nullcontext(shared) if shared else Learners(topics=topics) as learners, ThreadPoolExecutor(_AT_A_TIME) as pool:
        yield from pool.map(lambda answer_and_seed: _tried(learners, *answer_and_seed), asked)


def _tried(learners: Learners, answer: Answer, seed: int) -> dict[str, Any]:
    where = {"file": str(answer.path), "seed": seed}
    try:
        result = try_with(learners, find_exercise(answer.exercise), answer.path, seed)
    except (CannotTry, CourseError) as error:
        return {"exercise": answer.exercise, "error": str(error), **where}
    return msgspec.to_builtins(result) | where
