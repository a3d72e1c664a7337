"""How an archive is laid out: which platform wrote its names, and at which depth.

The outermost names decide, each once. A platform writes its names at one depth: what stands deeper is the students', and a name
of another platform, or of the same one at another depth, is refused with a sentence.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from .gradescope import Submitter
from .handed_in_file import Claim
from .kinds import stem_of
from .plain_names import names_nobody, number_in, topic_in, without_topic
from .platform_file_names import CANVAS_NAME, MOODLE_NAME, PLATFORMS, READERS

__all__ = ["CANVAS_NAME", "LAYOUTS", "MOODLE_NAME", "Claim", "Layout", "crowds", "layout_of", "topic_in"]

LAYOUTS = (*READERS, "plain")
_TITLES = {
    "moodle": "Moodle",
    "canvas": "Canvas",
    "blackboard": "Blackboard",
    "brightspace": "Brightspace",
    "sakai": "Sakai",
    "gradescope": "Gradescope",
    "nbgrader": "nbgrader",
    "github": "GitHub Classroom",
    "ilias": "ILIAS",
    "google": "Google Forms",
}
_NO_ASSIGNMENT = "it does not begin with the assignment's name: give the folder …-submissions as it is, or a roster"
#: nbgrader's own copies of what students handed in, and what it gives out.
_NOT_HANDED_IN = frozenset({"autograded", "feedback", "release", "source"})

Known = Callable[[str], bool]


@dataclass(frozen=True)
class Layout:
    """How an archive is laid out.

    Attributes
    ----------
    name, depth, root
        The layout, the depth at which its platform writes names, and the name of the archive itself.
    known
        Says whether the class has a student or a team of this name.
    submitters
        Those whom Gradescope names, by folder.
    numbered
        Names in which a number is a part of the name.
    crowded
        Folders and archives below which a platform names several people, with the platform's title.
    skip
        How many folders stand around the folders of students, if the class knows some of the students.
    """

    name: str
    depth: int = 0
    root: str = ""
    known: Known | None = None
    submitters: Mapping[PurePosixPath, tuple[Submitter, ...]] = field(default_factory=dict)
    numbered: frozenset[str] = frozenset()
    crowded: Mapping[str, str] = field(default_factory=dict)
    skip: int | None = None

    @property
    def title(self) -> str:
        """Return the name of the platform as people write it."""
        return _TITLES.get(self.name, self.name)

    def claim(self, outer: PurePosixPath, topic: str = "") -> Claim:
        """Return what the path of an entry says of its student; `topic` is the notebook that its cells speak of."""
        parts = outer.parts
        if self.name == "plain":
            return self._plain(parts, topic)
        claim = READERS[self.name](parts, self.depth, self.root) if self.depth < len(parts) else None
        if claim is None and self.name == "github" and self.depth + 1 < len(parts):
            claim = Claim(
                "github",
                parts[self.depth],
                _endings(parts[self.depth]),
                label=parts[self.depth + 1 :],
                problem="" if self.known is not None else _NO_ASSIGNMENT,
            )
        if claim is None and self.name == "nbgrader" and self.depth + 1 < len(parts) and not names_nobody(parts[self.depth]):
            claim = Claim("nbgrader", parts[self.depth], (parts[self.depth],), label=parts[self.depth + 1 :])
        if self.name == "nbgrader" and _NOT_HANDED_IN & set(parts[: self.depth]):
            return Claim(problem="it is a copy of nbgrader's own, and not what was handed in")
        if claim is not None:
            return self._of_gradescope(claim, parts) if self.name == "gradescope" else claim
        return self._stray(parts)

    def _of_gradescope(self, claim: Claim, parts: Sequence[str]) -> Claim:
        people = self.submitters.get(PurePosixPath(*parts[: self.depth + 1]), ())
        if not people:
            return claim
        first = replace(
            claim, name=people[0].name or people[0].words[0], words=people[0].words, when=people[0].when, problem=""
        )
        return replace(first, members=tuple(person.words for person in people)) if len(people) > 1 else first

    def _stray(self, parts: Sequence[str]) -> Claim:
        """Return the claim of an entry whose name is not as the platform writes it at this depth."""
        kind, depth = outermost(parts, 0, self.root)
        if kind == self.name:
            where = "/".join(parts[:depth]) or "it"
            return Claim(problem=f"{self.title} has names at two depths here; give {where} by itself")
        if kind != "plain":
            return Claim(problem=f"its name is one of {_TITLES[kind]}'s among those of {self.title}; give it by itself")
        if self.known is not None:
            claim = Layout("plain", known=self.known)._plain(parts, "")
            if claim.name and (claim.stem or self.known(claim.name)):
                return claim
        return Claim(problem=f"its name is not one that {self.title} writes; give it by itself")

    def _plain(self, parts: Sequence[str], topic: str) -> Claim:
        """Return the claim of a path such as ada_03.ipynb, 03_max_norm_ada.ipynb or ada/03.ipynb."""
        kind, depth = outermost(parts, 0, self.root)
        folders = self._folders(parts)
        if kind in PLATFORMS and kind != "nbgrader" and (depth <= self.depth or not folders):
            why = f"its name is one of {_TITLES[kind]}'s among others; give it by itself, or say --layout {kind}"
            return Claim(problem=why)
        at = self.skip if self.skip is not None and len(folders) > self.skip else 0
        if folders and self.known is not None:
            first = next((position for position, (_, part) in enumerate(folders) if self.known(part)), None)
            if first is not None and first != at:
                return Claim(problem=f"names of students stand at two depths here; give {folders[0][1]} by itself")
        if folders:
            position, name = folders[at]
            if name in self.crowded and not (self.known is not None and self.known(name)):
                return Claim(problem=f"{self.crowded[name]} names several people in {name}; give that folder by itself")
            return Claim("plain", name, (name,), label=tuple(parts[position + 1 :]))
        stem = stem_of(parts[-1])
        if parts[-1] in self.crowded and not (self.known is not None and self.known(stem)):
            return Claim(problem=f"{self.crowded[parts[-1]]} names several people in {parts[-1]}; give that archive by itself")
        base, number = number_in(without_topic(stem, ""))
        with_number = base in self.numbered or (bool(number) and bool(topic) and number != topic[:2])
        name = without_topic(stem, topic or topic_in(stem), number=not with_number)
        if not name and self.known is not None and self.known(stem):
            name = stem
        problem = "" if name else "neither its name nor its folder says whose it is"
        return Claim("plain", name, (stem, topic or topic_in(stem)), label=(parts[-1],), stem=True, problem=problem)

    def _folders(self, parts: Sequence[str]) -> list[tuple[int, str]]:
        """Return the folders of a path that may be somebody's, with their places."""
        return [
            (position, part)
            for position, part in enumerate(parts[:-1])
            if position >= self.depth and (not names_nobody(part) or (self.known is not None and self.known(part)))
        ]


