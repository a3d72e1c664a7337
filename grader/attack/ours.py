"""Grade the red team's class, and the honest odd ones, with the course's own grader."""

from __future__ import annotations

import msgspec
import nbformat.reader

from ..build.notebook import release, source
from ..classroom import Classroom
from ..demo.personas import fill
from ..engine.learner import Patience
from ..engine.learners import Learners
from ..engine.sandbox import Limits
from ..grade import Run, grade_class
from ..marking import mark
from ..submission.rebuild import rebuild
from .honest import TOPIC, VARIANTS
from .stage import TARGET, VICTIM, Finding, Stage, leftovers

__all__ = ["LIMITS", "grade_attacks", "grade_honest"]

#: Small bounds: an attack that lasts shows nothing more by lasting longer.
LIMITS = Limits(memory=512 * 2**20, output=2**20)
PATIENCE = Patience(cpu=2.0, clock=6.0)


def grade_attacks(stage: Stage) -> list[Finding]:
    """Grade the class of a stage that was written. Harm that cannot be laid at one door is everybody's last finding."""
    findings = []
    for graded in grade_class(Classroom(stage.home), [TARGET.lesson.topic], Run(limits=LIMITS, patience=PATIENCE)):
        record = graded.record
        if record.student == VICTIM:
            stage.victim_score = record.score
            continue
        told = msgspec.json.encode(record).decode() + graded.notebook.decode("utf-8", errors="replace")
        statuses = {result.status for result in record.results if result.exercise == TARGET.id}
        findings.append(
            Finding(
                stage.names[record.student], record.score + record.extra, record.status if not statuses else statuses.pop(),
                stage.leaks(told), stage.harm(),
            )
        )  # fmt: skip
    if findings:
        last = findings[-1]
        last.harmed += [] if stage.victim_score == TARGET.points else [f"the victim's score ({stage.victim_score})"]
        last.harmed += [] if stage.book_is_sound() else ["the gradebook"]
        left = leftovers(stage.home)
        last.harmed += [f"{len(left)} processes left"] if left else []
        last.harmed += [] if len(findings) == len(stage.names) else ["the class: not all were graded"]
    return findings


def grade_honest() -> list[tuple[str, list[str]]]:
    """Each honest variant with the exercises in which it lost a mark."""
    empty = release(source(TOPIC))
    found = []
    with Learners(topics=[TOPIC]) as learners:
        for variant in VARIANTS:
            notebook = nbformat.reads(fill(TOPIC, empty, "perfect", 0, 0).content.decode("utf-8"), as_version=4)
            variant(notebook)
            read = nbformat.convert(nbformat.reader.reads(nbformat.v4.writes(notebook)), 4)
            results = mark(learners, rebuild(empty, read, TOPIC), TOPIC, seed=7)
            found.append((variant.__name__.replace("_", " "), [one.exercise for one in results if not one.passed]))
    return found
