"""What `grader grade` says at its end: how many, what is wrong on our side, and from whom nothing came."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import typer

from ..classroom.name_list import first_names

if TYPE_CHECKING:
    from ..classroom.policy.course import Course
    from ..marking.submission_task import Graded

_NAMED = 10


@dataclass
class Tally:
    """The counts of a run.

    Submissions themselves are not kept, because those of a large class would fill the memory.
    """

    graded: int = 0
    unreadable: int = 0
    levels: set[str] = field(default_factory=set)
    ours: set[str] = field(default_factory=set)
    waiting: int = 0
    reason: str = ""
    reweighed: int = 0
    seen: set[tuple[str, str]] = field(default_factory=set)
    written_with: Counter[str] = field(default_factory=Counter)

    def add(self, graded: Graded) -> None:
        """Count one graded submission."""
        record = graded.record
        if graded.reweighed:
            self.reweighed += 1
            return
        self.seen.add((graded.submission.student, record.topic))
        self.graded += record.status == "graded"
        self.unreadable += record.status != "graded"
        self.levels |= {record.sandbox} - {""}
        self.ours |= {result.exercise for result in record.results if result.status == "our fault"}
        self.written_with[record.written_with] += 1
        if not record.stored:
            self.waiting, self.reason = self.waiting + 1, record.reason


def close(tally: Tally, before: int, force: bool) -> None:
    """Print what the run comes to, and what to do next.

    Parameters
    ----------
    tally : Tally
        Counts of the run.
    before : int
        Number of submissions that were graded already.
    force : bool
        True if the run was forced.
    """
    if before and force:
        typer.echo(f"{before} were graded by the forced run that was ended half way; this one went on with it.")
    elif before:
        typer.echo(f"{before} already graded: the same file under the same checks (--force grades them again).")
    if tally.reweighed:
        typer.echo(f"{tally.reweighed} weighed anew by the points of course.toml; nobody's answers ran again.")
    levels = ", ".join(sorted(tally.levels))
    typer.echo(f"{tally.graded} graded, {tally.unreadable} unreadable." + (f" Sandbox {levels}." if levels else ""))
    if tally.ours:
        typer.secho(
            f"OUR FAULT: the grader or its own answer failed at {', '.join(sorted(tally.ours))}. Where its answer "
            "failed, everybody has full marks; a submission said to have failed waits for you. Run `grader audit`, and "
            "tell the authors.",
            fg="red",
            bold=True,
            err=True,
        )
    if tally.waiting:
        typer.echo(
            f"{tally.waiting} results wait in results/: {tally.reason}. "
            "Run grader grade again once it can be written; nothing is marked twice.",
            err=True,
        )
        raise typer.Exit(2)


def warn_of_newer(tally: Tally, python: str) -> None:
    """Say how many notebooks were written with a newer Python than the one that ran them."""
    from embedding_course.checking.intake.newer_syntax import version_of

    from ..engine.interpreter import version_of_python

    known = {name: version for name in tally.written_with if (version := version_of(name))}
    here = version_of(version_of_python(python)) if python and known else (sys.version_info.major, sys.version_info.minor)
    newer: Counter[str] = Counter()
    for name, version in known.items():
        if here and version > here:
            newer[f"{version[0]}.{version[1]}"] += tally.written_with[name]
    if here and newer:
        counts = ", ".join(f"{count} notebook{'s' * (count > 1)} with {name}" for name, count in sorted(newer.items()))
        typer.echo(
            f"Written with a newer Python than the {here[0]}.{here[1]} that graded: {counts}. Syntax that it does not know "
            "costs points; course.toml can name another Python ([learners])."
        )


def name_absent(course: Course, chosen: list[str], there: set[tuple[str, str]]) -> None:
    """Print who of the class handed in nothing, by notebook; those whose time is not over are only counted.

    Parameters
    ----------
    course : Course
    chosen : list of str
        Names of the notebooks.
    there : set of (str, str)
        Student and notebook of each submission that came.
    """
    from ..classroom.policy.course import people_of
    from ..classroom.roster import BadRoster

    try:
        people = [person.id for person in people_of(course).people]
    except BadRoster:
        return  # reported already
    for topic in chosen:
        absent = [name for name in people if (name, topic) not in there]
        if not absent or len(absent) == len(people):
            continue
        waited = {name for name in absent if (due := course.due(topic, name)) is not None and due > datetime.now(UTC)}
        names = [name for name in absent if name not in waited]
        text = f": {first_names(names, _NAMED)}" if names else ""
        time = f"; {len(waited)} of them have time still" if waited else ""
        typer.echo(f"{topic}: nothing came from {len(absent)} of {len(people)}{text}{time}.")
