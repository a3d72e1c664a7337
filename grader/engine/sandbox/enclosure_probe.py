"""Try an enclosure in a process of its own: what it promises must really be refused in there."""

import contextlib
import ctypes
import fcntl
import os
import signal
import socket
import struct
import tempfile
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Protocol

_F_OFD_GETLK = 36
_NO_POLICY = 99
#: The kernel's `struct flock`: type, from where, start, length, process.
_RECORD = "hhqqi4x"
#: The attempt that Landlock cannot refuse: to ask when a file that one can name was written, and how large it is.
SIGHT_OF_A_FILE = "the size and the times of a file of others"


class Enclosed(Protocol):
    """The part of an enclosure that the probe uses."""

    cannot_hold: frozenset[str]

    def prepare(self) -> None:
        """Do what is needed once, before forks."""

    def fork(self) -> int:
        """Fork as os.fork does, and return the child's process number, or 0 in the child."""
        ...

    def enter(self, number: int) -> None:
        """Sandbox the present process, the fork with this number."""

    def clean(self, pid: int) -> None:
        """Remove what this process left on disk."""


def holds(enclosure: Enclosed, hidden: Sequence[Path]) -> bool:
    """Return True if everything that this enclosure promises holds on this machine."""
    with tempfile.TemporaryDirectory(prefix="grader-trial-") as folder:
        Path(folder).chmod(0o755)  # as open as a class's folder may be
        probe = Path(folder, "file of others")
        probe.write_text("unchanged", encoding="utf-8")
        return _holds(enclosure, hidden, probe)


def _holds(enclosure: Enclosed, hidden: Sequence[Path], probe: Path) -> bool:
    outside = os.getpid()
    keeper = os.fork()
    if keeper == 0:
        code = 1
        try:
            enclosure.prepare()
            inside = enclosure.fork()
            if inside == 0:
                code = 3
                enclosure.enter(0)
                code = 4 if set(broken_promises(hidden, outside, probe)) - enclosure.cannot_hold else 0
            else:
                code = os.waitstatus_to_exitcode(os.waitpid(inside, 0)[1])
                enclosure.clean(inside)
        except BaseException:  # whatever it is, this level does not work here
            code = code or 2
        finally:
            os._exit(abs(code))
    return os.waitstatus_to_exitcode(os.waitpid(keeper, 0)[1]) == 0


def broken_promises(hidden: Sequence[Path], outside: int, probe: Path) -> list[str]:
    """Return what can be done here and should not.

    Parameters
    ----------
    hidden : sequence of Path
        Folders of the instructor.
    outside : int
        Number of a process that must be out of reach.
    probe : Path
        A file of the user who grades, in a folder that everybody may enter.
    """
    attempts: dict[str, Callable[[], object]] = {
        "a network socket": lambda: socket.socket(socket.AF_INET).close(),
        "a new process": _fork,
        "a program": lambda: os.execv("/bin/true", ["true"]),
        "a signal to another process": lambda: os.kill(outside, signal.SIGCONT),
        "another process's processors": lambda: os.sched_setaffinity(outside, _processors()),
        "another process's scheduling": lambda: _schedule(outside),
        "memory outside the limits": lambda: os.close(os.memfd_create("grader-trial")),
        "a file in /usr": lambda: Path("/usr/grader-trial").touch(),
        "other people's files": lambda: Path("/etc/shadow").read_bytes(),
        "a lock on a file that others can lock": _lock_python,
        "a record lock that others notice": _lock_a_record,
        "a watch on files": _watch,
        **_on_a_file_of_others(probe),
        **{f"the folder {path}": lambda path=path: _own_files(path) for path in hidden},
    }
    broken = []
    for what, attempt in attempts.items():
        try:
            attempt()
        except OSError:
            continue
        broken.append(what)
    try:
        Path("trial.txt").write_text("a folder of one's own", encoding="utf-8")
    except OSError:
        broken.append("no folder to write to")
    return broken


def _fork() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)


def _on_a_file_of_others(probe: Path) -> dict[str, Callable[[], object]]:
    """Try to change a file that its owner could change, and its folder."""
    return {
        "the mode of a file of others": lambda: probe.chmod(0o600),
        "the owner of a file of others": lambda: os.chown(probe, -1, -1),
        "the times of a file of others": lambda: os.utime(probe),
        "the attributes of a file of others": lambda: os.setxattr(probe, "user.trial", b"1"),
        "the length of a file of others": lambda: os.truncate(probe, 0),
        "the name of a file of others": lambda: probe.rename(probe.with_name("renamed")),
        "a folder of others to stand in": lambda: os.chdir(probe.parent),
        SIGHT_OF_A_FILE: probe.stat,
    }


def _processors() -> Collection[int]:
    """Return the processors of this process, or any where it may not ask."""
    try:
        return os.sched_getaffinity(0)
    except OSError:
        return {0}


def _schedule(outside: int) -> None:
    """Set the scheduling policy of another process. Raise PermissionError if the call takes a policy that does not exist."""
    try:
        os.sched_setscheduler(outside, _NO_POLICY, os.sched_param(0))
    except OSError:
        os.sched_setscheduler(outside, os.SCHED_OTHER, os.sched_param(0))
    else:
        raise PermissionError("the call is only pretended")


def _lock_python() -> None:
    """Lock a file that all learners can read."""
    with Path(os.__file__).open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)


def _lock_a_record() -> None:
    """Lock a file of our own twice. Raise PermissionError if the first lock does not keep out the second."""
    with Path("trial.lock").open("wb") as first, Path("trial.lock").open("r+b") as other:
        fcntl.fcntl(first, fcntl.F_OFD_SETLK, struct.pack(_RECORD, fcntl.F_WRLCK, 0, 0, 0, 0))
        asked = fcntl.fcntl(other, _F_OFD_GETLK, struct.pack(_RECORD, fcntl.F_WRLCK, 0, 0, 0, 0))
    if struct.unpack(_RECORD, asked)[0] == fcntl.F_UNLCK:
        raise PermissionError("granted without an effect")


def _watch() -> None:
    if ctypes.CDLL(None, use_errno=True).inotify_init1(0) == -1:
        raise OSError(ctypes.get_errno(), "inotify_init1")


def _own_files(folder: Path) -> None:
    """Read something of the instructor's. Raise an OSError if nothing can be read; that a name exists is no secret."""
    for name in ("solutions", "submitted", "results"):
        with contextlib.suppress(OSError):
            list((folder / name).iterdir())
            return
    for name in ("gradebook.db", "pyproject.toml"):
        with contextlib.suppress(OSError):
            (folder / name).read_bytes()
            return
    raise PermissionError(folder)
