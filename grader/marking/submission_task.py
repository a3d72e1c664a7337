"""One submission to mark, and its way from the file to a record."""

import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from nbformat.notebooknode import NotebookNode

from embedding_course.checking.intake.newer_syntax import python_of
from embedding_course.checking.judge import stopped
from embedding_course.checking.public_version import claimed_version, public_version
from embedding_course.exercises import exercises_of
from embedding_course.messages import ENGLISH, Message, edition, in_language

from ..classroom import records
from ..classroom.class_folder import Submission, now
from ..classroom.grade_record import GradeRecord
from ..classroom.policy.notebook_points import head_with_points, with_points
from ..classroom.policy.points import Terms
from ..course_source.notebook import released
from ..course_source.setup_cell import language_of
from ..engine.forks import Starter
from ..submission.notebook_copies import as_json
from ..submission.read import Unreadable, notebook_of, read_bytes
from ..submission.rebuild import notes_of, rebuild, written
from .added_later import without_added_later
from .check_version import check_version, exercise_versions
from .mark import Marked, mark, write_verdicts


@dataclass(frozen=True)
class Task:
    """One submission to mark, with the `terms` of the class.

    `language` is that of the class, for notebooks that name none. With `only`, all other results are taken from the record
    `earlier`, if it was marked under the same terms. `python` is the path of the Python that runs the cells, as in `Run`.
    """

    submission: Submission
    seed: int
    only: str | None = None
    earlier: GradeRecord | None = None
    terms: Terms = field(default_factory=Terms)
    python: str = ""
    language: str = ENGLISH


@dataclass
class Graded:
    """A submission with its record, and the notebook that goes to `autograded/` (empty if the submission is unreadable).

    `reweighed` means that only the points of the class changed and nothing was run. `note` says which of several files
    counts.
    """

    submission: Submission
    record: GradeRecord
    notebook: bytes = b""
    reweighed: bool = False
    note: str = ""


def _facts(task: Task, content: bytes | None) -> dict[str, Any]:
    """Return the fields that every record has.

    The hash is of the content that was marked, because the file may have been replaced since it was found to wait.
    """
    submission = task.submission
    digest = records.digest(submission.path) if content is None else records.digest_of(content)
    return {
        "student": submission.student,
        "topic": submission.topic,
        "seed": task.seed,
        "graded_at": now(),
        "submission": digest,
        "check": check_version(submission.topic),
        "versions": exercise_versions(submission.topic),
        "terms": task.terms.stamp,
        "python": task.python,
    }


def unreadable(task: Task, reason: str, content: bytes | None = None) -> GradeRecord:
    """Return the record of a submission that cannot be read or is no notebook.

    Parameters
    ----------
    task : Task
        Submission and how it is graded.
    reason : str
        Why the file cannot be read, in words for the learner.
    content : bytes, optional
        Content of the file, if it could be read and is no notebook.
    """
    return GradeRecord(status="unreadable", reason=reason, **_facts(task, content))


def content_of(submission: Submission) -> bytes:
    """Return the submitted file, or raise Unreadable if there is none."""
    reason = submission.missing()
    if reason:
        raise Unreadable(reason)
    return read_bytes(submission.path)


def mark_submission(learners: Starter, task: Task, content: bytes | None = None) -> Graded:
    """Mark one submission.

    A file that cannot be read becomes a record that says why.

    Parameters
    ----------
    learners : Starter
        Starts the learners' processes.
    task : Task
        Submission and how it is graded.
    content : bytes, optional
        Content of the file, if it was read already.
    """
    submission = task.submission
    try:
        content = content_of(submission) if content is None else content
        submitted = notebook_of(content)
        read_in = language_of(cell.source for cell in submitted.cells if cell.cell_type == "code") or task.language
        rebuilt = rebuild(with_points(released(submission.topic, read_in), task.terms), submitted, submission.topic)
    except Unreadable as error:
        return Graded(submission, unreadable(task, str(error), content))
    with in_language(read_in):
        return _mark(learners, task, content, submitted, rebuilt)


def _mark(learners: Starter, task: Task, content: bytes, submitted: NotebookNode, rebuilt: NotebookNode) -> Graded:
    submission = task.submission
    facts = {
        **_facts(task, content),
        "written_with": python_of(submitted.metadata),
        "sandbox": f"{learners.level}: {learners.how}",
        "runner": learners.runner,
        "language": edition(),
    }
    marked = _verdicts(learners, task, rebuilt)
    results = task.terms.apply(marked.results)
    notes = [*notes_of(rebuilt), *marked.notes, *_other_checks(submission.topic, submitted)]
    record = GradeRecord(status="graded", notes=notes, results=results, written=written(rebuilt), **facts)
    record.unweighted = marked.results if task.terms.stamp else []
    if task.only and task.earlier:  # the other verdicts are those of then
        record.versions = {**task.earlier.versions, task.only: record.versions[task.only]}
    write_verdicts(rebuilt, results, task.terms.dropped, marked.notes)
    head_with_points(rebuilt, submission.topic, task.terms)
    return Graded(submission, without_added_later(record, submitted), as_json(rebuilt))


def _other_checks(topic: str, submitted: NotebookNode) -> Iterator[str]:
    """Yield a sentence if the receipt in the file says that its public checks were of another version of the course."""
    theirs, ours = claimed_version(submitted.metadata), public_version(topic)
    if theirs and ours and theirs != ours:
        yield str(
            Message(
                "The checks in your notebook were of another version of the course than those that grade it, so a check there "
                "may have said something else. Install the course's new wheel before you go on."
            )
        )


def _verdicts(learners: Starter, task: Task, rebuilt: NotebookNode) -> Marked:
    """Return all verdicts with the points of the lesson, and the notes on how the notebook ran.

    If the task is for one exercise only, the verdict on that exercise is new and the others are those of the earlier record.
    """
    topic, earlier = task.submission.topic, task.earlier
    if not (task.only and earlier and earlier.results and (earlier.unweighted or not earlier.terms)):
        return mark(learners, rebuilt, topic, task.seed)
    marked = mark(learners, rebuilt, topic, task.seed, task.only, earlier.verdicts)
    fresh = {result.exercise: result for result in marked.results}
    return Marked(list(({old.exercise: old for old in earlier.verdicts} | fresh).values()), marked.notes)


def given_up(task: Task, reason: str) -> Graded:
    """Return the record of a submission on which the grader itself failed.

    Such a submission earns nothing, because otherwise making the grader fail would give full marks. A person has to look at
    it.
    """
    submission = task.submission
    text = f"The grader itself failed on this submission ({reason}). A person has to grade it; please tell the authors."
    results = task.terms.apply(
        [
            stopped(exercise, "our fault", "our fault", text, hidden=True, seed=task.seed)
            for exercise in exercises_of(submission.topic)
        ]
    )
    record = GradeRecord(
        student=submission.student,
        topic=submission.topic,
        status="failed",
        reason=text,
        seed=task.seed,
        graded_at=now(),
        submission=records.digest(submission.path),
        results=results,
        terms=task.terms.stamp,
        python=task.python,
    )
    return Graded(submission, record)


def guarded(learners: Starter, task: Task) -> Graded:
    """Mark one submission; an exception of the grader becomes the record of this submission and does not stop the run."""
    try:
        return mark_submission(learners, task)
    except Exception as error:  # no submission may end the grading of a class
        traceback.print_exc()
        return given_up(task, type(error).__name__)
