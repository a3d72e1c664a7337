"""What to teach again: the exercises in which most people share a misunderstanding."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from embedding_course.checking.result import Result
from embedding_course.exercises.index import entries

from .answers import Answers, Typical

_MIN_STUDENTS = 2


@dataclass(frozen=True)
class TeachAgain:
    """One thing to take up again: how many of those who answered are concerned, what they did, what to say to it.

    `example` is the most typical answer among them, `shown` a public case with what the mistake gives in it.
    """

    exercise: str
    title: str
    why: str
    students: tuple[str, ...]
    answered: int
    slug: str
    diagnosis: str
    next_step: str
    case: str
    example: Typical | None = None
    shown: str = ""


def lessons_to_repeat(pairs: Sequence[tuple[str, Result]], most: int = 6) -> list[TeachAgain]:
    """Return the most common recognised mistakes, at most one for each exercise, those of most students first.

    A mistake that only one student made is no reason to teach a class again, so at least two are needed.
    """
    answered: Counter[str] = Counter()
    answers_by_mistake: dict[tuple[str, str], list[tuple[str, Result]]] = defaultdict(list)
    for student, result in pairs:
        answered[result.exercise] += result.status not in ("not attempted", "our fault")
        if result.mistake:
            answers_by_mistake[result.exercise, result.mistake].append((student, result))
    lessons: dict[str, TeachAgain] = {}
    for (exercise, slug), those in sorted(answers_by_mistake.items(), key=lambda item: (-len(item[1]), item[0])):
        if len(those) < _MIN_STUDENTS or exercise in lessons:
            continue
        cases = Counter(result.case for _, result in those if result.case)
        first, defined = those[0][1], entries().get(exercise)
        lessons[exercise] = TeachAgain(
            exercise,
            first.title,
            defined.why if defined else "",
            tuple(student for student, _ in those),
            answered[exercise],
            slug,
            first.diagnosis,
            first.next_step,
            cases.most_common(1)[0][0] if cases else "",
        )
    return list(lessons.values())[:most]


def with_examples(lessons: Sequence[TeachAgain], answers: Answers | None) -> list[TeachAgain]:
    """Return the lessons with the public case that exposes each mistake, and with code of students unless `answers` is None."""
    if not lessons:
        return []
    from .shown_case import shown_case  # it needs torch, which a report without mistakes need not wait for

    return [
        replace(
            lesson,
            shown=shown_case(lesson.exercise, lesson.slug, lesson.case),
            example=answers.typical(lesson.students, lesson.exercise) if answers else None,
        )
        for lesson in lessons
    ]
