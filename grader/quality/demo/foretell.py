"""What known mistakes earn, judged here and not by the grader: each mistake once, on all cores."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor

from embedding_course.checking.observe import observe
from embedding_course.subject.tensors import torch

from ...course_source.catalogue import callable_of, mistakes_of
from ...course_source.prepared import prepared

__all__ = ["foretell", "score_of"]

#: An exercise's id, and the slug of a mistake in it.
Mistaken = tuple[str, str]
#: How many neighbouring mistakes one process judges: mistakes in the same exercise share its cases.
_NEIGHBOURS = 8


def foretell(
    mistaken: Iterable[Mistaken], seed: int, each: Callable[[int], None] = lambda count: None
) -> dict[Mistaken, float]:
    """Return the score of each mistake on the hidden cases.

    Parameters
    ----------
    mistaken : iterable of Mistaken
        Exercise and mistake of each answer.
    seed : int
        Seed of the hidden cases.
    each : callable, optional
        Called with the number of mistakes, once for each that is done.
    """
    wanted = sorted(set(mistaken))
    scores = {}
    with ProcessPoolExecutor(len(os.sched_getaffinity(0)), multiprocessing.get_context("fork")) as pool:
        for pair, score in zip(wanted, pool.map(_score, wanted, [seed] * len(wanted), chunksize=_NEIGHBOURS), strict=True):
            scores[pair] = score
            each(len(wanted))
    return scores


def _score(pair: Mistaken, seed: int) -> float:
    torch.set_num_threads(1)
    return score_of(*pair, seed)


def score_of(exercise_id: str, slug: str, seed: int) -> float:
    """Return what a mistake earns on the hidden cases.

    Parameters
    ----------
    exercise_id : str
    slug : str
        Name of the mistake.
    seed : int
        Seed of the hidden cases.
    """
    ready = prepared(exercise_id, seed)
    exercise = ready.exercise
    source = next(mistake.source for mistake in mistakes_of(exercise) if mistake.slug == slug)
    answer = callable_of(source, exercise)
    return ready.points_of([observe(exercise, answer, case) for case in ready.cases])
