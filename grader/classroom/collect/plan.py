"""Decide what happens to each file of an archive, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from embedding_course.errors import closest

from ...submission.read import Unreadable
from .. import records
from ..class_folder import Classroom, Submission, read_timestamp
from ..policy.course import Course
from ..roster import Roster, folder_name
from .archive import BadArchive, Found
from .archive_names import is_archive
from .contents import topic_of
from .item import Item
from .layouts import Claim, Layout, layout_of
from .progress_files import PROGRESS, progress_beside
from .times import time_keys
from .twins import told_apart

__all__ = ["Item", "Plan", "Wish", "make_plan"]


@dataclass(frozen=True)
class Wish:
    """What the instructor said: the `layout` where it is not to be guessed, the `topic` of files that do not say it, times of
    submission by `time_keys`, and whether the files' own times count."""

    layout: str = ""
    topic: str = ""
    times: dict[str, datetime] = field(default_factory=dict)
    file_times: bool = False


@dataclass
class Plan:
    """All files, in their order, and the layout that they were read by; by the place of an item, the progress file that came
    with it."""

    layout: str
    items: list[Item]
    progress: Mapping[int, Found] = field(default_factory=dict)


def make_plan(files: Sequence[Found], room: Classroom, course: Course, roster: Roster, wish: Wish) -> Plan:
    """Look at every file. Nothing is written here, and no content is kept: a class may hand in gigabytes."""
    notebooks = [entry for entry in files if entry.path.suffix.lower() == ".ipynb"]
    layout = layout_of(list(dict.fromkeys(entry.outer for entry in notebooks)), wish.layout)
    stamps = {entry.path: entry for entry in files if entry.path.name == "timestamp.txt" and not entry.nested}
    reader = _Reader(layout, course, roster, wish, stamps if layout.name == "nbgrader" else {})
    items = told_apart([reader.read(entry) for entry in notebooks], _folders(room.submitted), by_roster=bool(roster.people))
    left = [
        Item(entry, "left", why=entry.problem) for entry in files if is_archive(entry.path.name) or (
            entry.problem and entry.path.suffix.lower() not in (".ipynb", ".txt") and entry.path.name != PROGRESS)
    ]  # fmt: skip
    items = _against_class(_newest(items), room)
    return Plan(layout.name, [*items, *left], progress_beside(files, items))


@dataclass(frozen=True)
class _Reader:
    """Reads files one by one. `stamps` are the timestamp.txt that the layout's own tool wrote, by their paths."""

    layout: Layout
    course: Course
    roster: Roster
    wish: Wish
    stamps: Mapping[PurePosixPath, Found]

    def read(self, entry: Found) -> Item:
        """One file: readable, from somebody known, for a notebook of the class?"""
        if entry.problem:
            return Item(entry, "left", why=entry.problem)
        said = self.layout.claim(entry.outer, entry.path)
        if said is None:
            return Item(entry, "left", why="neither its name nor its folder says whose it is")
        student = self.roster.find((*said.words, said.name)) if self.roster.people else folder_name(said.name)
        if not student:
            return Item(entry, "left", topic=said.topic, why=_unknown(said, self.roster))
        try:
            content = entry.read()
            topic = said.topic or self.wish.topic or topic_of(content)
        except (BadArchive, Unreadable) as error:
            return Item(entry, "left", student, said.topic, why=str(error))
        if topic not in self.course.topics:
            why = (
                f"{topic} is not a notebook of this class" if topic else "it does not say which notebook it is; --notebook does"
            )
            return Item(entry, "left", student, topic, why=why)
        when = self._when(entry, said, student)
        why = "late, says Canvas, but not how late; --times tells" if said.late and when is None else ""
        return Item(entry, "new", student, topic, when, records.digest_of(content), why, said)

    def _when(self, entry: Found, said: Claim, student: str) -> datetime | None:
        """When it was handed in, in UTC without a zone; None where nobody knows. Files that students write say nothing."""
        for word in (student, *said.words, said.name):
            key = next((key for key in time_keys(word) if key in self.wish.times), None)
            if key is not None:
                return self.wish.times[key]
        stamp = self.stamps.get(PurePosixPath(*entry.outer.parts[: self.layout.depth + 2], "timestamp.txt"))
        if stamp is not None and not stamp.problem:
            try:
                return read_timestamp(stamp.read()[:100].decode("utf-8"))
            except (BadArchive, ValueError, TypeError, OverflowError):
                pass
        if self.wish.file_times and entry.modified is not None:
            modified = entry.modified if entry.modified.tzinfo else entry.modified.replace(tzinfo=self.course.zone)
            return modified.astimezone(UTC).replace(tzinfo=None)
        return None


def _unknown(said: Claim, roster: Roster) -> str:
    word = said.name
    if not roster.people:
        return f"{word[:40]!r} cannot be the name of a student's folder"
    names = sorted({person.id for person in roster.people})
    near = closest(word, names)
    return f"there is no student {word[:40]!r} in the roster" + (f"; {near}" if near.startswith("did") else "")


def _folders(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir() if path.is_dir()) if place.is_dir() else []


def _newest(items: list[Item]) -> list[Item]:
    """Of several files of one student for one notebook the newest is taken; the others go aside."""
    groups: dict[tuple[str, str], list[int]] = {}
    for place, item in enumerate(items):
        if item.action == "new":
            groups.setdefault((item.student, item.topic), []).append(place)
    for places in groups.values():
        if len({items[place].claim.number for place in places}) > 1:
            for place in places:
                why = "several people have this name; a roster tells them apart"
                items[place] = replace(items[place], action="left", why=why)
            continue
        order = sorted(places, key=lambda place: _age(items[place]))
        for place in order[:-1]:
            newer = items[order[-1]].found.path
            same = items[place].digest == items[order[-1]].digest
            why = f"the same as {newer}" if same else f"two submissions; {newer} is newer"
            items[place] = replace(items[place], action="aside", why=why)
        if len(order) > 1:
            items[order[-1]] = replace(items[order[-1]], why=f"the newest of {len(order)}")
    return items


def _age(item: Item) -> tuple[datetime, int, float, float, str]:
    """The times of an archive's own entries decide only between files of the same archive."""
    modified, inside = (when.timestamp() if when else float("-inf") for when in (item.found.modified, item.found.inside))
    return item.timestamp or datetime.min, item.claim.turn, modified, inside, str(item.found.path)


def _against_class(items: list[Item], room: Classroom) -> list[Item]:
    """What is there already: the same file stays, an older one makes room and is kept, a newer one stays."""
    found = []
    for item in items:
        if item.action == "new":
            there = Submission(item.student, item.topic, room.submitted / item.student / item.topic)
            present = records.digest(there.path)
            if present == item.digest:
                item = replace(item, action="unchanged")
            elif present:
                before = there.timestamp
                if before and item.timestamp and before > item.timestamp:
                    item = replace(item, action="aside", why=f"the submission that is there is newer ({before} UTC)")
                else:
                    item = replace(item, action="replaces")
        found.append(item)
    return found
