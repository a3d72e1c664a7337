"""Grade the red team's class, and the honest odd ones, with the course's own grader."""

from collections.abc import Sequence

import msgspec
import nbformat.reader

from embedding_course.exercises import exercises_of
from grader.classroom.class_folder import Classroom
from grader.course_source.notebook import release, source
from grader.course_source.prepared import prepared
from grader.engine.fork_server import Learners
from grader.engine.forks import Starter
from grader.engine.learner_proxy import TimeLimits
from grader.engine.sandbox import Level, Limits
from grader.marking.grade_class import grade_class
from grader.marking.hidden_check import fresh_seed
from grader.marking.mark import mark
from grader.marking.run import Run
from grader.quality.demo.personas import fill
from grader.submission.read import notebook_of
from grader.submission.rebuild import rebuild

from . import (  # noqa: F401 - they fill the catalogue
    honest_cells,
    honest_files,
    honest_magics,
    honest_names,
    honest_python,
    honest_values,
)
from .odd_notebooks import ODD, Odd
from .stage import VICTIM, Outcome, Stage, leftovers
from .targets import TARGETS

#: Small bounds: an attack that lasts shows nothing more by lasting longer.
LIMITS = Limits(memory=512 * 2**20, output=2**20)
TIME_LIMITS = TimeLimits(cpu=2.0, clock=6.0, whole_cpu=8.0, whole_clock=10.0)


def grade_attacks(stage: Stage, strongest: Level = "full") -> list[Outcome]:
    """Grade the class of a stage that was written, at this level of the sandbox at most.

    Harm that cannot be assigned to one attacker is entered in everybody's last finding.
    """
    findings, seed = [], fresh_seed()
    run = Run(seed=seed, limits=LIMITS, time_limits=TIME_LIMITS, strongest=strongest)
    _only_marks(stage.topics, seed)
    for graded in grade_class(Classroom(stage.home), stage.topics, run):
        record = graded.record
        if record.student == VICTIM:
            stage.unharmed |= {record.topic} if record.score == record.max_score else set()
            continue
        attempt = stage.names[record.student]
        visible_text = msgspec.json.encode(record).decode() + graded.notebook.decode("utf-8", errors="replace")
        stumbled = record.status == "failed" or any(exercise_result.status == "our fault" for exercise_result in record.results)
        statuses = {result.status for result in record.results if result.exercise == attempt.exercise.id}
        findings.append(
            Outcome(
                attempt,
                record.score + record.extra,
                record.status if not statuses else statuses.pop(),
                stage.leaks(visible_text, attempt.exercise),
                stage.harm() + (["the grader"] if stumbled else []),
            )
        )
    if findings:
        last = findings[-1]
        last.harmed += [f"the victim's score in {topic}" for topic in stage.topics if topic not in stage.unharmed]
        last.harmed += [] if stage.book_is_sound() else ["the gradebook"]
        left = leftovers(stage.home)
        last.harmed += [f"{len(left)} processes left"] if left else []
        last.harmed += [] if len(findings) == len(stage.names) else ["the class: not all were graded"]
    return findings


def _only_marks(topics: Sequence[str], seed: int) -> None:
    """Leave out the known mistakes in nine notebooks of ten.

    Nobody here reads a mistake's name, and to compute them all takes longer than the attacks.
    """
    for topic in topics:
        for exercise in exercises_of(topic) if topic != TARGETS[0].lesson.topic else ():
            prepared(exercise.id, seed).fingerprints = ()


def grade_honest() -> list[tuple[str, list[str]]]:
    """Return each honest variant with the exercises in which it lost a mark.

    First come those made of notebook 03 of our own course, then the odd notebooks of all its lessons.
    """
    from .honest import TOPIC, VARIANTS

    empty = release(source(TOPIC))
    losses = []
    with Learners(topics=[TOPIC], time_limits=TIME_LIMITS) as learners:
        for variant in VARIANTS:
            notebook = nbformat.reads(fill(TOPIC, empty, "perfect", 0).content.decode("utf-8"), as_version=4)
            variant(notebook)
            read = nbformat.convert(nbformat.reader.reads(nbformat.v4.writes(notebook)), 4)
            results = mark(learners, rebuild(empty, read, TOPIC), TOPIC, seed=7).results
            losses.append((variant.__name__.replace("_", " "), [result.exercise for result in results if not result.passed]))
    with Learners() as learners:
        _only_marks(sorted({odd.topic for odd in ODD} - {TOPIC}), seed=7)
        losses += [(f"{odd.number}: {odd.name}", lost_by(learners, odd)) for odd in ODD]
    return losses


def lost_by(learners: Starter, odd: Odd, seed: int = 7) -> list[str]:
    """Return the exercises in which an odd notebook lost a mark."""
    submitted = notebook_of(nbformat.writes(odd.make()).encode("utf-8"))
    results = mark(learners, rebuild(release(source(odd.topic)), submitted, odd.topic), odd.topic, seed=seed).results
    return [result.exercise for result in results if not result.passed]
