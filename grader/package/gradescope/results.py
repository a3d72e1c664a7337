"""A graded submission as Gradescope's results.json: an entry for each criterion, with the points and words of the verdict."""

from collections.abc import Iterator
from typing import Any

from embedding_course.checking.render import as_text
from embedding_course.checking.result import Result, number

from ...classroom.records import GradeRecord
from ..settings import Visibility


def results_of(record: GradeRecord, visibility: Visibility = "visible") -> dict[str, Any]:
    """The content of results.json. Lateness is left out: Gradescope knows the deadline, and takes what it is told to.

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
        "tests": [{**test, "number": str(place), "visibility": visibility} for place, test in enumerate(tests, 1)],
        "extra_data": {"seed": record.seed, "check": record.check, "sandbox": record.sandbox},
    }


def _about(record: GradeRecord) -> Iterator[str]:
    """What is said of the submission as a whole."""
    if record.status != "graded":
        yield f"{record.status}: {record.reason}"
        return
    extra = f", and {number(record.extra)} of extra credit" if record.extra else ""
    yield f"{number(record.score)} of {number(record.max_score)} points{extra}."
    yield from record.notes
    if any(record.written.values()):
        yield "A written answer waits for a person."


def _tests(result: Result) -> Iterator[dict[str, Any]]:
    """The first entry carries the whole verdict, the others what they are about and what fell short."""
    title = f"{result.exercise} {result.title}" + ("" if result.core else " (extra credit)")
    criteria = result.criteria
    if abs(sum(one.earned for one in criteria) - result.score) > 1e-3:  # where our own answer failed all points are given
        yield {"name": title, **_entry(result.score, result.max_score, result.passed, as_text(result))}
        return
    for place, one in enumerate(criteria):
        name = title if len(criteria) == 1 else f"{title}: {one.name}"
        said = "\n".join(filter(None, [one.says, one.message])) if place else as_text(result)
        yield {"name": name, **_entry(one.earned, one.points, one.passed, said)}


def _entry(score: float, most: float, passed: bool, said: str) -> dict[str, Any]:
    return {
        "score": score, "max_score": most, "status": "passed" if passed else "failed", "output": said,
        "output_format": "text", "name_format": "text",
    }  # fmt: skip
