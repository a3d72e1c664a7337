"""Two wrong answers made into one: the changes of both, made in the answer that they have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, pairwise

from embedding_course.checking.exercise import Case, Exercise
from embedding_course.checking.observation import Observation
from embedding_course.checking.two_mistakes import PairPrints, agree, signature
from embedding_course.with_torch import torch

from .catalogue import Mistake, mistakes_of
from .catalogue_file import changed

__all__ = ["pair_prints", "together"]

#: So many cases of the first criterion are worked out.
_CASES = 2


def together(one: Mistake, other: Mistake) -> str | None:
    """The answer in which both changes are made; None where they are not made in the same text, or touch the same place.

    The imports of both stand above it.
    """
    if not one.base or one.base != other.base or one.changes.keys() & other.changes.keys():
        return None
    spans = sorted(
        (one.base.index(old), one.base.index(old) + len(old)) for changes in (one.changes, other.changes) for old in changes
    )
    if any(end > start for (_, end), (start, _) in pairwise(spans)):
        return None
    try:
        text = changed(one.base, {**one.changes, **other.changes})
    except ValueError:
        return None
    imports = dict.fromkeys([*one.imports.splitlines(), *other.imports.splitlines()])
    return "\n".join(imports) + f"\n\n\n{text}\n"


def pair_prints(
    exercise: Exercise,
    cases: Sequence[Case],
    expected: Sequence[Observation],
    tried: Callable[[str, int], Observation],
    most: int | None = None,
) -> PairPrints | None:
    """What every two mistakes that can be made together compute, in the first cases of the first criterion.

    `tried` gives what comes of an answer's text in one case. None where there are no pairs, where there are more than `most`, or
    where results hold no floating numbers: of whole numbers and words many a mistake gives the same.
    """
    gate = exercise.criteria[0].name
    places = tuple(index for index, case in enumerate(cases) if case.criterion == gate)[:_CASES]

    def over(source: str) -> torch.Tensor:
        return torch.stack([signature(exercise, cases[index], tried(source, index)) for index in places])

    right = torch.stack([signature(exercise, cases[index], expected[index]) for index in places])
    if not bool((right[:, 1] > 0).any()):
        return None
    alone = {one.slug: over(one.source) for one in mistakes_of(exercise) if one.base}
    visible = [one for one in mistakes_of(exercise) if one.base and _shows(alone[one.slug], right)]
    both = list(_pairs(visible))
    if most is not None and len(both) > most:
        return None
    names, rows = [], []
    for one, other, source in both:
        numbers = over(source)
        plain = (right, alone[one.slug], alone[other.slug])
        if not any(bool(agree(numbers, seen).all()) for seen in plain):  # where one has no effect, there are no two to see
            names.append((one.slug, other.slug))
            rows.append(numbers)
    return PairPrints(places, tuple(names), torch.stack(rows)) if rows else None


def _shows(numbers: torch.Tensor, right: torch.Tensor) -> bool:
    """Does a mistake by itself give results here, and other ones than the right answer? Only then it has a hand in them."""
    return not bool(numbers.isnan().any()) and not bool(agree(numbers, right).all())


def _pairs(known: Sequence[Mistake]) -> Iterator[tuple[Mistake, Mistake, str]]:
    for one, other in combinations(known, 2):
        source = together(one, other)
        if source is not None:
            yield one, other, source
