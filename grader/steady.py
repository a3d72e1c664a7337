"""Do right answers ever fail? Every right form meets many sets of fresh hidden cases, with one thread and with two."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

from embedding_course.exercises import exercise as find

from .audit import before, candidates
from .engine.learner import Crashed, TimedOut
from .engine.learners import Learners
from .hidden import Prepared, check

__all__ = ["THREADS", "Steadiness", "carried_over", "section", "steadiness", "with_section"]

THREADS = (1, 2)
TITLE = "## Steadiness of the checks"


@dataclass
class Steadiness:
    """Of one exercise: how many right forms were tried, how many checks were made, and a sentence for each that failed."""

    exercise: str
    forms: int = 0
    checks: int = 0
    failed: list[str] = field(default_factory=list)


def steadiness(names: Sequence[str], seeds: Sequence[int], jobs: int | None = None) -> Iterator[Steadiness]:
    """Several exercises at a time; each seed's cases are drawn once and tried by all right forms."""
    jobs = jobs or len(os.sched_getaffinity(0))
    if jobs == 1 or len(names) == 1:
        yield from (_one(name, seeds) for name in names)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(_one, names, [seeds] * len(names))


def _one(name: str, seeds: Sequence[int]) -> Steadiness:
    exercise, found = find(name), Steadiness(name)
    forms = [entry for entry in candidates(exercise) if entry.kind == "right form"]
    found.forms = len(forms)
    ready = [Prepared(exercise, seed) for seed in seeds]
    ahead = before(exercise)
    with Learners() as learners:
        for form in forms:
            for threads in THREADS:
                cells = [f"import torch\ntorch.set_num_threads({threads})", *ahead, form.source]
                try:
                    with learners.start(cells) as learner:
                        for seed, cases in zip(seeds, ready, strict=True):
                            result = check(learner, exercise, seed, cases)
                            found.checks += 1
                            if not result.passed:
                                found.failed.append(f"{name} {form.slug}, seed {seed}, {threads} threads: {result.message}")
                except (Crashed, TimedOut) as error:
                    found.failed.append(f"{name} {form.slug}, {threads} threads: {type(error).__name__} {error}")
    return found


def section(found: Iterable[Steadiness], seeds: int) -> str:
    """What `docs/benchmarks.md` says of it."""
    found = list(found)
    forms, checks, failed = (sum(map(count, found)) for count in (_forms, _checks, _failures))
    return (
        f"{TITLE}\n\nMade by `grader steady --seeds {seeds}`: the reference and every other right form in the catalogue of "
        f"{len(found)} exercises ({forms:,} in all) met {seeds} sets of fresh hidden cases, once with one thread of torch and "
        f"once with two. **{failed} of {checks:,} checks failed.**\n"
    )


def _forms(entry: Steadiness) -> int:
    return entry.forms


def _checks(entry: Steadiness) -> int:
    return entry.checks


def _failures(entry: Steadiness) -> int:
    return len(entry.failed)


def with_section(page: str, text: str) -> str:
    """`page` with its section on steadiness replaced by `text`, or `text` at its end."""
    head, found, tail = page.partition(TITLE)
    rest = tail.partition("\n## ")[2] if found else ""
    return head.rstrip() + "\n\n" + text.rstrip() + "\n" + (f"\n## {rest}" if rest else "")


def carried_over(old: str, new: str) -> str:
    """A new page with the old one's section on steadiness, which another command measures."""
    _, found, tail = old.partition(TITLE)
    return with_section(new, TITLE + tail.partition("\n## ")[0]) if found else new
