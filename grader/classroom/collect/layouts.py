"""Who handed in what, told from the names that platforms give to entries.

A platform writes its names at one depth of the paths. Names at any other depth, and whatever lies inside an archive or a folder
of a student's own, are the student's: they may say which notebook a file is, and never whose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from embedding_course.lessons import LESSONS

from ..roster import CANVAS, MOODLE
from .archive_names import bare
from .plain_names import person_in, persons_in, topic_in, topic_of_path, turn_of

__all__ = ["CANVAS_NAME", "LAYOUTS", "MOODLE_NAME", "Claim", "Layout", "layout_of"]

MOODLE_NAME = re.compile(r"(?P<name>.+?)_(?P<number>\d+)_assignsubmission_(?:file|onlinetext)(?:_(?P<rest>.*))?")
CANVAS_NAME = re.compile(r"(?P<name>[^_/]+)(?P<late>_LATE)?_(?P<user>\d+)_(?P<upload>\d+)_(?P<rest>.+)")
#: Folders below which no platform writes names.
_DEEPEST = 8


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


def _moodle(parts: Sequence[str], depth: int) -> Claim | None:
    """Full Name_12345_assignsubmission_file_/03_max_norm.ipynb, or the older flat form."""
    match = MOODLE_NAME.fullmatch(parts[depth])
    if not match:
        return None
    rest = parts[-1] if depth < len(parts) - 1 else match["rest"] or parts[-1]
    name = match["name"].strip()
    words = (MOODLE + match["number"], name, name.rpartition("-")[2])  # with groups, the group's name and a hyphen
    return Claim(name, topic_in(rest), words, match["number"], turn=turn_of(rest))


def _canvas(parts: Sequence[str], depth: int) -> Claim | None:
    """lovelaceada_LATE_12345_67890_03_max_norm-1.ipynb"""
    match = CANVAS_NAME.fullmatch(parts[depth])
    if not match:
        return None
    words = (CANVAS + match["user"], match["name"])
    turn = int(match["upload"]) * 1000 + turn_of(match["rest"])
    topic = (topic_of_path(parts[depth + 1 :]) if depth < len(parts) - 1 else "") or topic_in(match["rest"])
    return Claim(match["name"], topic, words, match["user"], bool(match["late"]), turn)


def _nbgrader(parts: Sequence[str], depth: int) -> Claim | None:
    """ada/03_max_norm/03_max_norm.ipynb"""
    if len(parts) < depth + 3 or not any(parts[depth + 1] == entry.topic for entry in LESSONS):
        return None
    return Claim(parts[depth], parts[depth + 1])


def _github(parts: Sequence[str], depth: int) -> Claim | None:
    """max-norm-submissions/max-norm-adal/03_max_norm.ipynb"""
    start = parts[depth - 1].removesuffix("-submissions") if depth else ""
    if len(parts) < depth + 2 or not start or start == parts[depth - 1] or not parts[depth].startswith(f"{start}-"):
        return None
    return Claim(parts[depth][len(start) + 1 :], topic_in(parts[-1]) or topic_in(start))


def _plain(parts: Sequence[str], depth: int) -> Claim | None:
    """ada_03.ipynb, 03_max_norm_ada.ipynb, or ada/03.ipynb"""
    words = persons_in(parts)
    name = person_in(parts[depth:]) if depth < len(parts) else ""
    return Claim(name, topic_of_path(parts), words, turn=turn_of(parts[-1])) if name else None


LAYOUTS: dict[str, Callable[[Sequence[str], int], Claim | None]] = {
    "moodle": _moodle, "nbgrader": _nbgrader, "canvas": _canvas, "github": _github, "plain": _plain,
}  # fmt: skip


@dataclass(frozen=True)
class Layout:
    """How an archive is laid out: its kind, and the depth at which its platform writes names."""

    name: str
    depth: int = 0

    def claim(self, outer: PurePosixPath, inner: PurePosixPath) -> Claim | None:
        """What an entry says of its student, and of its notebook, which a file inside of it may say better. None where the
        entry says nothing."""
        said = self._of(outer) or Layout("plain")._of(outer)
        if said is None or inner == outer:
            return said
        inside = topic_of_path(inner.relative_to(outer.with_name(bare(outer.name))).parts)
        return replace(said, topic=inside or said.topic)

    def _of(self, outer: PurePosixPath) -> Claim | None:
        return LAYOUTS[self.name](outer.parts, self.depth) if self.depth < len(outer.parts) else None


def layout_of(outer: Sequence[PurePosixPath], name: str = "") -> Layout:
    """The layout that speaks for most of these entries, or the named one, at the outermost depth at which it tells several
    people apart; the plain one where none does."""
    names = [name] if name else [entry for entry in LAYOUTS if entry != "plain"]
    found = {entry: _claims(outer, entry) for entry in names}
    best = max(names, key=lambda entry: max(map(len, found[entry])))
    if not name and max(map(len, found[best])) * 2 <= len(outer):
        best, found["plain"] = "plain", _claims(outer, "plain")
    most = max(map(len, found[best]))
    depths = [depth for depth, claims in enumerate(found[best]) if claims and len(claims) * 2 > most]
    several = [depth for depth in depths if len({(one.name, one.number) for one in found[best][depth]}) > 1]
    return Layout(best, min(several or depths or [0]))


def _claims(outer: Sequence[PurePosixPath], name: str) -> list[list[Claim]]:
    """For each depth, what the entries say there."""
    read = LAYOUTS[name]
    return [
        [said for path in outer if depth < len(path.parts) and (said := read(path.parts, depth)) is not None]
        for depth in range(_DEEPEST)
    ]
