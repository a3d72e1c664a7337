"""Files that are kept with the notebook beside which they came: progress files, and regrade requests."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from embedding_course.files import STATE_FOLDER, atomic_write

from .archive import BadArchive, SourceFile
from .handed_in_file import Item
from .kinds import PROGRESS

__all__ = ["MAX_PROGRESS_BYTES", "PROGRESS", "files_beside", "keep_beside"]

#: How large an honest progress file, or the text of a request, may be.
MAX_PROGRESS_BYTES = 2**20


def files_beside(files: Sequence[SourceFile], items: Sequence[Item], name: str) -> dict[int, SourceFile]:
    """Return the files of this name that lie in the folder of a taken item, by the position of the item.

    A folder with work of several people, or of nobody known, does not say to whom such a file belongs.
    """
    candidates = {_home(file): file for file in files if file.path.name.casefold() == name and not file.problem}
    owners: dict[tuple[str, PurePosixPath], set[str]] = defaultdict(set)
    for item in items:
        if item.action != "beside":
            owners[_home(item.file)].add(item.student)
    return {
        position: candidates[home]
        for position, item in enumerate(items)
        if item.taken and (home := _home(item.file)) in candidates and len(owners[home]) == 1 and home[1].name
    }


def _home(file: SourceFile) -> tuple[str, PurePosixPath]:
    """Return the folder, and the archive inside which it lies if it was packed by a student."""
    folder = file.path.parent
    return str(file.outer) if file.nested else "", folder.parent if folder.name == STATE_FOLDER else folder


def keep_beside(file: SourceFile, folder: Path, name: str) -> None:
    """Write a file under this name beside the notebook in `folder`, unless it cannot be read or is too large."""
    try:
        content = file.read()
    except BadArchive:
        return
    if len(content) <= MAX_PROGRESS_BYTES:
        atomic_write(folder / name, content)
