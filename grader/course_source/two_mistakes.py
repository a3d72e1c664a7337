"""Two wrong answers made into one: the changes of both, made in the answer that they have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise

from embedding_course.checking.two_mistakes import PairPrints, agree, signature
from embedding_course.with_torch import torch

from .catalogue import Mistake, mistakes_of
from .catalogue_file import changed
from .prepared import Prepared

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


def pair_prints(ready: Prepared) -> PairPrints | None:
    """What every two mistakes that can be made together compute, in the first cases of the first criterion; None where there
    are none."""
    exercise = ready.exercise
    gate = exercise.criteria[0].name
    places = tuple(index for index, case in enumerate(ready.cases) if case.criterion == gate)[:_CASES]
    right = torch.stack([signature(exercise, ready.cases[index], ready.expected[index]) for index in places])
    alone = {one.slug: _over(ready, one.source, places) for one in mistakes_of(exercise) if one.base}
    visible = [one for one in mistakes_of(exercise) if one.base and _shows(alone[one.slug], right)]
    names, rows = [], []
    for one, other, source in _pairs(visible):
        numbers = _over(ready, source, places)
        plain = (right, alone[one.slug], alone[other.slug])
        if not any(bool(agree(numbers, seen).all()) for seen in plain):  # where one has no effect, there are no two to see
            names.append((one.slug, other.slug))
            rows.append(numbers)
    return PairPrints(places, tuple(names), torch.stack(rows)) if rows else None


def _over(ready: Prepared, source: str, places: Sequence[int]) -> torch.Tensor:
    """(places, numbers): the signatures of an answer."""
    return torch.stack([signature(ready.exercise, ready.cases[index], ready.tried(source, index)) for index in places])


def _shows(numbers: torch.Tensor, right: torch.Tensor) -> bool:
    """Does a mistake by itself give results here, and other ones than the right answer? Only then it has a hand in them."""
    return not bool(numbers.isnan().any()) and not bool(agree(numbers, right).all())


def _pairs(known: Sequence[Mistake]) -> Iterator[tuple[Mistake, Mistake, str]]:
    for one, other in combinations(known, 2):
        source = together(one, other)
        if source is not None:
            yield one, other, source
