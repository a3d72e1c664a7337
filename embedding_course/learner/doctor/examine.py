"""Provide `doctor`: run the notebook in a fresh process, as the grader would, and say what would cost points."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...checking.intake.cells import Cell, cells_of
from ...checking.render import show_panel, show_text
from ...checking.result import Result, versions
from ...checking.submission_limits import BASE, MEMORY, SUBMISSION_SECONDS
from ...exercises import find_exercise
from ...messages import Code, Listing, Message, as_text
from ..notebook_tree import answers_digest
from .graded import run_graded
from .report import Finding, Report, Weight, panel
from .run import RunOutcome, run
from .saved import NotOpen, Saved, find
from .static_look import look
from .steps_shown import Tell, steps_shown
from .would_be_graded import Taken, take

_MB = 2**20


def doctor(notebook: str | Path | None = None) -> None:
    """Run the saved notebook in a fresh process, and show what would cost points.

    It finds stubs, missing or broken cells, names that only this kernel has, and cells that need too much time or memory. Save
    the notebook first: only the file counts.

    Parameters
    ----------
    notebook
        A file or a number such as "03"; by default the open notebook.

    Examples
    --------
    >>> doctor("03")  # doctest: +SKIP
    ✔ 03_max_norm · 12 of 12 points in public cases, 3 extra
    """
    try:
        with steps_shown(notebook) as tell:
            report = examine(find(notebook), live_names() if notebook is None else None, tell)
    except NotOpen as error:
        show_text(error)
        return
    show_panel(panel(report))


def live_names() -> dict[str, Any]:
    """Return the names of the kernel in which the notebook is open."""
    return dict(vars(sys.modules["__main__"]))


def examine(saved: Saved, live: Mapping[str, Any] | None = None, tell: Tell = lambda step: None) -> Report:
    """Examine a saved notebook and run what the grader would take from it.

    The grader itself runs it if it is installed, otherwise a fresh Python process.

    Parameters
    ----------
    saved
        The notebook.
    live
        Names of the kernel in which the notebook is open.
    tell
        Called with a description of each step when it begins.

    Raises
    ------
    CourseError
        If no process can be started.
    """
    tell(Message.plural("step 1 of 3: look at {count} cell", "step 1 of 3: look at {count} cells", len(saved.cells)))
    taken = take(saved, released(saved))
    tell(Message("step 2 of 3: run them in a new process, and make the public checks"))
    ran = run_graded(saved) or run(taken.steps, saved.lesson.topic)
    tell(Message("step 3 of 3: write the report"))
    return compose(saved, taken, ran, live)


def compose(saved: Saved, taken: Taken, ran: RunOutcome, live: Mapping[str, Any] | None = None) -> Report:
    """Return the report on a notebook that was examined and run."""
    findings = list(look(saved, taken, live))
    # What such a cell raises when it runs, and that its name is missing afterwards, would be the same fault twice.
    reported = {finding.cell for finding in findings if finding.weight == "lost" and finding.cell is not None}
    findings += [finding for finding in ran.findings if finding.weight == "lost" or finding.cell not in reported]
    failed = {result.exercise.split(".")[1] for result in ran.results if not result.passed}
    for result in ran.results:
        cell = taken.cell(result.exercise.split(".")[1])
        known = result.stage == "name missing" and (cell is None or cell.number in reported)
        if not known and (finding := _verdict(result, failed)):
            findings.append(finding)
    if ran.cpu > SUBMISSION_SECONDS / 2:
        message = Message("It takes {seconds:.0f} s of the {limit} s that a submission has.", seconds=ran.cpu)
        findings.append(Finding("mind", str(message.fill(limit=SUBMISSION_SECONDS))))
    if ran.memory > MEMORY / 2:
        message = Message("It holds {memory:.0f} MB; the grader ends what needs {limit:.0f} MB beyond {base}.")
        message = message.fill(memory=ran.memory / _MB, limit=MEMORY / _MB, base=BASE)
        findings.append(Finding("mind", str(message)))
    return Report(
        topic=saved.lesson.topic,
        file=saved.path.name,
        how=ran.how,
        digest=answers_digest(saved.tree),
        findings=list(dict.fromkeys(findings)),
        results=ran.results,
        cells=len({step.number for step in taken.steps if step.source}),
        cpu=ran.cpu,
        slowest=ran.slowest,
        memory=ran.memory,
        versions=versions(),
    )


def _verdict(result: Result, failed: set[str]) -> Finding | None:
    if result.passed or result.is_stub:
        return None  # A stub was reported already.
    fails = Message("{exercise} does not pass its check from nothing.", exercise=result.exercise)
    parts = [str(fails), result.diagnosis, result.message]
    earlier = [Code(f"`{name}`") for name in find_exercise(result.exercise).uses if name in failed]
    if earlier:  # The grader repeats the check with right answers in their place.
        parts.append(str(Message("It may fail only because it calls {names}; then it costs nothing.", names=Listing(earlier))))
    weight: Weight = "mind" if earlier else "lost" if result.core else "note"
    return Finding(weight, as_text([part for part in parts if part]))


def released(saved: Saved) -> list[Cell]:
    """Return the cells of the lesson as it was handed out; none if `make lab` did not keep them."""
    topic = saved.lesson.topic
    kept = saved.path.resolve().parent.parent / ".released" / f"{topic}.ipynb"
    try:
        return cells_of(json.loads(kept.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        return []
