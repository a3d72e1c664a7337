"""Of several copies of one student's notebook, which one is taken: here, and against what the class has already."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from ...submission.plain_file import read_plain
from ...submission.read import MAX_NOTEBOOK_BYTES, Unreadable
from .. import records
from ..class_folder import Classroom, Submission
from .contents import content_of
from .handed_in_file import Item


def newest(items: Iterable[Item]) -> list[Item]:
    """Take the newest copy with answers of each student's notebook, and mark the other copies as "aside"."""
    items = list(items)
    groups: dict[tuple[str, str], list[int]] = {}
    for index, item in enumerate(items):
        if item.action == "new":
            groups.setdefault((item.student, item.topic), []).append(index)
    for indices in groups.values():
        alone = [items[index].claim.number for index in indices if items[index].team is None]
        if len(set(alone)) > 1:
            for index in indices:
                why = "several people have this name; a roster with the platform's own numbers tells them apart"
                items[index] = replace(items[index], action="left", why=why)
            continue
        order = sorted(indices, key=lambda index: _rank(items[index]))
        best = items[order[-1]]
        for index in order[:-1]:
            items[index] = replace(items[index], action="aside", why=_why_not(items[index], best))
        if len(order) > 1:
            items[order[-1]] = replace(best, why=_why(best, items[order[-2]], len(order)))
    return items


def _rank(item: Item) -> tuple[bool, datetime, int, float, float, int, str]:
    """Return the sort key of copies of one student's notebook.

    The times of an archive's entries decide only between files of that archive. Between equal files, the outer one is taken.
    """
    return item.answered, *_age(item), -len(item.file.path.parts), str(item.file.path)


def _age(item: Item) -> tuple[datetime, int, float, float]:
    modified, inside = (when.timestamp() if when else float("-inf") for when in (item.file.modified, item.file.inside))
    return item.timestamp or datetime.min, item.claim.turn, modified, inside


def _why_not(item: Item, best: Item) -> str:
    if item.digest == best.digest:
        return f"the same as {best.file.path}"
    if best.answered and not item.answered:
        return f"there is no answer in it; {best.file.path} holds some"
    return f"two submissions; {best.file.path} is newer" if _age(item) != _age(best) else f"as old as {best.file.path}"


def _why(best: Item, second: Item, count: int) -> str:
    if second.digest != best.digest and second.answered == best.answered and _age(second) == _age(best):
        return f"one of {count}, and nothing says which is the newest: look at it"
    which = "the newest" if second.answered or not best.answered else "the one with answers"
    return f"{which} of {count}" + (f"; {best.why}" if best.why else "")


def against_class(items: Iterable[Item], classroom: Classroom) -> list[Item]:
    """Return the items after comparing them with the submissions that the class holds already.

    The same file stays unchanged. An older file is replaced and kept. A newer file stays, and so does a file with answers if
    the new one has none.
    """
    return [_against(item, classroom) if item.action == "new" else item for item in items]


def _against(item: Item, classroom: Classroom) -> Item:
    there = Submission(item.student, item.topic, classroom.submitted / item.student / item.topic)
    present = records.digest(there.path)
    if not present:
        return item
    if present == item.digest:
        return replace(item, action="unchanged")
    if item.misnamed:
        why = f"its cells are of {item.topic}, of which a submission is there already: rename it if it is to replace that"
        return replace(item, action="left", why=why)
    answered = _is_answered(there)
    if answered and not item.answered:
        return replace(item, action="aside", why="there is no answer in it; the submission that is there holds some")
    before = there.timestamp
    if before and item.timestamp and before > item.timestamp and answered == item.answered:
        return replace(item, action="aside", why=f"the submission that is there is newer ({before} UTC)")
    return replace(item, action="replaces")


def _is_answered(there: Submission) -> bool:
    try:
        return there.topic in content_of(read_plain(there.path, MAX_NOTEBOOK_BYTES)).answered
    except (OSError, Unreadable):
        return False