def crowds(paths: Iterable[tuple[Sequence[str], int]]) -> dict[str, str]:
    """Return folders and archives below which a platform names several people, each with the title of the platform.

    Such a folder or archive is the download of a whole class and not the work of one student.

    Parameters
    ----------
    paths
        The parts of each path, and the position in them of the folder or archive to look at.
    """
    people: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for parts, position in paths:
        kind, depth = outermost(parts, position + 1, "")
        claim = PLATFORMS[kind](parts, depth, "") if kind in PLATFORMS and kind != "nbgrader" else None
        if claim is not None:
            people[parts[position], _TITLES[kind]].add((claim.name, claim.number))
    return {unit: title for (unit, title), names in people.items() if len(names) > 1}


def _endings(name: str) -> tuple[str, ...]:
    """Return what follows each hyphen of a repository's name, the longest first."""
    return tuple(name[match.end() :] for match in re.finditer("-", name) if name[match.end() :])


def outermost(parts: Sequence[str], start: int, root: str) -> tuple[str, int]:
    """Return the platform whose name stands outermost in a path, and its depth; "plain" if no platform's name does.

    Parameters
    ----------
    parts : sequence of str
        Parts of the path.
    start : int
        Position of the first part to look at.
    root : str
        Name of the archive or folder that holds the path.
    """
    for depth in range(start, len(parts)):
        kinds = READERS if depth == start else PLATFORMS
        kind = next((kind for kind, read in kinds.items() if read(parts, depth, root) is not None), "")
        if kind:
            return kind, depth
    return "plain", start


