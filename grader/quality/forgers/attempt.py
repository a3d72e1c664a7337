"""What a forger has to go by: all that is shipped, the inputs of the hidden cases, and the form of what is wanted.

That is the most that code in a learner's process can know. The order and the number of hidden cases are in it, their names
and the right results are not; a forger that wrote the harness's own objects out would find the inputs, as they are here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from embedding_course.checking.exercise import Case, Exercise
from embedding_course.checking.expected import Expectation
from embedding_course.checking.observation import Observation
from embedding_course.checking.wire_data import tensors_in

__all__ = ["Attempt"]


@dataclass(frozen=True)
class Attempt:
    """One exercise under one seed, as a forger meets it.

    `asked` are the hidden cases, of which a forger reads arguments and options alone; `forms` are the right observations,
    of which it reads types and shapes alone: a learner can work these out.
    """

    exercise: Exercise
    public: Expectation
    asked: Sequence[Case]
    forms: Sequence[Observation]
    rng: random.Random

    @cached_property
    def told_apart(self) -> Sequence[str]:
        """For each public case a text that is equal where results are. Numbers, flags and short lists may be; two tensors
        with many entries are taken for different."""
        return [_text(result, index) for index, result in enumerate(self.public.expected)]

    @property
    def shipped(self) -> Sequence[Observation]:
        """The right observations of the public cases, in their order."""
        return self.public.expected


def _text(result: Observation, index: int) -> str:
    many = any(math.prod(tensor.shape) > 1 for tensor in tensors_in(result.value))
    return f"result {index}" if many else repr(result)
