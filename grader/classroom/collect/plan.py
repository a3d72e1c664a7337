"""Decide what happens to each file of an archive, before anything is written."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from ...submission.read import Unreadable
from .. import records
from ..class_folder import Classroom
from ..policy.course import Course
from ..requests import REQUEST_FILE
from ..roster import Roster
from .ambiguous_names import refuse_ambiguous_names, refuse_mixed_folders
from .archive import BadArchive, Contents, SourceFile
from .archive_endings import bare, is_archive
from .bounds import EMPTY_FOLDER
from .contents import Content, content_of, is_notebook
from .copies import against_class, newest
from .gradescope import METADATA, Submitter, submitters_of
from .handed_in_file import Claim, Item
from .handin_times import Clock
from .kinds import ask_for, calls_itself_notebook, is_checkpoint, is_work, may_be_notebook
from .layouts import Layout, crowds, layout_of
from .people import People, Tables, Whose
from .plain_names import full_topic_in, topic_of_path
from .progress_files import PROGRESS, files_beside

#: What platforms write beside the work of students.
_OF_PLATFORMS = frozenset({"index.html", "grades.csv", "grades.xls", "status.xlsx", "status.csv", "comments.txt", METADATA})
_PLATFORMS_OWN = "the platform wrote it"


@dataclass(frozen=True)
class Wish:
    """What the instructor asked for.

    `layout` is the layout if it is not to be guessed, and `topic` the notebook of files that do not say it. `times` are times
    of submission by `time_keys`, `file_times` says whether the times of the files count, and `tables` hold what the platform
    says about people.
    """

    layout: str = ""
    topic: str = ""
    times: dict[str, datetime] = field(default_factory=dict)
    file_times: bool = False
    tables: Tables = field(default_factory=Tables)


@dataclass
class Plan:
    """All files in their order, and the layout that they were read by.

    `progress` and `requests` map the position of an item to the progress file, and to the file with a regrade request, that
    came with it. `silent` are students of the roster from
    whom nothing came, and `passed` counts the system files that were skipped.
    """

    layout: str
    items: list[Item]
    progress: Mapping[int, SourceFile] = field(default_factory=dict)
    requests: Mapping[int, SourceFile] = field(default_factory=dict)
    silent: Sequence[str] = ()
    passed: Counter[str] = field(default_factory=Counter)


def make_plan(contents: Contents, classroom: Classroom, course: Course, roster: Roster, wish: Wish) -> Plan:
    """Look at every file and return what is to happen to it.

    Nothing is written, and no content is kept, because a class may hand in gigabytes.

    Parameters
    ----------
    contents : Contents
        Files of an archive or a folder.
    classroom : Classroom
    course : Course
    roster : Roster
    wish : Wish
        What the instructor asked for.
    """
    files = contents.files
    opened = {file.path: _open(file) for file in files}
    people = People(roster, course.teams, wish.tables)
    layout = _layout(contents, opened, people, wish)
    clock = Clock.of(files, layout, course, roster, wish.times, wish.file_times)
    reader = _Reader(layout, course, people, wish, clock, opened)
    items = [item for file in files for item in reader.read(file)]
    items = items if roster.people else refuse_mixed_folders(items)
    items = refuse_ambiguous_names(items, _folders(classroom.submitted), by_roster=bool(roster.people))
    items = against_class(newest(items), classroom)
    items = _beside(items)
    came = {student for item in items for student in (item.people or (item.student,))}
    silent = [person.id for person in roster.people if person.id not in came]
    progress, requests = (files_beside(files, items, name) for name in (PROGRESS, REQUEST_FILE))
    return Plan(layout.name, items, progress, requests, silent, contents.passed)


@dataclass(frozen=True)
class _Opened:
    """What was found in a file: a notebook's `content` and digest, or why it cannot be read; neither of a file that is none."""

    content: Content | None = None
    digest: str = ""
    why: str = ""

    @property
    def topic(self) -> str:
        topics = self.content.topics if self.content else ()
        return "".join(topics) if len(topics) == 1 else ""


def _open(file: SourceFile) -> _Opened:
    if file.problem:
        return _Opened(why=file.problem)
    if not may_be_notebook(file.path):
        return _Opened()
    named = calls_itself_notebook(file.path)
    try:
        content = file.read()
        if not named and not is_notebook(content):
            return _Opened()
        return _Opened(content_of(content), records.digest_of(content))
    except (BadArchive, Unreadable) as error:
        return _Opened(why=str(error)) if named or isinstance(error, Unreadable) else _Opened()


def _layout(contents: Contents, opened: Mapping[PurePosixPath, _Opened], people: People, wish: Wish) -> Layout:
    """Return the layout that the names of notebooks, archives and other work show, or all names if there is no such file."""
    work = [file for file in contents.files if opened[file.path].content or is_work(file.path) or is_archive(file.outer.name)]
    work = [file for file in work if not is_checkpoint(file.path) and file.path.name not in _OF_PLATFORMS]
    outer = list(dict.fromkeys(file.outer for file in work or contents.files))
    topics = {file.outer: topic for file in work if (topic := opened[file.path].topic)}
    known: Callable[[str], bool] | None = people.knows if people.roster.people else None
    layout = layout_of(outer, wish.layout, contents.name, known, topics)
    submitters: dict[PurePosixPath, tuple[Submitter, ...]] = {}
    for file in contents.files if layout.name == "gradescope" else ():
        if file.path.name == METADATA and len(file.path.parts) == layout.depth + 1 and not file.nested:
            try:
                submitters |= submitters_of(file.path, file.read())
            except BadArchive:
                continue
    if layout.name != "plain":
        return replace(layout, submitters=submitters)
    folders = [(file.outer.parts, position) for file in work for position in range(layout.depth, len(file.outer.parts) - 1)]
    packed = [(_unpacked(file), len(file.outer.parts) - 1) for file in work if file.nested]
    return replace(layout, crowded=crowds([*folders, *packed]))


