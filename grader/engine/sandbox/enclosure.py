"""Choose the strongest level that works here, fork learners, and shut each of them in."""

import abc
import contextlib
import functools
import importlib.util
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from . import enclosure_probe, file_view, landlock, linux_calls, resource_limits, seccomp
from .private_folder import folder_of, remove_folder
from .resource_limits import Limits

Level = Literal["full", "partial", "none"]
LEVELS: tuple[Level, ...] = ("full", "partial", "none")

# Users that Debian and others leave to nobody. One each, so that limits counted per user do not meet.
_FIRST_USER, _USERS = 55_000, 5_000


class Enclosure(abc.ABC):
    """Forks processes into the sandbox. It is made in the zygote, before anything large is imported."""

    level: Level
    how: str
    #: What of the trial's attempts this level does not promise to refuse.
    cannot_hold: frozenset[str] = frozenset()

    def __init__(self, base: Path, bounds: Limits) -> None:
        self.base, self.bounds = base, bounds
        self.count = itertools.count()

    def prepare(self) -> None:  # noqa: B027 - most have nothing to prepare
        """Do what is needed once, in the zygote. Raise OSError if the machine does not allow it."""

    def fork(self) -> int:
        """Fork as os.fork does; processes that the child might start die with it."""
        return os.fork()

    @abc.abstractmethod
    def enter(self, number: int) -> None:
        """Sandbox the present process, the fork with this number. Raise OSError if that fails; it must not run on then."""

    def clean(self, pid: int) -> None:  # noqa: B027 - namespaces leave nothing behind
        """Remove what this process left on disk."""


class Namespaces(Enclosure):
    """Level full. `as_root` says whether the zygote has the rights itself or gets them in a user namespace."""

    level = "full"

    def __init__(self, base: Path, bounds: Limits, hidden: Sequence[Path]) -> None:
        super().__init__(base, bounds)
        self.hidden, self.as_root = hidden, os.geteuid() == 0
        self.how = "namespaces, seccomp, limits; " + ("as root" if self.as_root else "in a user namespace")

    def prepare(self) -> None:
        """Enter namespaces of our own, and build the file system that the forks will see.

        Raises
        ------
        OSError
            If there is no seccomp filter for this machine, or if the machine forbids a step.
        """
        if not seccomp.available():
            raise OSError("no seccomp filter for this machine")
        flags = linux_calls.CLONE_NEWNS | linux_calls.CLONE_NEWNET | linux_calls.CLONE_NEWIPC | linux_calls.CLONE_NEWUTS
        uid, gid = os.getuid(), os.getgid()
        if self.as_root:
            linux_calls.unshare(flags)
        else:
            linux_calls.unshare(flags | linux_calls.CLONE_NEWUSER | linux_calls.CLONE_NEWPID)
            Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
            Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1", encoding="ascii")
            Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1", encoding="ascii")
            _go_on_in_a_child()  # only inside does an ordinary user have the right to make further worlds of processes
        self.processes = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        file_view.build(self.base, self.hidden)

    def fork(self) -> int:
        """Fork a child that is the first process in a namespace of its own; all processes that it starts die with it."""
        linux_calls.unshare(
            linux_calls.CLONE_NEWPID
        )  # holds for the next child, which becomes the first process of its own world
        child = os.fork()
        if child:
            linux_calls.setns(self.processes, linux_calls.CLONE_NEWPID)
        return child

    def enter(self, number: int) -> None:
        """Sandbox the present process, the fork with this number: limits, own file system, no rights, system call filter."""
        uid, gid = os.getuid(), os.getgid()
        if self.as_root:
            uid = gid = _user_of(number)
        resource_limits.apply(self.bounds, own_user=self.as_root)
        file_view.enter(self.base, uid, gid, self.bounds)
        _move_in(Path(file_view.HOME))
        if self.as_root:
            _become(uid)
        else:
            linux_calls.capset_nothing()
        _last_steps()


class FolderOnDisk(Enclosure):
    """What the two weaker levels share: a private folder below `base` for each process, named by its number."""

    def folder(self, pid: int) -> Path:
        """Return the private folder of a process."""
        return folder_of(self.base, pid)

    def clean(self, pid: int) -> None:
        """Remove the private folder of a process."""
        remove_folder(self.folder(pid))


