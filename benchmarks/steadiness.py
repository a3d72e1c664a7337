"""Test that right answers never fail: try every right form on many sets of fresh hidden cases.

Half of the sets run with one thread, half with two.

Run as ``python -m benchmarks.steadiness EXERCISE...``; with none named, all are tried.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from embedding_course.exercises import find_exercise, known, named
from embedding_course.subject.course import course
from embedding_course.subject.tensors import TENSORS
from grader.cli.platform_needed import needs_linux
from grader.course_source.prepared import Prepared
from grader.engine.fork_server import Learners
from grader.engine.learner_proxy import Crashed, TimedOut
from grader.engine.time_budget import NO_TOTAL_LIMIT
from grader.marking.hidden_check import check
from grader.paths import ROOT
from grader.quality.audit import Candidate, before, candidates

from .benchmarks_page import with_section

__all__ = ["THREADS", "Counts", "Steadiness", "carried_over", "kept", "section", "steadiness"]

THREADS = (1, 2)
TITLE = "## Steadiness of the checks"
#: Sections that `make bench` does not measure.
_MADE_BY_OTHERS = (TITLE, "## Marking written answers")
_IN_ONE_PROCESS = 20  # seeds: a learner's process has only so much processor time


@dataclass
class Steadiness:
    """What was found of one exercise.

    Attributes
    ----------
    forms, checks
        How many right forms were tried, and how many checks were made.
    failed
        A sentence for each check that failed.
    """

    exercise: str
    forms: int = 0
    checks: int = 0
    failed: list[str] = field(default_factory=list)


def steadiness(
    names: Sequence[str], seeds: Sequence[int], jobs: int | None = None, shared: Learners | None = None
) -> Iterator[Steadiness]:
    """Yield what was found of each exercise as soon as it is done; several are tried at a time.

    A seed's cases are drawn once for all right forms. `shared` are learners that stay open, to be used where one process
    does everything.
    """
    jobs = jobs or len(os.sched_getaffinity(0))
    if jobs == 1 or len(names) == 1:
        yield from (_one(name, seeds, shared) for name in names)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(_one, name, seeds) for name in names]):
            yield done.result()


def _one(name: str, seeds: Sequence[int], shared: Learners | None = None) -> Steadiness:
    exercise, outcome = find_exercise(name), Steadiness(name)
    forms = [candidate for candidate in candidates(exercise) if candidate.kind == "right form"]
    outcome.forms = len(forms)
    ready = [Prepared(exercise, seed) for seed in seeds]
    ahead = before(exercise)
    with nullcontext(shared) if shared else Learners(topics=[exercise.lesson.topic]) as learners:
        for form, (threads, batch) in product(forms, _batches(ready)):
            _try(learners, ahead, form, threads, batch, outcome)
    return outcome


def _batches(ready: Sequence[Prepared]) -> Iterator[tuple[int, Sequence[Prepared]]]:
    """Yield a number of threads with the sets of cases to try with it, in portions that one process can serve."""
    for turn, threads in enumerate(THREADS):
        dealt = ready[turn :: len(THREADS)]
        for start in range(0, len(dealt), _IN_ONE_PROCESS):
            yield threads, dealt[start : start + _IN_ONE_PROCESS]


def _try(
    learners: Learners, ahead: Sequence[str], form: Candidate, threads: int, batch: Sequence[Prepared], outcome: Steadiness
) -> None:
    """Try one right form on some sets of cases, in one process."""
    cells = [*([f"import torch\ntorch.set_num_threads({threads})"] if TENSORS else []), *ahead, form.source]
    try:
        with learners.start(cells, NO_TOTAL_LIMIT) as learner:
            for cases in batch:
                result = check(learner, cases.exercise, cases.seed, cases)
                outcome.checks += 1
                if not result.passed:
                    outcome.failed.append(f"{form.slug}, seed {cases.seed}, {threads} threads: {result.message}")
    except (Crashed, TimedOut) as error:
        outcome.failed.append(f"{form.slug}, {threads} threads: {type(error).__name__} {error}")


class Counts(msgspec.Struct):
    """What is stored of one exercise: its right forms, the sets of cases that each met, all checks, and those that failed."""

    forms: int
    seeds: int
    checks: int
    failed: int


def kept(file: Path, outcomes: Iterable[Steadiness], seeds: int) -> dict[str, Counts]:
    """Enter what was found into `file` (JSON, by exercise), and return all that is in it of exercises that exist.

    A run over everything takes hours, so exercises may be run one by one, and again after they were changed.
    """
    stands = msgspec.json.decode(file.read_bytes(), type=dict[str, Counts]) if file.exists() else {}
    stands |= {record.exercise: Counts(record.forms, seeds, record.checks, len(record.failed)) for record in outcomes}
    stands = {name: stands[name] for name in known() if name in stands}
    lines = [f"{msgspec.json.encode(name).decode()}: {msgspec.json.encode(record).decode()}" for name, record in stands.items()]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return stands


def section(stands: Mapping[str, Counts]) -> str:
    """Return the section of `docs/benchmarks.md`."""
    entries = list(stands.values())
    forms, checks, failed = (sum(getattr(counts, what) for counts in entries) for what in ("forms", "checks", "failed"))
    least, most = min(counts.seeds for counts in entries), max(counts.seeds for counts in entries)
    sets = f"{least}" if least == most else f"{least} to {most}"
    left = [name for name in known() if name not in stands]
    more = f" Not run yet: {', '.join(left)}." if left else ""
    return (
        f"{TITLE}\n\nMade by `python -m benchmarks.steadiness`, which keeps what it counted in `docs/steadiness.json`: "
        "the reference and every "
        f"other right form in the catalogue of {len(entries)} exercises ({forms:,} in all) met {sets} sets of fresh hidden "
        f"cases, half of them with one thread of torch and half with two. **{failed} of {checks:,} checks failed.**{more}\n"
    )


def carried_over(old: str, new: str) -> str:
    """Return the new page with the old one's sections that other commands measure."""
    for title in _MADE_BY_OTHERS:
        _, heading, tail = old.partition(title)
        if heading:
            new = with_section(new, title + tail.partition("\n## ")[0])
    return new


def steady(
    exercises: Annotated[list[str] | None, typer.Argument(help="Only these: 01.one_hot, or 01 for a notebook.")] = None,
    seeds: Annotated[int, typer.Option(min=1, help="How many sets of fresh hidden cases each right form meets.")] = 200,
    jobs: Annotated[int | None, typer.Option(help="Processes; as many as cores unless said.")] = None,
) -> None:
    """Try every right form on many seeds, half with one thread, half with two. Exit 1 if a right answer fails."""
    needs_linux()
    names = [exercise.id for exercise in named(exercises or [])]
    page, failed = ROOT / "docs" / "benchmarks.md", False
    for outcome in steadiness(names, range(5000, 5000 + seeds), jobs):
        typer.echo(f"{outcome.exercise}: {outcome.forms} right forms, {outcome.checks:,} checks, {len(outcome.failed)} failed")
        for sentence in outcome.failed[:3]:
            typer.echo(f"  ✘ {sentence}")
        failed = failed or bool(outcome.failed)
        if not course().ours:
            continue
        stands = kept(page.with_name("steadiness.json"), [outcome], seeds)
        page.write_text(with_section(page.read_text(encoding="utf-8"), section(stands)), encoding="utf-8")
    if course().ours:
        typer.echo("Entered in docs/steadiness.json and docs/benchmarks.md.")
    raise typer.Exit(1 if failed else 0)


if __name__ == "__main__":
    typer.run(steady)