def _unpacked(file: SourceFile) -> tuple[str, ...]:
    """Return the path of a file in an archive inside, with that archive's own name in it."""
    return (*file.outer.parts, *file.path.parts[len(file.outer.parts) :])


@dataclass(frozen=True)
class _Reader:
    """Reads files one by one."""

    layout: Layout
    course: Course
    people: People
    wish: Wish
    clock: Clock
    opened: Mapping[PurePosixPath, _Opened]

    def read(self, file: SourceFile) -> list[Item]:
        """Read one file and return an item for each person to whom it belongs.

        A single item with the reason is returned if the file cannot be read, comes from nobody known, or is no notebook of
        the class.
        """
        opened = self.opened[file.path]
        claim = self.layout.claim(file.outer, opened.topic)
        whose = self.people.whose(claim)
        if opened.content is None or is_checkpoint(file.path):
            return [self._no_notebook(file, opened, whose)]
        if not whose.students:
            return [Item(file, "left", topic=opened.topic, why=whose.why)]
        topic, why, misnamed = self._topic(file, claim, opened.content)
        if topic not in self.course.topics:
            return [_left(file, whose, why or f"{topic} is not a notebook of this class", topic)]
        when = self.clock.when(file, claim, whose)
        if claim.late and when is None:
            why = "late, says Canvas, but not how late; --times tells" + (f"; {why}" if why else "")
        if whose.team is not None:
            why = f"for the team {whose.team.name}" + (f"; {why}" if why else "")
        return [
            Item(file, "new", student, topic, when, opened.digest, why, claim, whose.students, whose.team,
                 topic in opened.content.answered, misnamed)
            for student in whose.students
        ]  # fmt: skip

    def _topic(self, file: SourceFile, claim: Claim, content: Content) -> tuple[str, str, bool]:
        """Return the notebook to which the cells belong, a note on it, and whether the name of the file is another notebook's.

        A name decides only if the cells belong to no notebook or to several notebooks equally.
        """
        inner = file.path.relative_to(file.outer.with_name(bare(file.outer.name))).parts if file.nested else ()
        names = (*claim.label, *inner)
        named = topic_of_path(names) if names else ""
        if not content.topics:
            topic = named or self.wish.topic
            why = "no cell of it belongs to the course" if topic else "it does not say which notebook it is; --notebook does"
            return topic, why, False
        if len(content.topics) > 1:
            topic = next((name for name in (named, self.wish.topic) if name in content.topics), "")
            several = " and ".join(content.topics)
            return topic, "" if topic else f"its cells are of {several} alike; --notebook says which", False
        topic = "".join(content.topics)
        full = next(filter(None, (full_topic_in(name) for name in reversed(names))), "")
        misnamed = full not in ("", topic)
        if topic not in self.course.topics:
            return topic, f"its cells are of {topic}, which is not a notebook of this class", misnamed
        return topic, f"its cells are of {topic}, whatever its name says" if misnamed else "", misnamed

    def _no_notebook(self, file: SourceFile, opened: _Opened, whose: Whose) -> Item:
        if file.path.name in _OF_PLATFORMS and len(file.path.parts) <= self.layout.depth + 1 and not file.nested:
            return Item(file, "beside", why=_PLATFORMS_OWN)
        if file.path in self.clock.stamps:
            return Item(file, "beside", ", ".join(whose.students), why=_PLATFORMS_OWN, people=whose.students)
        if is_checkpoint(file.path):
            return _beside_of(file, whose, "a copy that Jupyter keeps for itself; ask for the notebook")
        why = opened.why or ask_for(file.path)
        if not why:
            return _beside_of(file, whose, "it is no notebook; ask for the notebook itself (.ipynb)")
        if file.problem == EMPTY_FOLDER:
            return _beside_of(file, whose, why)
        return _left(file, whose, why if whose.students or not whose.why or file.problem else f"{why} ({whose.why})")


def _left(file: SourceFile, whose: Whose, why: str, topic: str = "") -> Item:
    return Item(file, "left", ", ".join(whose.students), topic, why=why, people=whose.students)


def _beside_of(file: SourceFile, whose: Whose, why: str = "") -> Item:
    return Item(file, "beside", ", ".join(whose.students), why=why, people=whose.students)


def _beside(items: Sequence[Item]) -> list[Item]:
    """Mark files that lie beside a taken notebook as not needed; without such a notebook they are all that came."""
    having = {item.student for item in items if item.taken or item.action == "aside"}
    return [
        replace(item, action="left")
        if item.action == "beside" and item.why != _PLATFORMS_OWN and not having & set(item.people)
        else item
        for item in items
    ]


def _folders(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