def layout_of(
    outer: Sequence[PurePosixPath],
    name: str = "",
    root: str = "",
    known: Known | None = None,
    topics: Mapping[PurePosixPath, str] | None = None,
) -> Layout:
    """Return the layout of an archive: the named one, or else the one that most of the outermost entries have.

    If everything lies in one common folder, its contents are looked at instead, unless the folder belongs to a student.

    Parameters
    ----------
    outer : sequence of PurePosixPath
        Paths of the outermost entries.
    name : str, optional
        Layout to use; "" to guess it.
    root : str, optional
        Name of the archive or folder that holds the entries.
    known : Known, optional
        Says whether the class has a student or a team of this name.
    topics : mapping of PurePosixPath to str, optional
        Name of the notebook, by the path of the entry, where the content of the entry says it.
    """
    paths = [path.parts for path in outer]
    if any("submitted" in parts[:2] for parts in paths):  # a class's own folder
        paths = [parts for parts in paths if not _NOT_HANDED_IN & set(parts[:2])]
    if name and name != "plain":
        depths = [depth for parts in paths for depth in range(len(parts)) if READERS[name](parts, depth, root) is not None]
        return Layout(name, min(depths, default=0), root, known)
    shared = _shared(paths, root, known)
    units: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for parts in paths:
        units[parts[shared]].append(outermost(parts, shared, root) if len(parts) > shared else ("plain", shared))
    votes = Counter(_vote(unit, kinds, shared, known) for unit, kinds in units.items())
    most = max(votes.values(), default=0)
    best = sorted((vote for vote, count in votes.items() if count == most), key=lambda vote: (vote[0] != "plain", vote[1]))
    kind, depth = best[0] if best and not name else ("plain", shared)
    if kind != "plain":
        return Layout(kind, depth, root, known)
    return _plain_layout(paths, units, shared, root, known, topics or {})


def _vote(unit: str, kinds: Sequence[tuple[str, int]], shared: int, known: Known | None) -> tuple[str, int]:
    """Return the layout and depth that one of the outermost entries speaks for.

    This is the platform's own name at its depth, or a deeper one that all files in the entry share.
    """
    here = [kind for kind, depth in kinds if depth == shared and kind != "plain"]
    if here:
        return here[0], shared
    theirs = len(set(kinds)) == 1 and not (known is not None and known(unit))
    return kinds[0] if theirs else ("plain", shared)


def _shared(paths: Sequence[Sequence[str]], root: str, known: Known | None) -> int:
    """Return how many folders all paths lie in, without one that is a person's."""
    depth = 0
    while paths and all(len(parts) > depth + 1 and parts[depth] == paths[0][depth] for parts in paths):
        if known is not None and known(paths[0][depth]):
            break
        if any(read(parts, depth, root) is not None for parts in paths for read in READERS.values()):
            break
        depth += 1
    return depth


def _plain_layout(
    paths: Sequence[Sequence[str]],
    units: Mapping[str, Sequence[tuple[str, int]]],
    shared: int,
    root: str,
    known: Known | None,
    topics: Mapping[PurePosixPath, str],
) -> Layout:
    depth = shared
    if depth and all(
        len(parts) == depth + 1 and not _stem_names(parts[-1], topics.get(PurePosixPath(*parts), "")) for parts in paths
    ):
        depth -= 1  # files that name nobody: the folder around them is somebody's
    numbers: dict[str, list[bool]] = defaultdict(list)
    for parts in paths:
        if len(parts) == depth + 1 or all(map(names_nobody, parts[depth:-1])):
            base, number = number_in(without_topic(stem_of(parts[-1]), ""))
            if number:
                numbers[base].append(number == topics.get(PurePosixPath(*parts), number)[:2])
    numbered = frozenset(base for base, same in numbers.items() if not all(same))
    layout = Layout("plain", depth, root, known, numbered=numbered)
    if known is None:
        return layout
    rows = [[part for _, part in layout._folders(parts)] for parts in paths]
    positions = [next((position for position, part in enumerate(row) if known(part)), None) for row in rows]
    return replace(layout, skip=min((position for position in positions if position is not None), default=None))


def _stem_names(file: str, topic: str) -> str:
    stem = stem_of(file)
    return without_topic(stem, topic or topic_in(stem))
