"""What has arrived in nbgrader's exchange: whose, for which notebook, and when.

The name of a submission's folder says so, as nbgrader wrote it, and nothing that lies inside: timestamp.txt in there is a file
of the student's. Whose it is, is compared with the owner of the folder, where the hub gives each student a user of their own.
"""

import os
import pwd
import re
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path, PurePosixPath

from ...submission.read import MAX_NOTEBOOK_BYTES
from ..class_folder import read_timestamp
from ..collect.archive import BadArchive, SourceFile
from ..collect.bounds import not_too_large
from ..collect.store_files import SECRET
from .settings import ExchangeSettings, NoExchange


class Foreign(OSError):
    """Somebody else owns the file, or the folder."""


def read_inbound(folder: Path, name: str, most: int, owner: int | None = None) -> bytes:
    """Return the first `most` bytes of `folder/name`, without following links.

    nbgrader's own collecting follows links with the instructor's rights. A hard link to another person's file cannot be
    recognised as a link, but it has that person as its owner, so the owner is checked as well.

    Parameters
    ----------
    folder : Path
        Folder of a submission.
    name : str
        Name of the file in it.
    most : int
        How many bytes are read at most.
    owner : int, optional
        Number of the user who must own the folder and the file; None if any owner is right.

    Raises
    ------
    Foreign
        If the folder or the file does not belong to the user number `owner`. With None, any owner is right.
    OSError
        If there is no plain file.
    """
    folder_descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        _look(os.fstat(folder_descriptor), owner, folder.name)
        file_descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder_descriptor)
    finally:
        os.close(folder_descriptor)
    with os.fdopen(file_descriptor, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise OSError(f"{name} is no plain file")
        _look(facts, owner, name)
        return file.read(most)


def _look(facts: os.stat_result, owner: int | None, name: str) -> None:
    if owner is not None and facts.st_uid != owner:
        raise Foreign(f"{name} belongs to somebody else")


#: More submissions than any exchange holds.
_MAX_SUBMISSIONS = 100_000
#: nbgrader writes the secret last; a folder without one that changed so recently is still being written.
_WRITING = timedelta(minutes=1)
#: How long nbgrader may take to write a submission: so far a name's time may be from when the folder was last changed, by the
#: machine's own account.
_APART = timedelta(minutes=1)
_SECRET = re.compile(rb"[0-9A-Za-z_-]{16,200}")


@dataclass(frozen=True)
class Arrival:
    """One submission in the exchange.

    `when` is in UTC without a zone. `problem` says why it cannot be taken, and `note` what an instructor should know.
    """

    folder: Path
    student: str = ""
    topic: str = ""
    when: datetime = datetime.min
    owner: int | None = None
    problem: str = ""
    note: str = ""


def arrivals(settings: ExchangeSettings, topics: Collection[str], known: Collection[str] = ()) -> list[Arrival]:
    """Return the newest submission of each student for each notebook, and whatever could not be taken.

    Parameters
    ----------
    settings : ExchangeSettings
    topics : collection of str
        Names of the notebooks to take.
    known : collection of str, optional
        Names of folders that are left out.

    Raises
    ------
    NoExchange
        If the exchange cannot be read, or nothing of this course was ever released in it.
    """
    newest: dict[tuple[str, str], Arrival] = {}
    odd = []
    for folder in _folders(settings):
        arrival = _arrival(folder, topics, settings.check_owner)
        if arrival is None:
            continue
        if arrival.problem:
            odd.append(arrival)
        elif (arrival.student, arrival.topic) not in newest or newest[arrival.student, arrival.topic].when < arrival.when:
            newest[arrival.student, arrival.topic] = arrival
    return [candidate for candidate in [*newest.values(), *odd] if candidate.folder.name not in known]


def _folders(settings: ExchangeSettings) -> Iterator[Path]:
    try:
        paths = sorted(settings.inbound.iterdir())
    except OSError as error:
        raise NoExchange(
            f"{settings.inbound} cannot be read ({error.strerror}): grader release --to-exchange makes it, and the user who "
            "released is the one who collects"
        ) from None
    if len(paths) > _MAX_SUBMISSIONS:
        raise NoExchange(f"{settings.inbound} holds more than {_MAX_SUBMISSIONS} entries: look what fills it")
    return iter(paths)


def _arrival(folder: Path, topics: Collection[str], check_owner: bool) -> Arrival | None:
    """Return one entry of the exchange, or None if it is for another notebook."""
    parts = folder.name.rsplit("+", 3)  # a user's name may hold a plus sign
    if len(parts) == 4 and parts[1] not in topics and parts[2] in topics:
        parts = [f"{parts[0]}+{parts[1]}", parts[2], parts[3]]  # from an nbgrader without the random end
    if len(parts) < 3:
        return Arrival(folder, problem="nbgrader gives folders other names: {student}+{notebook}+{time}+{random}")
    student, topic, time_text = parts[:3]
    if topic not in topics:
        return None
    try:
        facts, when = folder.lstat(), read_timestamp(time_text)
    except OSError:
        return None  # taken back meanwhile
    except (ValueError, TypeError, OverflowError):
        return Arrival(folder, problem=f"{time_text[:40]!r} in its name is no time")
    if not folder.is_dir() or folder.is_symlink():
        return Arrival(folder, problem="it is no folder; nbgrader writes folders")
    changed = datetime.fromtimestamp(facts.st_ctime, UTC).replace(tzinfo=None)
    if check_owner and (owner := _user(facts.st_uid)) != student:
        return Arrival(folder, problem=_claimed(student, owner))
    if not (folder / SECRET).exists() and datetime.now(UTC).replace(tzinfo=None) - changed < _WRITING:
        return Arrival(folder, problem="it is still being written; collect again in a minute")
    when, note = _later(when, changed)
    return Arrival(folder, student, topic, when, facts.st_uid if check_owner else None, note=note)


def _later(named: datetime, changed: datetime) -> tuple[datetime, str]:
    """Return when a submission came, and a note on it.

    The later of two times counts: the one in the name of the folder, and the folder's last change. A student with a terminal
    can write any name, but nobody can set back when a folder changed.
    """
    if named > datetime.now(UTC).replace(tzinfo=None) + _APART:
        return changed, f"its name says {named:%Y-%m-%d %H:%M}, which was still to come; taken is when it was written"
    if abs(named - changed) <= _APART:
        return named, ""
    times = f"its name says {named:%Y-%m-%d %H:%M}, but the folder was changed at {changed:%Y-%m-%d %H:%M} (UTC)"
    return max(named, changed), f"{times}: the later counts, and --times can say otherwise"


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user number {number}"


def _claimed(student: str, owner: str) -> str:
    return (
        f"it says it is {student[:40]}'s and belongs to {owner}; where all students are one user to this machine, "
        "c.ExchangeCollect.check_owner = False in nbgrader_config.py believes the name (docs/jupyterhub.md)"
    )


def files_of(arrival: Arrival) -> list[SourceFile]:
    """Return the notebook and the time of an arrival, as from an archive in nbgrader's layout."""
    folder = PurePosixPath(arrival.student, arrival.topic)
    stamp = f"{arrival.when:%Y-%m-%d %H:%M:%S.%f} UTC".encode()
    notebook, time = folder / f"{arrival.topic}.ipynb", folder / "timestamp.txt"
    return [SourceFile(notebook, notebook, None, partial(_notebook, arrival)), SourceFile(time, time, None, lambda: stamp)]


def refused(arrival: Arrival) -> SourceFile:
    """Return an arrival that cannot be taken, under the name that the exchange has for it."""
    path = PurePosixPath(arrival.folder.name)
    return SourceFile(path, path, None, bytes, arrival.problem)


def _notebook(arrival: Arrival) -> bytes:
    name = f"{arrival.topic}.ipynb"
    try:
        return not_too_large(read_inbound(arrival.folder, name, MAX_NOTEBOOK_BYTES + 1, arrival.owner))
    except FileNotFoundError:
        raise BadArchive(f"there is no {name} in it") from None
    except Foreign as error:
        raise BadArchive(f"{error}, not to {arrival.student[:40]}") from None
    except OSError as error:
        raise BadArchive(f"{name} cannot be read ({error.strerror or error}); links are not followed") from None


def secret_of(arrival: Arrival) -> bytes:
    """Return the secret under which the student finds feedback, or empty bytes if nbgrader left nothing usable."""
    try:
        secret = read_inbound(arrival.folder, SECRET, 1000, arrival.owner)
    except OSError:
        return b""
    return secret if _SECRET.fullmatch(secret) else b""
