"""Two wrong answers made into one: the changes of both, made in an answer from which both differ in few places."""

import ast
import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import combinations, pairwise

from embedding_course.checking.exercise import Case, Exercise
from embedding_course.checking.observation import Observation
from embedding_course.checking.two_mistakes import PairPrints, agree, signature
from embedding_course.subject.tensors import TENSORS, torch

from .catalogue import Mistake, mistakes_of, reference_source

#: How many cases of the first criterion are computed.
_CASES = 2


def together(mistake: Mistake, other: Mistake, bases: Sequence[str] = ()) -> str | None:
    """Return the answer in which both changes are made; None if they cannot be made in one text, or touch the same place.

    The changes are the words in which both answers differ from their common base in the catalogue, or else the lines in which
    they differ from one of `bases`. The imports of both stand above the answer.

    Parameters
    ----------
    mistake, other : Mistake
        The two wrong answers.
    bases : sequence of str, optional
        Sources to compare both with, line by line, if they have no base in common in the catalogue.
    """
    if mistake.base and mistake.base == other.base:
        words = _merged(_words(mistake.base), _words(_answer(mistake.source)), _words(_answer(other.source)))
        if words and _is_python(text := "".join(words)):
            return _below_the_imports(mistake, other, text)
    for base in bases:
        lines = _merged(_laid_out(base), _laid_out(mistake.source), _laid_out(other.source))
        if lines:
            return _below_the_imports(mistake, other, "\n".join(lines))
    return None


def _below_the_imports(mistake: Mistake, other: Mistake, text: str) -> str:
    imports = dict.fromkeys([*_imports(mistake.source), *_imports(other.source)])
    return "\n".join(imports) + f"\n\n\n{text}\n"


@cache
def _answer(source: str) -> str:
    """Return the function or class that stands below the imports."""
    first = ast.parse(source).body[-1].lineno
    return "\n".join(source.splitlines()[first - 1 :])


@cache
def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+|\s+|.", text))


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


@cache
def _imports(text: str) -> tuple[str, ...]:
    return tuple(ast.unparse(node) for node in ast.parse(text).body if isinstance(node, (ast.Import, ast.ImportFrom)))


@cache
def _laid_out(text: str) -> tuple[str, ...]:
    """Return the lines of a text as Python would lay it out, without docstrings and imports."""
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for argument in ast.walk(node.args):
                if isinstance(argument, ast.arg):
                    argument.annotation = None
    return tuple(ast.unparse(tree).splitlines())


def _merged(base: Sequence[str], variant: Sequence[str], other: Sequence[str]) -> list[str] | None:
    """Return the lines of `base` with the changes of both; None where one has none, or the two touch the same lines."""
    first, second = _changes(base, variant), _changes(base, other)
    if not first or not second:
        return None
    both = sorted([*first, *second])
    if any(end > start or (end, end) == (start, stop) for (_, end, _), (start, stop, _) in pairwise(both)):
        return None
    lines, position = list[str](), 0
    for start, end, new in both:
        lines += [*base[position:start], *new]
        position = end
    return [*lines, *base[position:]]


@cache
def _changes(base: Sequence[str], lines: Sequence[str]) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    """Return which lines of `base` are replaced by which; none where more than half of it is."""
    changes = tuple(
        (start, end, tuple(lines[first:last]))
        for kind, start, end, first, last in SequenceMatcher(None, base, lines, autojunk=False).get_opcodes()
        if kind != "equal"
    )
    return changes if sum(end - start for start, end, _ in changes) <= len(base) / 2 else ()


def pair_prints(
    exercise: Exercise,
    cases: Sequence[Case],
    expected: Sequence[Observation],
    tried: Callable[[str, int], Observation],
    most: int | None = None,
) -> PairPrints | None:
    """Return what every two mistakes that can be made together compute, in the first cases of the first criterion.

    Returns None if there are no pairs or more than `most`, or if the results hold no floating-point numbers: many mistakes give
    the same integers or words.

    Parameters
    ----------
    exercise : Exercise
    cases : sequence of Case
    expected : sequence of Observation
        Result of the reference in each case.
    tried : callable
        Returns the result of an answer, given its source and the index of a case.
    most : int, optional
        Most pairs that are computed; None for any number.
    """
    if not TENSORS:  # a course without torch
        return None
    gate = exercise.criteria[0].name
    case_indices = tuple(index for index, case in enumerate(cases) if case.criterion == gate)[:_CASES]

    def over(source: str) -> torch.Tensor:
        return torch.stack([signature(exercise, cases[index], tried(source, index)) for index in case_indices])

    right = torch.stack([signature(exercise, cases[index], expected[index]) for index in case_indices])
    if not bool((right[:, 1] > 0).any()):
        return None
    known = mistakes_of(exercise)
    bases = tuple(dict.fromkeys([reference_source(exercise), *(mistake.base for mistake in known if mistake.base)]))
    both = [
        (mistake, other, source) for mistake, other in combinations(known, 2) if (source := together(mistake, other, bases))
    ]
    if most is not None and len(both) > most:
        return None
    alone = {mistake.slug: over(mistake.source) for mistake in {mistake for pair in both for mistake in pair[:2]}}
    visible = {slug for slug, numbers in alone.items() if _shows(numbers, right)}
    names, rows = [], []
    for mistake, other, source in both:
        if not {mistake.slug, other.slug} <= visible:
            continue
        numbers = over(source)
        plain = (right, alone[mistake.slug], alone[other.slug])
        if not any(bool(agree(numbers, seen).all()) for seen in plain):  # where one has no effect, there are no two to see
            names.append((mistake.slug, other.slug))
            rows.append(numbers)
    return PairPrints(case_indices, tuple(names), torch.stack(rows)) if rows else None


def _shows(numbers: torch.Tensor, right: torch.Tensor) -> bool:
    """Return True if a mistake by itself computes numbers here, and at least one of them differs from the right answer.

    Only then can the mistake be part of what an answer with two mistakes computes.
    """
    return not bool(numbers.isnan().any()) and not bool(agree(numbers, right).all())
