"""Which two answers are more alike than is usual for their exercise.

The measure is RapidFuzz's `Indel.normalized_similarity` over tokens: twice the longest common subsequence, divided by both
lengths. What it means is taken from the class itself: the median over all pairs is what is usual for this exercise.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from .forms import Answer

#: At least so much alike, and at least so far from what is usual towards being the same.
_ALIKE, _BEYOND = 0.7, 0.5
#: An answer that so many gave in the same form is the common one: that two of them agree says nothing.
_COMMON = 3
#: With fewer answers, a median likeness means nothing.
_MIN_ANSWERS = 3
#: Pairs that share fewer tokens beyond what is usual are not shown.
LIGHTEST = 3
#: So long an answer is seldom written by several in exactly the same form.
LONG = 60


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
    likenesses: list[Likeness] = field(default_factory=list)

    @property
    def weight(self) -> float:
        """Return the sum of the weights of all likenesses of the two students."""
        return sum(likeness.weight for likeness in self.likenesses)


@dataclass(frozen=True)
class Group:
    """Several students with a long answer in exactly the same form."""

    exercise: str
    students: tuple[str, ...]
    tokens: int
    answered: int


def common_forms(answers: Sequence[Answer]) -> set[tuple[str, ...]]:
    """Return the commonest form of this class, and that of all classes, where several gave it: it says nothing of anybody."""
    every, own = (Counter(answer.form for answer in some) for some in (answers, _own(answers)))
    return {form for forms in (every, own) for form, count in forms.most_common(1) if count >= _COMMON}


def usual_likeness(answers: Sequence[Answer]) -> float | None:
    """Return the median likeness of two answers, one of them of this class; None if fewer than three of the class answered."""
    if len(_own(answers)) < _MIN_ANSWERS:
        return None
    return _usual(_between(answers), _involved(answers))


def likenesses(exercise: str, answers: Sequence[Answer], published: Collection[tuple[str, ...]] = ()) -> list[Likeness]:
    """Return the pairs of answers that stand out; none if fewer than three of this class answered, since nothing is usual then.

    At least one answer of a pair is of this class. Left out are two answers of one team, two that have the commonest form or
    the same published form, and what a student handed in here and in another class.

    Parameters
    ----------
    exercise : str
    answers : sequence of Answer
        Answers of this class, and of other classes.
    published : collection of tuple of str, optional
        Forms of answers that the course publishes.
    """
    if len(_own(answers)) < _MIN_ANSWERS:
        return []
    alike, involved = _between(answers), _involved(answers)
    usual = _usual(alike, involved)
    if usual >= 1:
        return []
    of_no_meaning = common_forms(answers) | set(published)
    wanted = np.triu((alike >= _ALIKE) & ((alike - usual) / (1 - usual) >= _BEYOND) & involved, 1)
    similar_pairs = []
    for left, right in np.argwhere(wanted):
        first, other = answers[left], answers[right]
        if first.origin == other.origin and first.team and first.team == other.team:
            continue
        if first.origin != other.origin and first.student == other.student:
            continue
        if first.form == other.form and first.form in of_no_meaning:
            continue
        here = alike[left, right]
        near = max((alike[left] >= here).sum(), (alike[right] >= here).sum()) - 1  # each is nearest to itself
        similar_pairs.append(Likeness(exercise, first, other, float(here), usual, max(1, int(near))))
    return similar_pairs


def _own(answers: Sequence[Answer]) -> list[Answer]:
    return [answer for answer in answers if not answer.origin]


def _involved(answers: Sequence[Answer]) -> np.ndarray:
    """Return which pairs have an answer of this class."""
    ours = np.array([not answer.origin for answer in answers])
    return ours[:, None] | ours


def _usual(alike: np.ndarray, involved: np.ndarray) -> float:
    return float(np.median(alike[np.triu(involved, 1)]))


def _between(answers: Sequence[Answer]) -> np.ndarray:
    """Return the likeness of each two answers; equal forms are compared once."""
    forms = list(dict.fromkeys(answer.form for answer in answers))
    position = {form: index for index, form in enumerate(forms)}
    texts = _as_text(forms)
    between = cdist(texts, texts, scorer=Indel.normalized_similarity, dtype=np.float32)
    indices = np.array([position[answer.form] for answer in answers])
    return between[np.ix_(indices, indices)]


def _as_text(forms: Sequence[tuple[str, ...]]) -> list[str]:
    """Return each answer as a text with one character for each different token, which RapidFuzz compares fastest."""
    letters: dict[str, str] = {}
    return ["".join(letters.setdefault(token, chr(0x10000 + len(letters))) for token in form) for form in forms]


def pairs(
    answers: Mapping[str, Sequence[Answer]], most: int, published: Mapping[str, Collection[tuple[str, ...]]] | None = None
) -> tuple[list[Pair], int]:
    """Return the `most` weightiest pairs of students over all exercises, and how many pairs stood out at all.

    `published` holds the forms of published answers by exercise id.
    """
    pairs_by_students: dict[tuple[str, str], Pair] = {}
    for exercise, mine in answers.items():
        for likeness in likenesses(exercise, mine, (published or {}).get(exercise, ())):
            who = (likeness.left.label, likeness.right.label)
            pairs_by_students.setdefault(who, Pair(who)).likenesses.append(likeness)
    for pair in pairs_by_students.values():
        pair.likenesses.sort(key=lambda likeness: -likeness.weight)
    worth_a_look = [pair for pair in pairs_by_students.values() if pair.weight >= LIGHTEST]
    ranked = sorted(worth_a_look, key=lambda pair: (-pair.weight, pair.students))
    return ranked[:most], len(ranked)


def groups(answers: Mapping[str, Sequence[Answer]]) -> list[Group]:
    """Return long answers that three or more students gave in exactly the same form, the longest first.

    The most common form is not left out here, because a whole group that hands in one solution makes it the most common one.
    """
    large_groups = []
    for exercise, mine in answers.items():
        by_form: dict[tuple[str, ...], list[Answer]] = defaultdict(list)
        for answer in mine:
            by_form[answer.form].append(answer)
        for form, those in by_form.items():
            whose = {(answer.origin, answer.team or answer.student) for answer in those}
            if len(whose) >= _COMMON and len(form) >= LONG and _own(those):
                large_groups.append(Group(exercise, tuple(answer.label for answer in those), len(form), len(mine)))
    return sorted(large_groups, key=lambda group: (-group.tokens, group.exercise))
