"""Which two answers are more alike than is usual for their exercise.

The measure is RapidFuzz's `Indel.normalized_similarity` over tokens: twice the longest common subsequence, divided by both
lengths. What it means is taken from the class itself: the median over all pairs is what is usual for this exercise.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from ...classroom.class_folder import Classroom
from ...classroom.policy.course import Course, load_course
from ..number_text import today
from ..pages import environment
from .forms import MIN_TOKENS, Answer, answers_of

#: At least so much alike, and at least so far from what is usual towards being the same.
_ALIKE, _BEYOND = 0.7, 0.5
#: An answer that so many gave in the same form is the common one: that two of them agree says nothing.
_COMMON = 3
#: Pairs that share fewer tokens beyond what is usual are not shown.
_LIGHTEST = 3
#: So long an answer is seldom written by several in exactly the same form.
_LONG = 60


@dataclass(frozen=True)
class Likeness:
    """Two answers to one exercise: how alike, what is usual here, how many others are as near to one of them."""

    exercise: str
    left: Answer
    right: Answer
    alike: float
    usual: float
    near: int

    @property
    def weight(self) -> float:
        """Return the number of tokens alike beyond what is usual, shared among those who are as near."""
        tokens = min(len(self.left.form), len(self.right.form))
        return tokens * (self.alike - self.usual) / self.near


@dataclass
class Pair:
    """Two students, and the exercises in which their answers stand out, the weightiest first."""

    students: tuple[str, str]
    found: list[Likeness] = field(default_factory=list)

    @property
    def weight(self) -> float:
        """Return the sum of the weights of all likenesses of the two students."""
        return sum(likeness.weight for likeness in self.found)


@dataclass(frozen=True)
class Group:
    """Several students with a long answer in exactly the same form."""

    exercise: str
    students: tuple[str, ...]
    tokens: int
    answered: int


def likenesses(exercise: str, answers: Sequence[Answer]) -> list[Likeness]:
    """Return the pairs of answers that stand out; none if fewer than three answered, since nothing is usual then."""
    if len(answers) < 3:
        return []
    forms = list(dict.fromkeys(answer.form for answer in answers))
    texts = _as_text(forms)
    between = cdist(texts, texts, scorer=Indel.normalized_similarity, dtype=np.float32)
    form_indices = np.array([forms.index(answer.form) for answer in answers])
    alike = between[np.ix_(form_indices, form_indices)]
    usual = float(np.median(alike[np.triu_indices(len(answers), 1)]))
    if usual >= 1:
        return []
    common, count = Counter(answer.form for answer in answers).most_common(1)[0]
    wanted = np.triu((alike >= _ALIKE) & ((alike - usual) / (1 - usual) >= _BEYOND), 1)
    similar_pairs = []
    for left, right in np.argwhere(wanted):
        first, other = answers[left], answers[right]
        if first.team and first.team == other.team:
            continue
        if count >= _COMMON and first.form == other.form == common:
            continue
        here = alike[left, right]
        near = max((alike[left] >= here).sum(), (alike[right] >= here).sum()) - 1  # each is nearest to itself
        similar_pairs.append(Likeness(exercise, first, other, float(here), usual, max(1, int(near))))
    return similar_pairs


def _as_text(forms: Sequence[tuple[str, ...]]) -> list[str]:
    """Return each answer as a text with one character for each different token, which RapidFuzz compares fastest."""
    letters: dict[str, str] = {}
    return ["".join(letters.setdefault(token, chr(0x10000 + len(letters))) for token in form) for form in forms]


def pairs(answers: Mapping[str, Sequence[Answer]], most: int) -> tuple[list[Pair], int]:
    """Return the `most` weightiest pairs of students over all exercises, and how many pairs stood out at all."""
    pairs_by_students: dict[tuple[str, str], Pair] = {}
    for exercise, mine in answers.items():
        for likeness in likenesses(exercise, mine):
            who = (likeness.left.student, likeness.right.student)
            pairs_by_students.setdefault(who, Pair(who)).found.append(likeness)
    for pair in pairs_by_students.values():
        pair.found.sort(key=lambda likeness: -likeness.weight)
    worth_a_look = [pair for pair in pairs_by_students.values() if pair.weight >= _LIGHTEST]
    ranked = sorted(worth_a_look, key=lambda pair: (-pair.weight, pair.students))
    return ranked[:most], len(ranked)


def groups(answers: Mapping[str, Sequence[Answer]]) -> list[Group]:
    """Return long answers that three or more students gave in exactly the same form, the longest first.

    The most common form is not left out here, because a whole group that hands in one solution makes it the most common one.
    """
    large_groups = []
    for exercise, mine in answers.items():
        by_form: dict[tuple[str, ...], list[str]] = defaultdict(list)
        for answer in mine:
            by_form[answer.form].append(answer.student)
        for form, students in by_form.items():
            whose = {answer.team or answer.student for answer in mine if answer.student in students}
            if len(whose) >= _COMMON and len(form) >= _LONG:
                large_groups.append(Group(exercise, tuple(students), len(form), len(mine)))
    return sorted(large_groups, key=lambda group: (-group.tokens, group.exercise))


#: So many exercises of a pair are shown side by side, and so many lines of each answer.
_SHOWN, _LINES = 4, 120


def _side(answer: Answer, other: Answer) -> str:
    """Return the lines of an answer; those that the other one has as well carry a mark."""
    theirs = {line.strip() for line in other.lines}
    lines = [("= " if line.strip() in theirs else "  ") + line for line in answer.lines[:_LINES]]
    left = len(answer.lines) - _LINES
    return "\n".join([*lines, f"  … and {left} lines more"] if left > 0 else lines)


def _sides(likeness: Likeness) -> list[tuple[str, str]]:
    return [
        (likeness.left.student, _side(likeness.left, likeness.right)),
        (likeness.right.student, _side(likeness.right, likeness.left)),
    ]


def render_similar(
    shown_pairs: list[Pair], standing_out: int, long_ones: list[Group], students: int, zone: tzinfo = UTC
) -> str:
    """Return the page as HTML, in which everything that students wrote is escaped.

    Parameters
    ----------
    shown_pairs : list of Pair
        Pairs that the page shows.
    standing_out : int
        Number of pairs that stand out.
    long_ones : list of Group
        Long answers that several students gave in the same form.
    students : int
        Number of students.
    zone : tzinfo, optional
        Time zone of the page.
    """
    pages = environment()
    pages.filters["sides"] = _sides
    facts: dict[str, Any] = {
        "pairs": shown_pairs,
        "standing_out": standing_out,
        "groups": long_ones,
        "students": students,
        "made_at": today(zone),
        "shown": _SHOWN,
        "fewest": MIN_TOKENS,
    }
    return pages.get_template("similar.html.j2").render(**facts).lstrip()


def write_similar(classroom: Classroom, topics: list[str], most: int, course: Course | None = None) -> tuple[Path, int]:
    """Write `reports/similar.html` and return its path and the number of pairs that stand out.

    Parameters
    ----------
    classroom : Classroom
    topics : list of str
        Names of the notebooks.
    most : int
        Most pairs that the page shows.
    course : Course, optional
        Course of the class; by default it is read from its folder.

    Raises
    ------
    LookupError
        If there are fewer than three students.
    """
    course = course or load_course(classroom.home)
    answers = answers_of(classroom, topics, course)
    students = {answer.student for mine in answers.values() for answer in mine}
    if len(students) < 3:
        raise LookupError(
            f"There is nothing to compare in {classroom.submitted}: what is usual in a class shows from three answers on."
        )
    shown_pairs, standing_out = pairs(answers, most)
    page = classroom.home / "reports" / "similar.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(render_similar(shown_pairs, standing_out, groups(answers), len(students), course.zone), encoding="utf-8")
    return page, standing_out
