"""Write files atomically, and find the folder that keeps what belongs to a learner: progress, own answers, own tables."""

import os
import sys
import time
from pathlib import Path

from .messages import Message
from .subject.course import course
from .subject.errors import CourseError


def atomic_write(path: Path, body: bytes, mode: int = 0o666) -> None:
    """Write `body` to `path`: a crash leaves the old file or the new one.

    The folder exists already. OSError when the disk refuses; then nothing new is left.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.touch(mode)  # before it holds anything that others should not read
        part.write_bytes(body)
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


#: Where a learner's things are kept beside the notebooks: `.embedding_course`, or `.` and the name of another course's package.
STATE_FOLDER = f".{course().package}"
#: In a state folder: the path of the folder that `progress(save_to=...)` chose in its place.
_POINTER = "kept_in.txt"
_RECORD = "progress.json"
#: Where Colab mounts Google Drive, and the folders that every mounted Drive has.
_DRIVE = Path("/content/drive")
_IN_A_DRIVE = {"MyDrive", "My Drive", "Shareddrives", "Shared drives"}
_chosen: Path | None = None


def choose(folder: Path) -> Path:
    """Keep all of it in `folder` from now on, in later kernels too; return the file of the progress record there.

    CourseError when the folder belongs to a Drive that is not mounted, or cannot be written to; then nothing changes.
    """
    global _chosen
    folder = folder.expanduser().absolute()
    drive = _drive_of(folder)
    if drive is not None and not drive.is_mount():
        message = Message(
            "Google Drive is not mounted at {drive}, so nothing would be kept in {folder}: run "
            '`from google.colab import drive; drive.mount("{drive}")` first, then this again.'
        )
        raise CourseError(message.fill(drive=drive, folder=folder))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic_write(folder / ".writable", b"")
        (folder / ".writable").unlink()
    except OSError as error:
        message = Message("Nothing can be kept in {folder} ({reason}): name another folder.", folder=folder)
        raise CourseError(message.fill(reason=error.strerror or error)) from None
    home = _home()
    if folder == home.absolute():
        (home / _POINTER).unlink(missing_ok=True)
    else:
        keep(home / _POINTER, f"{folder}\n".encode())
    _chosen = folder
    return folder / _RECORD


def _drive_of(folder: Path) -> Path | None:
    """Return the place where the Drive that a folder belongs to has to be mounted; None for any other folder."""
    if folder.is_relative_to(_DRIVE):
        return _DRIVE
    if "google.colab" not in sys.modules:
        return None
    return next((above.parent for above in (folder, *folder.parents) if above.name in _IN_A_DRIVE), None)


def state_file() -> Path:
    """Return the file of the progress record in use.

    It lies in the folder chosen by `save_to`, else in the EMBEDDING_COURSE_STATE folder, else in the nearest
    `.embedding_course` folder above, or in a new one here. A chosen folder that does not exist (a Drive that is no longer
    mounted) is skipped and never created again.
    """
    return (_choice() or kept_for(_home())) / _RECORD


def _choice() -> Path | None:
    """Return the folder that this kernel chose, while it exists."""
    return _chosen if _chosen is not None and _chosen.is_dir() else None


def kept_for(home: Path) -> Path:
    """Return the folder that an earlier kernel chose in place of the state folder `home`, while it exists; else `home`."""
    try:
        folder = Path((home / _POINTER).read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError):
        return home
    return folder if folder.is_absolute() and folder.is_dir() else home


def _home() -> Path:
    """Return the state folder where nothing was chosen."""
    named = os.environ.get("EMBEDDING_COURSE_STATE")
    if named:
        return Path(named)
    return state_folder(Path.cwd())


def state_folder(start: Path) -> Path:
    """Return the state folder that work in a folder uses: the nearest one upwards, or one in the folder itself."""
    return _around(start) / STATE_FOLDER


def _around(start: Path) -> Path:
    """Return the nearest folder from `start` upwards that has a state folder; `start` where none has."""
    return next((folder for folder in (start, *start.parents) if (folder / STATE_FOLDER).is_dir()), start)


def keep(path: Path, body: bytes) -> bool:
    """Write a file in one step, so that a crash loses nothing. Return False, without a word, where the disk refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, body)
    except OSError:
        return False
    return True


def copy_over(source: Path, target: Path) -> bool:
    """Copy a file to `target` unless a newer one is there. An older one with other contents stays beside it as a backup.

    Return True where the file was copied. OSError when the disk refuses.
    """
    body, times = source.read_bytes(), source.stat()
    if target.exists():
        if target.read_bytes() == body or target.stat().st_mtime > times.st_mtime:
            return False
        target.replace(_unused(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(target, body)
    os.utime(target, (times.st_atime, times.st_mtime))  # when it was made is what tells the newer one of two
    return True


def _unused(path: Path) -> Path:
    """Return a name for a backup of `path` that no file has yet."""
    stamp, count = time.strftime("%Y%m%d-%H%M%S"), 1
    while True:
        backup = path.with_name(f"{path.stem}.backup-{stamp}{f'-{count}' if count > 1 else ''}{path.suffix}")
        if not backup.exists():
            return backup
        count += 1


def learners_folder(near: Path | None = None) -> Path:
    """Return the folder that holds the learner's files: the chosen one, else the one around the progress record.

    The progress record is searched for upwards from `near` (a notebook file) if that is given.
    """
    if _choice() is not None:
        return state_file().parent
    home = state_folder(near.resolve().parent) if near is not None else _home()
    kept = kept_for(home)
    if kept != home:
        return kept
    return home.parent if home.name == STATE_FOLDER else home
