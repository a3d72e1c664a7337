"""Audit the checks: find out whether they themselves are right.

Every mistake must be caught, at the stage and under the name that its catalogue entry states. Every right form and the
reference must pass. The untouched stub must count as not attempted. A forger, which returns results without computing them,
must earn nothing. Each candidate runs in a learner's process of its own with fresh inputs, so that it cannot affect the next.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from multiprocessing import get_context

from embedding_course.checking.exercise import Exercise, all_or_nothing
from embedding_course.checking.expected import PUBLIC_SEED, load
from embedding_course.checking.result import Result, number
from embedding_course.exercises import find_exercise, named
from embedding_course.learner.doctor.run import missing

from ..course_source.catalogue import Mistake, mistakes_of, reference_source, right_forms_of, survivors_of, why_few
from ..course_source.lesson import given_cells
from ..course_source.prepared import ReferenceFailed, prepared
from ..course_source.stub import definition, solution_source
from ..engine.fork_server import Learners
from ..engine.learner_proxy import Crashed, TimedOut
from ..engine.time_budget import NO_TOTAL_LIMIT
from ..marking.hidden_check import check
from .explained import explained, holds
from .forgers import Attempt, forgers
from .mutants import mutants

__all__ = ["Audit", "Candidate", "audit", "audit_exercise", "before", "candidates"]

MIN_MISTAKES, MIN_RIGHT_FORMS = 5, 3


@dataclass(frozen=True)
class Candidate:
    """Something to be checked: its kind, its source, and what the check should say of it."""

    kind: str
    slug: str
    source: str
    stages: tuple[str, ...] = ("passed",)
    mistake: str | None = None


@dataclass
class Audit:
    """What the audit of one exercise found. `faults` are sentences; none means clean."""

    exercise: str
    counts: dict[str, tuple[int, int]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    forgers: int = 0
    explained: int = 0
    mistakes: int = 0
    paid: int = 0
    mutants: int = 0
    survivors: list[tuple[str, str]] = field(default_factory=list)

    def count(self, what: str, good: bool) -> None:
        """Count one candidate of the kind `what`, and whether it came out as it must."""
        done, whole = self.counts.get(what, (0, 0))
        self.counts[what] = (done + good, whole + 1)


def candidates(exercise: Exercise) -> Iterable[Candidate]:
    """Yield the stub, the reference, every mistake and every right form of an exercise."""
    text = definition(reference_source(exercise), exercise.name)
    yield Candidate("stub", "stub", stub_source(text), ("not attempted",))
    yield Candidate("right form", "reference", reference_source(exercise))
    for mistake in mistakes_of(exercise):
        yield Candidate("mistake", mistake.slug, mistake.source, mistake.stages, mistake.slug)
    for form in right_forms_of(exercise):
        yield Candidate("right form", form.slug, form.source)


def stub_source(text: str) -> str:
    """Return the stub as nbgrader cuts it from the marked solution."""
    from nbformat.v4 import new_code_cell
    from nbgrader.preprocessors import ClearSolutions

    cell = new_code_cell(solution_source(text))
    ClearSolutions()._replace_solution_region(cell, "python")
    return cell.source


def audit_exercise(exercise_id: str, seeds: Sequence[int], with_mutants: bool = True, shared: Learners | None = None) -> Audit:
    """Audit one exercise.

    Parameters
    ----------
    exercise_id : str
    seeds : sequence of int
        Seeds to audit with; mutants are tried with the first two.
    with_mutants : bool, optional
        True if mutants of the reference are tried.
    shared : Learners, optional
        Learner processes to be reused, which stay open.
    """
    exercise = find_exercise(exercise_id)
    audit = Audit(exercise_id)
    _enough(exercise, audit)
    if not _can_be_tried(exercise, audit):
        return audit
    ahead = before(exercise)
    tried = list(candidates(exercise))
    with nullcontext(shared) if shared else Learners(topics=[exercise.lesson.topic]) as learners:
        for candidate in tried:
            _examine(learners, exercise, ahead, candidate, seeds, audit)
        if with_mutants:
            _try_mutants(learners, exercise, ahead, seeds[:2], audit)
    for seed in seeds:
        _try_forgers(exercise, seed, audit)
    slugs = {candidate.mistake for candidate in tried}
    for seed in seeds[:1]:
        _try_to_explain(exercise, [mistake for mistake in mistakes_of(exercise) if mistake.slug in slugs], seed, audit)
    return audit


def _try_to_explain(exercise: Exercise, mistakes: Iterable[Mistake], seed: int, audit: Audit) -> None:
    """Explain each mistake as if it were not in the catalogue, and record an explanation that does not hold on other cases."""
    for mistake in mistakes:
        audit.mistakes += 1
        relation = explained(exercise, mistake, seed)
        if relation is None:
            continue
        audit.explained += 1
        if not holds(exercise, mistake, relation, seed + 1):
            audit.faults.append(
                f"{exercise.id} mistake {mistake.slug}: “{relation.says}” holds of few other cases (seed {seed})"
            )


def _try_forgers(exercise: Exercise, seed: int, audit: Audit) -> None:
    """Record every forger that earns points; no learner's process is needed, because forgers run no learner's code."""
    ready, shipped = prepared(exercise.id, seed), load(exercise)
    for name, seen in forgers(Attempt(exercise, shipped, ready.cases, ready.expected, random.Random(seed))):
        score = ready.points_of(seen)
        audit.forgers += 1
        audit.paid += score > 0
        if score > 0:
            audit.faults.append(
                f"{exercise.id} forger “{name}”: earns {number(score)} of {number(exercise.points)} (seed {seed})"
            )


def _try_mutants(learners: Learners, exercise: Exercise, ahead: Sequence[str], seeds: Sequence[int], audit: Audit) -> None:
    reasons = {survivor.change: survivor.reason for survivor in survivors_of(exercise)}
    for mutant in mutants(reference_source(exercise), exercise.name):
        audit.mutants += 1
        if _survives(learners, exercise, [*ahead, mutant.source], seeds):
            reason = reasons.pop(mutant.change, "")
            audit.survivors.append((mutant.change, reason))
            if not reason:
                audit.faults.append(f"{exercise.id} mutant survives, and no reason is written down: {mutant.change}")
    for change in reasons:
        audit.faults.append(f"{exercise.id}: a reason is written down for a mutant that does not survive: {change}")


def _survives(learners: Learners, exercise: Exercise, cells: Sequence[str], seeds: Sequence[int]) -> bool:
    try:
        with learners.start(cells, replace(NO_TOTAL_LIMIT, cpu=5.0)) as learner:
            return all(check(learner, exercise, seed, prepared(exercise.id, seed)).passed for seed in seeds)
    except (Crashed, TimedOut):
        return False


def before(exercise: Exercise) -> list[str]:
    """Return the cells before an answer in the notebook: the given cells, and right answers to the exercises that it uses."""
    earlier = [reference_source(find_exercise(f"{exercise.number}.{name}")) for name in exercise.uses]
    return [*given_cells(exercise.lesson.topic), *earlier]


def _enough(exercise: Exercise, audit: Audit) -> None:
    for what, have, wanted in (
        ("mistakes", len(mistakes_of(exercise)), MIN_MISTAKES),
        ("right forms", len(right_forms_of(exercise)), MIN_RIGHT_FORMS),
    ):
        if have < wanted and not why_few(exercise, what):
            audit.faults.append(f"{exercise.id} has {have} {what}; {wanted} are wanted, or `# few {what}` with the reason")


def _can_be_tried(exercise: Exercise, audit: Audit) -> bool:
    """Return True if there is a right answer and it was built; otherwise record the fault, and nothing can be tried."""
    try:
        prepared(exercise.id, PUBLIC_SEED).expected  # noqa: B018 - raises where there is no right answer
        load(exercise)
    except (ReferenceFailed, LookupError) as error:
        audit.faults.append(f"{exercise.id}: there is no right answer yet ({error})")
    except OSError:
        audit.faults.append(f"{exercise.id} was never built: run `grader build {exercise.number}`")
    else:
        return True
    return False


def _examine(
    learners: Learners, exercise: Exercise, ahead: Sequence[str], candidate: Candidate, seeds: Sequence[int], audit: Audit
) -> None:
    cells = [*ahead, candidate.source]
    results: list[tuple[str, Result]] = []
    try:
        with learners.start(cells, NO_TOTAL_LIMIT) as learner:
            if learner.errors[-1]:
                audit.faults.append(f"{exercise.id} {candidate.slug}: its source raises {learner.errors[-1]}")
            results.append(("public", learner.public(exercise) or missing(exercise, attempted=True)))
            results += [(f"seed {seed}", check(learner, exercise, seed, prepared(exercise.id, seed))) for seed in seeds]
    except (Crashed, TimedOut) as error:
        audit.faults.append(f"{exercise.id} {candidate.slug}: {type(error).__name__} {error}")
    _verdict(exercise, candidate, results, audit)


def _verdict(exercise: Exercise, candidate: Candidate, results: list[tuple[str, Result]], audit: Audit) -> None:
    right_stage = [(where, result) for where, result in results if result.stage in candidate.stages]
    complete = bool(results)
    if candidate.kind == "mistake":
        caught = [result for _, result in results if not result.passed]
        named = [result for _, result in results if result.mistake == candidate.mistake]
        audit.count("mistakes caught", complete and len(caught) == len(results) == len(right_stage))
        audit.count("named", complete and len(named) == len(results))
        _steady(exercise, candidate, results, audit)
        _tell(exercise, candidate, results, audit)
    elif candidate.kind == "right form":
        audit.count("right forms accepted", complete and all(result.passed for _, result in results))
        _tell(exercise, candidate, results, audit)
    else:
        audit.count("stubs not attempted", complete and len(right_stage) == len(results))
        _tell(exercise, candidate, results, audit)


def _steady(exercise: Exercise, candidate: Candidate, results: list[tuple[str, Result]], audit: Audit) -> None:
    """Record a mistake whose score depends on the seed, unless the exercise has a criterion with a share of its own.

    Such shares are estimates, which may depend on the seed.
    """
    if any(criterion.share is not all_or_nothing for criterion in exercise.criteria):
        return
    scores = {result.score for where, result in results if where != "public"}
    if len(scores) > 1:
        audit.faults.append(f"{exercise.id} mistake {candidate.slug}: earns {sorted(scores)}, depending on the seed")


def _tell(exercise: Exercise, candidate: Candidate, results: list[tuple[str, Result]], audit: Audit) -> None:
    """Record one sentence about the first check whose outcome is not the one in the catalogue."""
    for where, result in results:
        wrong_name = candidate.kind == "mistake" and result.mistake != candidate.mistake
        if result.stage not in candidate.stages or wrong_name:
            share = sum(
                outcome.stage not in candidate.stages or (candidate.kind == "mistake" and outcome.mistake != candidate.mistake)
                for _, outcome in results
            )
            audit.faults.append(
                f"{exercise.id} {candidate.kind} {candidate.slug}: "
                f"foretold {' or '.join(candidate.stages)}/{candidate.mistake}, "
                f"{where} says {result.stage!r}/{result.mistake} ({share} of {len(results)} checks): {result.message}"
            )
            return


def audit(only: Sequence[str], seeds: int, jobs: int | None = None, with_mutants: bool = True) -> list[Audit]:
    """Audit exercises, several at a time.

    Parameters
    ----------
    only : sequence of str
        Exercises or notebooks ("03"); all if empty.
    seeds : int
        Number of seeds.
    jobs : int, optional
        Number of processes; by default one for each processor.
    with_mutants : bool, optional
        True if mutants of the references are tried.
    """
    chosen = [exercise.id for exercise in named(only)]
    numbers = list(range(1000, 1000 + seeds))
    jobs = jobs or len(os.sched_getaffinity(0))
    if jobs == 1 or len(chosen) == 1:
        return [audit_exercise(exercise, numbers, with_mutants) for exercise in chosen]
    with ProcessPoolExecutor(min(jobs, len(chosen)), mp_context=get_context("spawn")) as pool:
        return list(pool.map(audit_exercise, chosen, [numbers] * len(chosen), [with_mutants] * len(chosen)))
