"""The forgers: what each returns in place of an answer."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from embedding_course.checking.exercise import Case, Exercise
from embedding_course.checking.expected import Expectation
from embedding_course.checking.observation import Observation
from embedding_course.checking.wire_data import tensors_in

from .forms import filled, guessed, of_length_1, refused
from .inputs import distance, leaves, traits

__all__ = ["FORGERS", "Attempt", "Forger", "forgers"]


@dataclass(frozen=True)
class Attempt:
    """All that a forger can know of one exercise under one seed.

    That is the most that code in a learner's process can find out: all that is shipped, the order, number and inputs of the
    hidden cases, and the form of the right results. The names of the cases and the right results are not in its reach.

    Attributes
    ----------
    public
        What is shipped: the public cases with their right results.
    asked
        The hidden cases. A forger reads their arguments and options only.
    forms
        The right observations. A forger reads their types and shapes only, which a learner can work out.
    """

    exercise: Exercise
    public: Expectation
    asked: Sequence[Case]
    forms: Sequence[Observation]
    rng: random.Random

    @cached_property
    def result_texts(self) -> Sequence[str]:
        """Return a text for each public result.

        Equal numbers, flags and short lists have equal texts; larger tensors never do.
        """
        return [_text(result, index) for index, result in enumerate(self.public.expected)]

    @property
    def shipped(self) -> Sequence[Observation]:
        """Return the right observations of the public cases, in their order."""
        return self.public.expected


def _text(result: Observation, index: int) -> str:
    many = any(math.prod(tensor.shape) > 1 for tensor in tensors_in(result.value))
    return f"result {index}" if many else repr(result)


#: What a forger returns for each hidden case.
Forger = Callable[[Attempt], Sequence[Observation]]

#: Public results that a forger tries as a constant answer to everything.
_MAX_CONSTANTS = 40


def replay(attempt: Attempt) -> Sequence[Observation]:
    """Return the public results in their order."""
    return _cycled(attempt, 0)


def replay_shifted(attempt: Attempt) -> Sequence[Observation]:
    """Return the public results from the second on, as code does that miscounts by one call."""
    return _cycled(attempt, 1)


def replay_backwards(attempt: Attempt) -> Sequence[Observation]:
    return list(reversed(_cycled(attempt, 0)))


def nearest(attempt: Attempt) -> Sequence[Observation]:
    """Return for each hidden case the result of the public case with the most similar inputs."""
    cases = attempt.public.cases
    return [attempt.shipped[min(range(len(cases)), key=lambda at: distance(asked, cases[at]))] for asked in attempt.asked]


def same_form(attempt: Attempt) -> Sequence[Observation]:
    """Return the result of the public case whose parts have the same types, sizes and flags; numbers are not compared."""
    by_form: dict[str, Observation] = {}
    for case, result in zip(attempt.public.cases, attempt.shipped, strict=True):
        by_form.setdefault(_form(case), result)
    spare = nearest(attempt)
    return [by_form.get(_form(asked), result) for asked, result in zip(attempt.asked, spare, strict=True)]


def alternating(attempt: Attempt) -> Sequence[Observation]:
    """Count calls, and return the two most frequent public results in turn."""
    return _by_turns(attempt, lambda at: at % 2)


def halves(attempt: Attempt) -> Sequence[Observation]:
    """Count calls, and return one public result in the first half of them and another one in the second."""
    return _by_turns(attempt, lambda at: at * 2 // len(attempt.asked))


def zeros(attempt: Attempt) -> Sequence[Observation]:
    return [filled(form, 0) for form in attempt.forms]


def ones(attempt: Attempt) -> Sequence[Observation]:
    return [filled(form, 1) for form in attempt.forms]


def guesses(attempt: Attempt) -> Sequence[Observation]:
    """Return random numbers in the right form."""
    return [guessed(form, attempt.rng) for form in attempt.forms]


def unit_guesses(attempt: Attempt) -> Sequence[Observation]:
    """Return random rows of norm 1 in the right form, as an encoder's vectors are."""
    return [of_length_1(guess) for guess in guesses(attempt)]


def refusals(attempt: Attempt) -> Sequence[Observation]:
    """Return a ValueError for every case."""
    return [refused()] * len(attempt.asked)


FORGERS: dict[str, Forger] = {
    "replay": replay,
    "replay, shifted": replay_shifted,
    "replay, backwards": replay_backwards,
    "nearest public input": nearest,
    "same form": same_form,
    "counts calls, by turns": alternating,
    "counts calls, halves": halves,
    "zeros": zeros,
    "ones": ones,
    "guesses": guesses,
    "more guesses": guesses,
    "guesses of length 1": unit_guesses,
    "refuses everything": refusals,
}


def forgers(attempt: Attempt) -> Iterator[tuple[str, Sequence[Observation]]]:
    """Yield every forger's name with what it returns.

    These are the forgers above, each public result as a constant, and for each single trait of the inputs the results that go
    with its values. What an earlier forger returned is not tried again.
    """
    known: set[tuple[int, ...]] = set()
    for name, answers in _all(attempt):
        same = tuple(map(id, answers))
        if same not in known:
            known.add(same)
            yield name, answers


def _all(attempt: Attempt) -> Iterator[tuple[str, Sequence[Observation]]]:
    for name, forge in FORGERS.items():
        yield name, forge(attempt)
    for index, result in enumerate(_frequent(attempt)[:_MAX_CONSTANTS]):
        yield f"constant {index}", [result] * len(attempt.asked)
    public, asked = ([traits(case) for case in cases] for cases in (attempt.public.cases, attempt.asked))
    for trait in sorted({name for case_traits in public for name in case_traits}):
        shown, met = ([case_traits.get(trait) for case_traits in every] for every in (public, asked))
        yield f"reads {trait.strip('.')}", _revealed(attempt, shown, met)


def _cycled(attempt: Attempt, start: int) -> list[Observation]:
    return [attempt.shipped[(start + at) % len(attempt.shipped)] for at in range(len(attempt.asked))]


def _frequent(attempt: Attempt) -> list[Observation]:
    """Return the public results that differ, the most frequent ones first."""
    by_text = dict(zip(attempt.result_texts, attempt.shipped, strict=True))
    return [by_text[text] for text, _ in Counter(attempt.result_texts).most_common()]


def _by_turns(attempt: Attempt, turn: Callable[[int], int]) -> list[Observation]:
    two = (_frequent(attempt) * 2)[:2]
    return [two[turn(at)] for at in range(len(attempt.asked))]


def _form(case: Case) -> str:
    sizes = {path: getattr(leaf, "shape", leaf) for path, leaf in leaves(case).items()}
    return repr([(path, type(leaf), sizes[path]) for path, leaf in sorted(leaves(case).items())])


def _revealed(attempt: Attempt, shown: Sequence[Hashable], met: Sequence[Hashable]) -> list[Observation]:
    """Return for each hidden case the public result that is most frequent with its value of one trait.

    `shown` holds the values of the trait in the public cases, and `met` those in the hidden cases.
    """
    votes: dict[Hashable, Counter[str]] = defaultdict(Counter)
    by_text = dict(zip(attempt.result_texts, attempt.shipped, strict=True))
    for value, text in zip(shown, attempt.result_texts, strict=True):
        votes[value][text] += 1
    usual = _frequent(attempt)[0]
    return [by_text[votes[value].most_common(1)[0][0]] if value in votes else usual for value in met]
