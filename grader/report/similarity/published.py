"""Answers that have the form of one that the course itself publishes: its references, and the right forms of its catalogue."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from embedding_course.exercises import exercises_of

from ...course_source.catalogue import reference_source, right_forms_of
from .forms import MIN_TOKENS, Answer, form, stubs_of
from .likeness import LIGHTEST, LONG, common_forms, usual_likeness

#: The names of published answers to an exercise, by their forms.
Published = Mapping[tuple[str, ...], str]


@dataclass(frozen=True)
class EqualToPublished:
    """Students whose answer has the form of a published one: `name` is "reference", or the name of a right form."""

    exercise: str
    name: str
    students: tuple[str, ...]
    tokens: int
    answered: int


def published_forms(topics: Iterable[str]) -> dict[str, Published]:
    """Return the published answers that are long enough to be compared, by exercise id; none where `solutions/` is missing."""
    published: dict[str, Published] = {}
    for topic in topics:
        stubs = stubs_of(topic)
        for exercise in exercises_of(topic):
            stub = stubs.get(exercise.grade_id, "")
            sources = {}
            with contextlib.suppress(LookupError):  # a course without solutions publishes none
                sources["reference"] = reference_source(exercise)
            sources |= {right_form.slug: right_form.source for right_form in right_forms_of(exercise)}
            forms: dict[tuple[str, ...], str] = {}
            for name, source in sources.items():
                tokens = form(source, stub)
                if len(tokens) >= MIN_TOKENS:
                    forms.setdefault(tokens, name)
            if forms:
                published[exercise.id] = forms
    return published


def equal_to_published(answers: Mapping[str, Sequence[Answer]], published: Mapping[str, Published]) -> list[EqualToPublished]:
    """Return the answers of this class that equal a published form, those of most tokens first.

    What says nothing is left out, by the rules for pairs: the commonest form of an exercise, and a form that weighs little
    because the exercise has few right forms or because many in the class gave it. A long form is listed however many gave it.

    Parameters
    ----------
    answers : mapping of str to sequence of Answer
        The answers by exercise id. Those of other classes help to tell which forms are common.
    published : mapping of str to Published
        What `published_forms` returns.
    """
    lines = []
    for exercise, mine in answers.items():
        if not any(answer.form in published.get(exercise, {}) for answer in mine):
            continue
        usual = usual_likeness(mine)
        if usual is None or usual >= 1:
            continue
        common = common_forms(mine)
        for tokens, name in published.get(exercise, {}).items():
            those = [answer for answer in mine if answer.form == tokens and not answer.origin]
            if not those:
                continue
            near = len({answer.team or answer.student for answer in those})
            weight = len(tokens) * (1 - usual) / near
            if len(tokens) < LONG and (tokens in common or weight < LIGHTEST):
                continue
            answered = sum(not answer.origin for answer in mine)
            students = tuple(answer.student for answer in those)
            lines.append(EqualToPublished(exercise, name, students, len(tokens), answered))
    return sorted(lines, key=lambda line: (-line.tokens, line.exercise))
