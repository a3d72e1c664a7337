"""What to teach again: the exercises in which most people share a misunderstanding."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from embedding_course.checking.result import Result
from embedding_course.exercises.index import entries

__all__ = ["TeachAgain", "lessons_to_repeat"]

_MOST = 6
_FEWEST_STUDENTS = 2


@dataclass(frozen=True)
class TeachAgain:
    """One thing to take up again: how many of those who answered are concerned, what they did, what to say to it."""

    exercise: str
    title: str
    why: str
    students: int
    answered: int
    slug: str
    diagnosis: str
    next_step: str
    case: str

    @property
    def share(self) -> float:
        return self.students / self.answered if self.answered else 0.0


def lessons_to_repeat(pairs: Sequence[tuple[str, Result]]) -> list[TeachAgain]:
    """The most common recognised mistakes, at most one an exercise, the one with most people first. A mistake of a single
    person is no reason to teach a class again, so two are needed."""
    answered: Counter[str] = Counter()
    found: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for _, result in pairs:
        answered[result.exercise] += result.status not in ("not attempted", "our fault")
        if result.mistake:
            found[result.exercise, result.mistake].append(result)
    lessons: dict[str, TeachAgain] = {}
    for (exercise, slug), results in sorted(found.items(), key=lambda entry: (-len(entry[1]), entry[0])):
        if len(results) < _FEWEST_STUDENTS or exercise in lessons:
            continue
        cases = Counter(result.case for result in results if result.case)
        first, defined = results[0], entries().get(exercise)
        lessons[exercise] = TeachAgain(
            exercise, first.title, defined.why if defined else "", len(results), answered[exercise], slug,
            first.diagnosis, first.next_step, cases.most_common(1)[0][0] if cases else "",
        )  # fmt: skip
    return list(lessons.values())[:_MOST]
