"""Choose the strongest level that works here, fork learners, and shut each of them in."""

from __future__ import annotations

import abc
import contextlib
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from . import enclosure_test, file_view, landlock, linux_calls, resource_limits, seccomp
from .resource_limits import Limits

__all__ = ["LEVELS", "Enclosure", "Level", "open_enclosure"]

Level = Literal["full", "partial", "none"]
LEVELS: tuple[Level, ...] = ("full", "partial", "none")

# Users that Debian and others leave to nobody. One each, so that limits counted per user do not meet.
_FIRST_USER, _USERS = 55_000, 5_000


class Enclosure(abc.ABC):
    """Forks processes and shuts them in. Lives in the zygote; made before anything large is imported."""

    level: Level
    how: str

    def __init__(self, base: Path, bounds: Limits) -> None:
        self.base, self.bounds = base, bounds
        self.count = itertools.count()

    def prepare(self) -> None:  # noqa: B027 - most have nothing to prepare
        """What is done once, in the zygote. OSError where the machine does not allow it."""

    def fork(self) -> int:
        """As os.fork; processes that the child might start die with it."""
        return os.fork()

    @abc.abstractmethod
    def enter(self, number: int) -> None:
        """Shut the present process, the fork with this number, in. OSError where that fails: it must not go on then."""

    def clean(self, number: int) -> None:  # noqa: B027 - namespaces leave nothing behind
        """Remove what fork `number` left on disk."""


class Namespaces(Enclosure):
    """Level full. `as_root` says whether the zygote has the rights itself or gets them in a user namespace."""

    level = "full"

    def __init__(self, base: Path, bounds: Limits, hidden: Sequence[Path]) -> None:
        super().__init__(base, bounds)
        self.hidden, self.as_root = hidden, os.geteuid() == 0
        self.how = "namespaces, seccomp, limits; " + ("as root" if self.as_root else "in a user namespace")

    def prepare(self) -> None:
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
        linux_calls.unshare(
            linux_calls.CLONE_NEWPID
        )  # holds for the next child, which becomes the first process of its own world
        child = os.fork()
        if child:
            linux_calls.setns(self.processes, linux_calls.CLONE_NEWPID)
        return child

    def enter(self, number: int) -> None:
        uid, gid = os.getuid(), os.getgid()
        if self.as_root:
            uid = gid = _FIRST_USER + number % _USERS
        resource_limits.apply(self.bounds, own_user=self.as_root)
        file_view.enter(self.base, uid, gid, self.bounds)
        _move_in(Path(file_view.HOME))
        if self.as_root:
            os.setgroups([])
            os.setresgid(gid, gid, gid)
            os.setresuid(uid, uid, uid)
        else:
            linux_calls.capset_nothing()
        _last_steps()


class Landlocked(Enclosure):
    """Level partial."""

    level = "partial"
    how = "Landlock, seccomp, limits"

    def prepare(self) -> None:
        if not (seccomp.available() and landlock.available()):
            raise OSError("no Landlock or no seccomp here")

    def _home(self, number: int) -> Path:
        return self.base / f"learner-{number}"

    def enter(self, number: int) -> None:
        home = self._home(number)
        (home / "tmp").mkdir(parents=True, mode=0o700)
        _move_in(home)
        resource_limits.apply(self.bounds, own_user=False)
        linux_calls.no_new_privileges()
        readable = [
            *file_view.needed(),
            *map(Path, ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts")),
        ]
        landlock.restrict(readable, [home, *map(Path, ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"))])
        linux_calls.capset_nothing()
        _last_steps()

    def clean(self, number: int) -> None:
        shutil.rmtree(self._home(number), ignore_errors=True)


class Unprotected(Enclosure):
    """Level none: a folder of one's own and resource_limits."""

    level = "none"
    how = "limits only"

    def enter(self, number: int) -> None:
        home = self.base / f"learner-{number}"
        (home / "tmp").mkdir(parents=True, mode=0o700)
        _move_in(home)
        resource_limits.apply(self.bounds, own_user=False)

    def clean(self, number: int) -> None:
        shutil.rmtree(self.base / f"learner-{number}", ignore_errors=True)


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


def _last_steps() -> None:
    linux_calls.no_new_privileges()
    linux_calls.hide_from_debuggers()
    linux_calls.prctl(linux_calls.PR_SET_PDEATHSIG, 9)
    seccomp.install()


def open_enclosure(base: Path, hidden: Sequence[Path], strongest: Level = "full", bounds: Limits | None = None) -> Enclosure:
    """The strongest level up to `strongest` that a trial shows to hold, prepared for this process."""
    bounds = bounds or Limits()
    kinds = [lambda: Namespaces(base, bounds, hidden), lambda: Landlocked(base, bounds), lambda: Unprotected(base, bounds)]
    for level, make in list(zip(LEVELS, kinds, strict=True))[LEVELS.index(strongest) :]:
        if level == "none" or (sys.platform == "linux" and enclosure_test.holds(make(), hidden)):
            chosen = make()
            with contextlib.suppress(FileNotFoundError):
                chosen.clean(0)
            chosen.prepare()
            return chosen
    raise AssertionError("unreachable: the last level is always there")
