"""The cases of one exercise for one seed, with the right results and those of the known mistakes."""

import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property

from embedding_course.checking.carried import seeded
from embedding_course.checking.exercise import Case, Exercise
from embedding_course.checking.expected import PUBLIC_SEED
from embedding_course.checking.fingerprint import Fingerprint, Trace, trace
from embedding_course.checking.judge import PublicOutcome, judge
from embedding_course.checking.observation import Observation
from embedding_course.checking.observe import observe
from embedding_course.checking.random_inputs import RandomInputs
from embedding_course.checking.result import Result
from embedding_course.checking.score import failed_cases, points_of
from embedding_course.checking.seed import SEED_BITS
from embedding_course.checking.source.answer_tree import docstrings, find_written
from embedding_course.checking.source.suspects import code_to_remove
from embedding_course.checking.two_mistakes import PairPrints
from embedding_course.exercises import find_exercise

from ..engine.learner_proxy import ask_for
from .catalogue import Mistake, callable_of, mistakes_of, reference, reference_source
from .two_mistakes import pair_prints
from .verdict_cache import VerdictCache

#: Held while texts of answers are parsed: two threads that parse at once make Python 3.11 lose count of its own depth.
PARSING = threading.RLock()


#: While a class is graded, an exercise with more pairs of mistakes is judged without them.
_MAX_PAIRS = 650


class ReferenceFailed(Exception):
    """The course's own answer raised: our fault, and nobody's mark."""


