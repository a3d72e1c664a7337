"""The version of a notebook's checks: a fingerprint of all that decides over a mark."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from functools import cache

from embedding_course.exercises.index import entries_of
from embedding_course.subject.course import course

from ..paths import ROOT, SOLUTIONS
from .imported_modules import module_path, needed_by

#: Where marks are made. What else decides is what these import, however far away: comparison, engine, limits.
_MAKE_MARKS = (
    "grader.marking.submission_task",
    "grader.engine.jupyter_kernels.runners",
    "grader.course_source.stub",
    "grader.course_source.setup_cell",
)
_CELL = re.compile(r"^# %%.*\n", re.M)


@cache
def check_version(topic: str) -> str:
    """Return twelve hexadecimal digits that change when anything changes that decides over marks in `topic`.

    Cases, references, comparisons, mistakes and the code that makes a mark are included. A file whose hash and check version
    are in a record was graded already under the same checks.
    """
    return _digest(dict(decides(topic)))


#: The key of what all exercises of a notebook share, in `exercise_versions`.
SHARED = "shared"


@cache
def exercise_versions(topic: str) -> dict[str, str]:
    """Return a fingerprint for each exercise of a notebook, and one for what they share.

    That of an exercise changes with its cases and its reference. All else that decides over a mark, such as comparison, engine
    and known mistakes, is shared.
    """
    from embedding_course.checking.exercise import file_stem  # brings what checks need

    package = f"{course().package}.exercises.{topic}."
    bodies = dict(decides(topic))
    parts, used = {}, set()
    for exercise in entries_of(topic):
        stem = file_stem(exercise.name)
        modules = needed_by(f"{package}{stem}") if f"{package}{stem}" in bodies else ()
        reference = (SOLUTIONS / topic / "reference" / f"{stem}.py").relative_to(ROOT).as_posix()
        names = [name for name in (*sorted(modules), reference) if name in bodies and name.startswith((package, reference))]
        parts[exercise.id] = _digest({name: bodies[name] for name in names})
        used.update(names)
    return {**parts, SHARED: _digest({name: body for name, body in bodies.items() if name not in used})}


def _digest(bodies: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, body in bodies.items():
        digest.update(name.encode() + b"\0" + body + b"\0")
    return digest.hexdigest()[:12]


def decides(topic: str) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of everything that decides over a mark in a notebook.

    These are modules of the grader, the notebook's exercises and solutions, and the cells of its lesson that run when it is
    graded.
    """
    own, warm = course(), course().subject.warm
    exercises = f"{own.package}.exercises.{topic}"
    for module in sorted(needed_by(exercises, *_MAKE_MARKS, *filter(None, [warm.calls]))):
        yield module, module_path(module).read_bytes()
    for path in sorted(path for part in ("reference", "mistakes") for path in (SOLUTIONS / topic / part).glob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_bytes()
    yield "warm", repr(warm).encode()
    yield "given cells", "".join(_given(topic)).encode()


def _given(topic: str) -> Iterator[str]:
    """Yield the cells of a lesson that run in grading, read without jupytext, which takes longer to import than all of this."""
    text = (SOLUTIONS / topic / "lesson.py").read_text(encoding="utf-8")
    heads = list(_CELL.finditer(text))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        if "given=true" in head[0]:
            yield text[head.end() : following.start() if following else len(text)]