class Landlocked(FolderOnDisk):
    """Level partial. As root each learner is a user of its own, where such a user can read Python."""

    level = "partial"
    how = "Landlock, seccomp, limits"
    cannot_hold = frozenset({enclosure_probe.SIGHT_OF_A_FILE})

    def prepare(self) -> None:
        """Check that Landlock and seccomp work here, and find out whether each learner can be a user of its own.

        Raises
        ------
        OSError
            If Landlock or seccomp is missing.
        """
        if not (seccomp.available() and landlock.available()):
            raise OSError("no Landlock or no seccomp here")
        self.other_user = os.geteuid() == 0 and _works_as_another_user(self.base)
        self.how += "; each as a user of its own" if self.other_user else "; all as the user who grades"

    def enter(self, number: int) -> None:
        """Sandbox the present process, the fork with this number: private folder, limits, Landlock, system call filter."""
        home = self.folder(os.getpid())
        _make_home(home)
        resource_limits.apply(self.bounds, own_user=self.other_user)
        linux_calls.no_new_privileges()
        readable = [
            *file_view.needed(),
            *map(Path, ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts")),
        ]
        landlock.restrict(readable, [home, *map(Path, ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"))])
        if self.other_user:
            uid = _user_of(number)
            for folder in (home, home / "tmp"):
                os.chown(folder, uid, uid)
            _become(uid)
        linux_calls.capset_nothing()
        _copy_without_modes()
        _last_steps(files_of_others=True)


class Unprotected(FolderOnDisk):
    """Level none: a private folder and resource limits."""

    level = "none"
    how = "limits only"

    def enter(self, number: int) -> None:
        """Move into a private folder and set the resource limits; nothing else protects the machine."""
        _make_home(self.folder(os.getpid()))
        resource_limits.apply(self.bounds, own_user=False)


def _user_of(number: int) -> int:
    return _FIRST_USER + number % _USERS


def _become(uid: int) -> None:
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def _works_as_another_user(base: Path) -> bool:
    """Try, in a process of its own, whether a user without rights can read Python and reach `base`."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            _become(_user_of(0))
            for folder in (*file_view.needed(), base):
                list(folder.iterdir())
            packages = filter(None, map(_file_of, ("torch", "numpy", "embedding_course")))
            code = 0 if all(os.access(file, os.R_OK) for file in packages) else 1
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def _file_of(package: str) -> str | None:
    module_spec = importlib.util.find_spec(package)
    return module_spec.origin if module_spec else None


def _make_home(home: Path) -> None:
    (home / "tmp").mkdir(parents=True, mode=0o700)
    home.chmod(0o700)
    _move_in(home)


def _copy_without_modes() -> None:
    """Let `shutil` copy files where the filter refuses to set modes and times."""
    for name in ("copymode", "copystat"):
        setattr(shutil, name, _unless_refused(getattr(shutil, name)))


def _unless_refused(copy: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(copy)
    def copy_if_allowed(*args: Any, **options: Any) -> None:
        with contextlib.suppress(PermissionError):
            copy(*args, **options)

    return copy_if_allowed


def _go_on_in_a_child() -> None:
    """Let a child be this process from here on; the parent only waits for its end."""
    child = os.fork()
    if child:
        os.closerange(3, 1024)
        os._exit(abs(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
    linux_calls.prctl(linux_calls.PR_SET_PDEATHSIG, 9)


def _move_in(home: Path) -> None:
    os.chdir(home)
    os.environ.update(HOME=str(home), TMPDIR=str(home / "tmp"), MPLCONFIGDIR=str(home / "tmp"), IPYTHONDIR=str(home / "tmp"))
    tempfile.tempdir = None  # Python remembers the one of the zygote


def _last_steps(*, files_of_others: bool = False) -> None:
    linux_calls.no_new_privileges()
    linux_calls.hide_from_debuggers()
    linux_calls.prctl(linux_calls.PR_SET_PDEATHSIG, 9)
    seccomp.install(files_of_others=files_of_others)


def open_enclosure(base: Path, hidden: Sequence[Path], strongest: Level = "full", bounds: Limits | None = None) -> Enclosure:
    """Return the strongest level up to `strongest` that a trial shows to hold, prepared for this process.

    Parameters
    ----------
    base : Path
        Folder in which the sandbox keeps its private folders.
    hidden : sequence of Path
        Folders that learners' code must not see.
    strongest : Level, optional
        Level that is tried first; weaker ones follow.
    bounds : Limits, optional
        Limits of memory, processes and files.
    """
    bounds = bounds or Limits()
    kinds = [lambda: Namespaces(base, bounds, hidden), lambda: Landlocked(base, bounds), lambda: Unprotected(base, bounds)]
    for level, make in list(zip(LEVELS, kinds, strict=True))[LEVELS.index(strongest) :]:
        if level == "none" or (sys.platform == "linux" and enclosure_probe.holds(make(), hidden)):
            chosen = make()
            chosen.prepare()
            return chosen
    raise AssertionError("unreachable: the last level is always there")
