"""The version of a notebook's checks: a fingerprint of all that decides over a mark."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from .paths import ROOT, SOLUTIONS

__all__ = ["check_version"]

_PUBLIC = ROOT / "embedding_course"
_OURS = ROOT / "grader"

#: Public modules on which a verdict hangs, whatever the notebook.
_MACHINERY = (
    "codec", "compare", "draw", "drivers", "exercise", "gradient_rules", "judge", "observe", "plain", "share", "statements",
    "training_mode",
)  # fmt: skip


@cache
def check_version(topic: str) -> str:
    """Twelve hexadecimal digits that change when a case, a reference, a comparison or a mistake of `topic` changes.

    With the hash of a submitted file they say whether it was graded already: the same file under the same checks.
    """
    found = hashlib.sha256()
    for path in sorted(_files(topic)):
        found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:12]


def _files(topic: str) -> Iterator[Path]:
    yield from (_PUBLIC / "exercises" / topic).glob("*.py")
    yield from (SOLUTIONS / topic / "reference").glob("*.py")
    yield from (SOLUTIONS / topic / "mistakes").glob("*.py")
    yield SOLUTIONS / topic / "lesson.py"
    for name in _MACHINERY:
        yield _PUBLIC / f"{name}.py"
    yield from (_OURS / "submission").glob("*.py")
    for name in ("hidden", "marking"):
        yield _OURS / f"{name}.py"
