"""Who handed in what, told from the paths that platforms give to files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from embedding_course.lessons import LESSONS

from .roster import CANVAS, MOODLE

__all__ = ["LAYOUTS", "Claim", "claim", "layout_of", "topic_in"]

_MOODLE = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)(?:_(?P<rest>.*))?")
_CANVAS = re.compile(r"(?P<name>[^_/]+)(?P<late>_LATE)?_(?P<user>\d+)_(?P<upload>\d+)_(?P<rest>.+)")
_AGAIN = re.compile(r"(?:-(\d{1,3})|\s?\((\d{1,3})\))$")


@dataclass(frozen=True)
class Claim:
    """What a path says: the student's `name`, all `words` by which a roster may know them (the best first), the notebook,
    if it was late, and a number that grows with each upload. `number` is the platform's own for this person."""

    name: str
    topic: str = ""
    words: tuple[str, ...] = ()
    number: str = ""
    late: bool = False
    turn: int = 0


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


def _moodle(path: PurePosixPath) -> Claim | None:
    """Full Name_12345_assignsubmission_file_/03_max_norm.ipynb, or the older flat form."""
    for place, part in enumerate(path.parts):
        match = _MOODLE.fullmatch(part)
        if match:
            rest = path.name if place < len(path.parts) - 1 else match["rest"] or path.name
            name = match["name"].strip()
            words = (MOODLE + match["number"], name, name.rpartition("-")[2])  # with groups, the group's name and a hyphen
            return Claim(name, topic_in(rest), words, match["number"], turn=_turn(rest))
    return None


def _canvas(path: PurePosixPath) -> Claim | None:
    """lovelaceada_LATE_12345_67890_03_max_norm-1.ipynb"""
    match = _CANVAS.fullmatch(path.name)
    if not match:
        return None
    words = (CANVAS + match["user"], match["name"])
    turn = int(match["upload"]) * 1000 + _turn(match["rest"])
    return Claim(match["name"], topic_in(match["rest"]), words, match["user"], bool(match["late"]), turn)


def _nbgrader(path: PurePosixPath) -> Claim | None:
    """ada/03_max_norm/03_max_norm.ipynb"""
    parts = path.parts
    if len(parts) < 3 or not any(parts[-2] == entry.topic for entry in LESSONS):
        return None
    return Claim(parts[-3], parts[-2])


def _github(path: PurePosixPath) -> Claim | None:
    """max-norm-submissions/max-norm-adal/03_max_norm.ipynb"""
    for place, part in enumerate(path.parts[:-2]):
        start = part.removesuffix("-submissions")
        below = path.parts[place + 1]
        if start != part and below.startswith(f"{start}-"):
            return Claim(below[len(start) + 1 :], topic_in(path.name) or topic_in(start))
    return None


def _plain(path: PurePosixPath) -> Claim | None:
    """ada_03.ipynb, 03_max_norm_ada.ipynb, or ada/03.ipynb"""
    stem = _AGAIN.sub("", path.stem)
    topic = topic_in(stem)
    if not topic:
        folder = next((part for part in reversed(path.parts[:-1]) if topic_in(part)), "")
        return Claim(stem, topic_in(folder)) if stem else None
    number = topic[:2]
    rest = re.sub(rf"{topic}|(?<!\d){number}(?!\d)", "", stem, count=1, flags=re.IGNORECASE).strip("_-. ")
    if rest and not topic_in(rest) and rest.casefold() not in ("submission", "copy", "final", "solution"):
        return Claim(rest, topic, turn=_turn(path.stem))
    folder = next((part for part in reversed(path.parts[:-1]) if not topic_in(part)), "")
    return Claim(folder, topic, turn=_turn(path.stem)) if folder else None


def _turn(name: str) -> int:
    """Platforms number what was handed in again: 03_max_norm-1.ipynb came after 03_max_norm.ipynb."""
    match = _AGAIN.search(re.sub(r"\.ipynb$", "", name, flags=re.IGNORECASE))
    return int(match[1] or match[2]) if match else 0


LAYOUTS: dict[str, Callable[[PurePosixPath], Claim | None]] = {
    "moodle": _moodle, "nbgrader": _nbgrader, "canvas": _canvas, "github": _github, "plain": _plain,
}  # fmt: skip


def layout_of(paths: Sequence[PurePosixPath]) -> str:
    """The layout that speaks for most of these paths; the plain one where none does."""
    counts = {name: sum(read(path) is not None for path in paths) for name, read in LAYOUTS.items() if name != "plain"}
    best = max(counts, key=lambda name: counts[name]) if counts else "plain"
    return best if counts[best] * 2 > len(paths) else "plain"


def claim(path: PurePosixPath, layout: str) -> Claim | None:
    """What this path says in this layout; None where it says nothing."""
    return LAYOUTS[layout](path)
