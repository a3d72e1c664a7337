"""Grade the one submission that lies in Gradescope's folders, after `start` has forked the learners' process.

What is printed is shown to the instructor alone; what a student may read goes into results.json.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from embedding_course.checking.render import as_text
from embedding_course.checking.result import Result, number
from embedding_course.checking.seed import storable
from embedding_course.files import atomic_write

from ...classroom.class_folder import Submission
from ...classroom.grade_record import GradeRecord
from ...engine.fork_server import Learners, NoSandbox
from ...marking.open_marker import open_marker
from ...marking.run import Run
from ...marking.submission_task import Graded, Task
from ..settings import Settings, Visibility, read_settings


def results_of(record: GradeRecord, visibility: Visibility = "visible") -> dict[str, Any]:
    """Return the content of results.json. Lateness is left out: Gradescope knows the deadline, and takes what it is told to.

    Everything is plain text: what a learner wrote may be quoted in it, and nothing of that becomes HTML. What the program
    prints is for the instructor alone.
    """
    tests = [test for result in record.results for test in _tests(result)]
    return {
        "score": round(record.score + record.extra, 4),
        "output": "\n".join(_about(record)),
        "output_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "tests": [{**test, "number": str(test_number), "visibility": visibility} for test_number, test in enumerate(tests, 1)],
        "extra_data": {"seed": record.seed, "check": record.check, "sandbox": record.sandbox},
    }


def _about(record: GradeRecord) -> Iterator[str]:
    """Yield what is said of the submission as a whole."""
    if record.status != "graded":
        yield f"{record.status}: {record.reason}"
        return
    extra = f", and {number(record.extra)} of extra credit" if record.extra else ""
    yield f"{number(record.score)} of {number(record.max_score)} points{extra}."
    yield from record.notes
    if any(record.written.values()):
        yield "A written answer waits for a person."


def _tests(result: Result) -> Iterator[dict[str, Any]]:
    """Yield an entry for each criterion.

    The text of the first is the whole verdict; the others state their criterion and what falls short.
    """
    title = f"{result.exercise} {result.title}" + ("" if result.core else " (extra credit)")
    criteria = result.criteria
    if (
        abs(sum(criterion.earned for criterion in criteria) - result.score) > 1e-3
    ):  # where our own answer failed all points are given
        yield {"name": title, **_entry(result.score, result.max_score, result.passed, as_text(result))}
        return
    for index, part in enumerate(criteria):
        name = title if len(criteria) == 1 else f"{title}: {part.name}"
        text = "\n".join(filter(None, [part.says, part.message])) if index else as_text(result)
        yield {"name": name, **_entry(part.earned, part.points, part.passed, text)}


def _entry(score: float, most: float, passed: bool, text: str) -> dict[str, Any]:
    return {
        "score": score,
        "max_score": most,
        "status": "passed" if passed else "failed",
        "output": text,
        "output_format": "text",
        "name_format": "text",
    }


def grade(root: Path, settings: Settings, learners: Learners | None = None) -> Graded:
    """Grade ROOT/submission as `grader grade` does, with the same code.

    `learners` are those that have been started already; by default others are started.

    Raises
    ------
    NoSandbox
        If no sandbox works here and the package was not written with --trust-submissions.
    """
    submission = Submission(_student(root), settings.topic, root / "submission")
    run = Run(seed=settings.seed, trusted=settings.trusted, workers=1)
    task = Task(submission, settings.seed, terms=settings.terms)
    with open_marker(run, [settings.topic], settings.seed, 1, hidden=[root], shared=learners) as marker:
        (graded,) = marker.mark([task])
    return graded


def main(root: Path, learners: Learners | None = None) -> int:
    """Write ROOT/results/results.json. 2 where no walls hold: nothing is written then, so that nobody has a mark by it."""
    settings = read_settings(root / "source")
    path = root / "results" / "results.json"
    path.unlink(missing_ok=True)
    try:
        record = grade(root, settings, learners).record
    except NoSandbox as error:
        print(f"✘ Not graded: {error}.")
        print("The same holds on a platform: the package is written with --trust-submissions by whoever trusts every file.")
        return 2
    path.parent.mkdir(exist_ok=True)
    written = msgspec.json.format(msgspec.json.encode(storable(results_of(record, settings.visibility))), indent=1)
    atomic_write(path, written)
    print(
        f"{record.student}: {record.status}, {record.score:g} of {record.max_score:g}, {record.extra:g} extra. {record.reason}"
    )
    print(f"Sandbox {record.sandbox}. Checks {record.check}, seed {record.seed:#x}.")
    return 0


def _student(root: Path) -> str:
    """Return who handed it in, for the log alone."""
    try:
        users = msgspec.json.decode((root / "submission_metadata.json").read_bytes())["users"]
        return " and ".join(str(user["name"]) for user in users) or "somebody"
    except (OSError, msgspec.DecodeError, LookupError, TypeError):
        return "somebody"