def exercise_seed(seed: int, exercise: str, attempt: int = 0) -> int:
    """Return the seed of one exercise's hidden inputs: a hash of its id and the attempt, keyed with the seed of the run.

    Whoever learned the inputs of one exercise, or of one attempt, could not compute those of another one from them. The public
    seed stands for itself, since its cases are shipped.

    Parameters
    ----------
    seed : int
        The seed of the run, from 0 to 2**128 - 1.
    exercise : str
        The exercise's id.
    attempt : int
        0 for the first try; a further try on the same answer meets other inputs.

    Examples
    --------
    >>> exercise_seed(7, "01.one_hot") == exercise_seed(7, "01.one_hot", attempt=1)
    False
    """
    if seed == PUBLIC_SEED and attempt == 0:
        return seed
    key = seed.to_bytes(SEED_BITS // 8, "big")
    return int.from_bytes(
        hashlib.blake2b(f"{attempt} {exercise}".encode(), key=key, digest_size=SEED_BITS // 8).digest(), "big"
    )


class Prepared:
    """The cases of one exercise for one seed, with what the reference and the known mistakes make of them."""

    def __init__(self, exercise: Exercise, seed: int, attempt: int = 0) -> None:
        self.exercise, self.seed = exercise, seed
        self.judged = VerdictCache()
        self._questions: dict[int, bytes] = {}
        draw = RandomInputs(exercise_seed(seed, exercise.id, attempt), exercise.id)
        self.cases: tuple[Case, ...] = tuple(exercise.cases(draw))
        names = [case.name for case in self.cases]
        if len(names) != len(set(names)):
            raise LookupError(f"{exercise.id}: two cases share a name among {names}")

    @cached_property
    def question(self) -> bytes:
        """Return the inputs as they go to everybody."""
        return ask_for(self.exercise, self.cases)

    def question_of(self, index: int) -> bytes:
        """Return the inputs of one case."""
        if index not in self._questions:
            self._questions[index] = ask_for(self.exercise, self.cases[index : index + 1])
        return self._questions[index]

    def index_of(self, name: str) -> int | None:
        """Return the index of the case of this name; None where there is none."""
        return next((index for index, case in enumerate(self.cases) if case.name == name), None)

    def fails(self, index: int, observation: Observation) -> bool:
        """Return True if what was observation in one case is wrong."""
        return bool(failed_cases(self.exercise, [self.cases[index]], [self.expected[index]], [observation]))

    @cached_property
    def expected(self) -> tuple[Observation, ...]:
        """Return what the reference answer does in each case, in the order of the cases.

        Raises
        ------
        ReferenceFailed
            If the reference raises anything but what an exercise may ask for, ValueError or KeyError.
        """
        observations = tuple(observe(self.exercise, reference(self.exercise), case) for case in self.cases)
        for case, observation in zip(self.cases, observations, strict=True):
            if observation.raised and observation.raised.type not in ("ValueError", "KeyError"):
                raise ReferenceFailed(
                    f"{self.exercise.id}, case {case.name!r}: {observation.raised.type} {observation.raised.message}"
                )
        return observations

    @cached_property
    def fingerprints(self) -> tuple[Fingerprint, ...]:
        """Return what each known mistake computes here, worked out as far as somebody looks."""
        right = reference_source(self.exercise)
        return tuple(
            Fingerprint(
                mistake.slug,
                mistake.diagnosis,
                mistake.next_step,
                _Traces(self, mistake),
                code_to_remove(mistake.next_step, mistake.source, right),
            )
            for mistake in mistakes_of(self.exercise)
        )

    @cached_property
    def pairs(self) -> PairPrints | None:
        """Return what every two known mistakes compute together in the first cases, where that is a matter of a second."""
        return pair_prints(self.exercise, self.cases, self.expected, self.tried, most=_MAX_PAIRS)

    def mistaken(self, mistake: Mistake, index: int) -> Observation:
        """Return what comes of a known mistake in one case."""
        return self.tried(mistake.source, index)

    def tried(self, source: str, index: int) -> Observation:
        """Return what comes of an answer of ours in one case."""
        with seeded():  # what draws its own noise draws the same in every build
            return observe(self.exercise, callable_of(source, self.exercise), self.cases[index])

    def judge(
        self,
        observations: Sequence[Observation],
        cells: Sequence[str] = (),
        *,
        hidden: bool = True,
        public: Callable[[str], PublicOutcome | None] = lambda name: None,
    ) -> Result:
        """Return the verdict on observations.

        Parameters
        ----------
        observations
            What the answer did in each case.
        cells
            The learner's cells, one of which defines the answer.
        hidden
            Whether the cases are hidden ones.
        public
            Returns how the public case of a name came out.
        """
        with PARSING:
            return judge(
                self.exercise,
                self.cases,
                self.expected,
                observations,
                lambda: self.fingerprints,
                hidden=hidden,
                seed=self.seed,
                written=lambda: find_written(cells, self.exercise.name, self._stub),
                pairs=lambda: self.pairs,
                public=public,
            )

    @cached_property
    def _stub(self) -> str:
        """Return the docstring that the exercise's stub has."""
        statement = find_written(reference_source(self.exercise), self.exercise.name)
        return docstrings(statement.node) if statement else ""

    def points_of(self, observations: Sequence[Observation]) -> float:
        """Return the score alone, which costs much less than a verdict on a wrong answer."""
        return points_of(self.exercise, self.cases, self.expected, observations)

    def failed_cases(self, observations: Sequence[Observation]) -> frozenset[str]:
        """Return the names of the cases that fail."""
        return failed_cases(self.exercise, self.cases, self.expected, observations)


class _Traces(Sequence[Trace | None]):
    """The traces of one mistake, each computed when it is first read.

    The first case in which an answer fails rules out most mistakes, so that their other traces are never computed.
    """

    def __init__(self, ready: Prepared, mistake: Mistake) -> None:
        self._ready, self._mistake, self._traces = ready, mistake, dict[int, Trace | None]()

    def __len__(self) -> int:
        return len(self._ready.cases)

    def __getitem__(self, index):
        ready = self._ready
        if index not in self._traces:
            observation = ready.mistaken(self._mistake, index)
            self._traces[index] = trace(ready.exercise, ready.cases[index], ready.expected[index], observation)
        return self._traces[index]

    def __iter__(self) -> Iterator[Trace | None]:
        return (self[index] for index in range(len(self)))


@cache
def prepared(exercise_id: str, seed: int, attempt: int = 0) -> Prepared:
    """Return the cases of an exercise for a seed.

    They are made once, because a class and an audit try many answers on one seed.

    Parameters
    ----------
    exercise_id : str
    seed : int
        Seed of the run.
    attempt : int, optional
        0 for the first hidden cases; other numbers give other cases of the same seed.
    """
    return Prepared(find_exercise(exercise_id), seed, attempt)
