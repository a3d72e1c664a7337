"""Names of files and folders that no platform wrote: which notebook they speak of, and which person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from embedding_course.lessons import LESSONS

from .archive_names import bare, is_archive

__all__ = ["person_in", "persons_in", "topic_in", "topic_of_path", "turn_of"]

_AGAIN = re.compile(r"(?:-(\d{1,3})|\s?\((\d{1,3})\))$")
#: Words that name neither a notebook nor anybody.
_NOBODY = frozenset({
    "", "assignment", "assignments", "copy", "download", "downloads", "final", "homework", "hw", "notebook", "notebooks",
    "solution", "submission", "submissions", "submitted", "unpacked", "upload", "uploads", "work",
})  # fmt: skip


def topic_in(text: str) -> str:
    """The notebook that a name speaks of; empty where it speaks of none.

    >>> topic_in("03_max_norm-1"), topic_in("student_07"), topic_in("ada")
    ('03_max_norm', '07_attention', '')
    """
    plain = re.sub(r"[\W_]+", "", text.casefold())
    for entry in LESSONS:
        if entry.topic.replace("_", "") in plain:
            return entry.topic
    numbers = re.findall(r"(?<![\d])(\d\d)(?!\d)", text)
    return next((entry.topic for entry in LESSONS if entry.number in numbers), "")


def turn_of(name: str) -> int:
    """Platforms number what was handed in again: 03_max_norm-1.ipynb came after 03_max_norm.ipynb."""
    match = _AGAIN.search(re.sub(r"\.ipynb$", "", bare(name), flags=re.IGNORECASE))
    return int(match[1] or match[2]) if match else 0


def persons_in(parts: Sequence[str]) -> tuple[str, ...]:
    """The parts of a path that may name a person, the outermost first: folders, and what of the file's name is no notebook's.

    >>> persons_in(["submissions", "ada", "03_max_norm_draft.ipynb"])
    ('ada', 'draft')
    """
    stem = _AGAIN.sub("", _stem(parts[-1]))
    topic = topic_in(stem)
    if topic:
        spelled = topic.replace("_", r"[\W_]*")
        stem = re.sub(rf"{spelled}|(?<!\d){topic[:2]}(?!\d)", "", stem, count=1, flags=re.IGNORECASE).strip("_-. ")
    return tuple(part for part in (*parts[:-1], stem) if part.casefold() not in _NOBODY and not topic_in(part))


def topic_of_path(parts: Sequence[str]) -> str:
    """The notebook that a file's name speaks of, else the innermost folder that speaks of one."""
    named = (topic_in(part) for part in (_stem(parts[-1]), *reversed(parts[:-1])))
    return next(filter(None, named), "")


def _stem(name: str) -> str:
    return bare(name) if is_archive(name) else PurePosixPath(name).stem


def person_in(parts: Sequence[str]) -> str:
    """Whose a path is: its outermost folder's, else what the file's own name says; empty where neither names anybody."""
    return next(iter(persons_in(parts)), "")
