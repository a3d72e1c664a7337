"""Names that are easily confused: they are distinguished or refused with a sentence, and never silently merged."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from .handed_in_file import Item
from .kinds import stem_of
from .plain_names import without_topic


def refuse_ambiguous_names(items: Sequence[Item], there: Sequence[str], *, by_roster: bool) -> list[Item]:
    """Return the items, with those refused of which it is not clear whether two names are one person.

    Without a roster, names that differ only in case, width or signs that no folder can carry are one name to some machines and
    two to others.

    Parameters
    ----------
    items : sequence of Item
    there : sequence of str
        Names of the students' folders that the class has already.
    by_roster : bool
        True if a roster names the students, and so distinguishes them already.
    """
    if by_roster:
        return list(items)
    names: dict[str, set[str]] = defaultdict(set)
    for name in there:
        names[_alike(name)].add(name)
    for item in items:
        if item.action == "new" and item.team is None:
            names[_alike(item.student)].add(_spelled(item.claim.name))
    return [_judged(item, names[_alike(item.student)], there) for item in items]


def _judged(item: Item, names: set[str], there: Sequence[str]) -> Item:
    mine = _spelled(item.claim.name)
    if item.action != "new" or item.team is not None or len(names) < 2 or mine in there:
        return item
    others = " and ".join(sorted(repr(name) for name in names - {mine})[:3])
    return replace(item, action="left", why=f"nobody can tell {mine!r} from {others} by their names; a roster does")


def _alike(name: str) -> str:
    """Return a form of a name that is equal for names that a file system or a reader may take for the same."""
    return unicodedata.normalize("NFKC", name).casefold()


def _spelled(name: str) -> str:
    """Return a name as it was written, with underscores for spaces as in names of folders."""
    return re.sub(r"\s+", "_", unicodedata.normalize("NFC", name).strip())


def refuse_mixed_folders(items: Sequence[Item]) -> list[Item]:
    """Mark items as "left" if their folder holds files that differ in name and content, and return all items.

    Without a roster nobody can say whether such a folder holds several versions of one student's work or the work of several
    students.
    """
    versions: dict[tuple[str, str], dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for item in items:
        if _is_in_a_folder(item):
            name = without_topic(stem_of(item.claim.label[-1]), item.topic)
            versions[item.student, item.topic][name].add(item.digest)
    unsure = {key for key, names in versions.items() if len(names.keys() - {""}) > 1 and len(set().union(*names.values())) > 1}
    why = "this folder holds several versions, or the work of several people: give it by itself, or name a roster"
    return [
        replace(item, action="left", why=why) if _is_in_a_folder(item) and (item.student, item.topic) in unsure else item
        for item in items
    ]


def _is_in_a_folder(item: Item) -> bool:
    """Return True if it is a file with answers directly in a folder, and only the folder's name says whose it is."""
    claim = item.claim
    return item.action == "new" and item.answered and claim.kind == "plain" and not claim.stem and len(claim.label) == 1
