"""Read one file of a submission in the exchange. The folder is the student's own: it may hold links, or become one."""

import os
import stat
from pathlib import Path


class Foreign(OSError):
    """Somebody else owns the file, or the folder."""


def read_inbound(folder: Path, name: str, most: int, owner: int | None = None) -> bytes:
    """The first `most` bytes of `folder/name`, neither of them a link. Foreign where the folder or the file is not of the user
    number `owner` (None: whoever); OSError where there is no plain file.

    nbgrader's own collecting follows links, with the instructor's rights. A hard link to a file of another's is no link to
    follow, and is told by its owner.
    """
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        _look(os.fstat(place), owner, folder.name)
        found = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=place)
    finally:
        os.close(place)
    with os.fdopen(found, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise OSError(f"{name} is no plain file")
        _look(facts, owner, name)
        return file.read(most)


def _look(facts: os.stat_result, owner: int | None, name: str) -> None:
    if owner is not None and facts.st_uid != owner:
        raise Foreign(f"{name} belongs to somebody else")
