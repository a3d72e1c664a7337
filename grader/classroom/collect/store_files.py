"""Put collected submissions where the class keeps them. What was there before is kept."""

import shutil
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from embedding_course.files import atomic_write

from ...submission.plain_file import one_line
from ..class_folder import Classroom
from ..records import digest_of
from ..requests import REQUEST_FILE
from .archive import BadArchive
from .handed_in_file import Item
from .plan import Plan
from .progress_files import PROGRESS, keep_beside

#: Where submissions go that something newer replaced.
EARLIER = "earlier"
#: Beside a submission: the name that the learning platform gave it, by which the platform knows what goes back to whom.
CAME_AS = "came_as.txt"
#: Beside a submission from nbgrader's exchange: under what its student finds the feedback again.
SECRET = "submission_secret.txt"
#: Beside a submission of several people: the name of their team, then the id of each, one a line.
TEAM = "team.txt"


def carry_out(plan: Plan, classroom: Classroom) -> None:
    """Write what the plan says, while the archive is still open.

    A submission that is replaced is moved to earlier/{student}/{notebook}/. A file that is not taken because a newer one
    exists goes there as well.

    Raises
    ------
    OSError
        If a file cannot be written. Whatever was there is then still there.
    """
    for index, item in enumerate(plan.items):
        try:
            if item.action == "aside":
                kept = _keep(item.file.read(), item.digest, item, classroom)
                plan.items[index] = replace(item, kept=kept.relative_to(classroom.home).as_posix())
            elif item.taken:
                plan.items[index] = replace(item, kept=_put(item, classroom))
                for name, files in ((PROGRESS, plan.progress), (REQUEST_FILE, plan.requests)):
                    if index in files:
                        keep_beside(files[index], classroom.submitted / item.student / item.topic, name)
        except BadArchive as error:  # it could be read a moment ago
            plan.items[index] = replace(item, action="left", why=str(error))


def _put(item: Item, classroom: Classroom) -> str:
    """Write one submission and return where the earlier one was moved, if there was one."""
    folder = classroom.submitted / item.student / item.topic
    _real(folder)
    path, stamp, moved = folder / f"{item.topic}.ipynb", folder / "timestamp.txt", ""
    if item.action == "replaces":
        content = path.read_bytes()
        kept = _keep(
            content, digest_of(content), item, classroom
        )  # as it is now: it may be another one since the plan was made
        moved = kept.relative_to(classroom.home).as_posix()
        if stamp.is_file():
            shutil.copy2(stamp, kept.with_suffix(".txt"))
    if item.action != "unchanged":
        atomic_write(path, item.file.read())
        (folder / SECRET).unlink(missing_ok=True)  # likewise that of another file
        if item.timestamp is None:
            stamp.unlink(missing_ok=True)  # it was that of another file, which has it beside it now
    if item.came_as:
        atomic_write(folder / CAME_AS, item.came_as.encode())
    if item.timestamp is not None:
        atomic_write(stamp, f"{item.timestamp:%Y-%m-%d %H:%M:%S} UTC".encode())
    if item.team is not None:
        atomic_write(folder / TEAM, "\n".join([one_line(item.team.name, 200), *item.team.members, ""]).encode("utf-8"))
    elif item.action != "unchanged":
        (folder / TEAM).unlink(missing_ok=True)  # it was handed in by one person
    return moved


def _keep(content: bytes, digest: str, item: Item, classroom: Classroom) -> Path:
    folder = classroom.home / EARLIER / item.student / item.topic
    _real(folder)
    same = sorted(folder.glob(f"*_{digest[:8]}.ipynb"))
    if same:
        return same[0]
    path = folder / f"{datetime.now(UTC):%Y%m%dT%H%M%S}_{digest[:8]}.ipynb"
    atomic_write(path, content)
    return path


def _real(folder: Path) -> None:
    """Make a folder, or raise OSError if the folder, or that of the student, is a link to another place."""
    for path in (folder.parent, folder):
        if path.is_symlink():
            raise OSError(f"{path} is a link; remove it")
    folder.mkdir(parents=True, exist_ok=True)
