"""What a learner's process sees of the file system: Python, its packages, a folder of its own, and nothing else.

A new root is put together once, in the zygote, from read-only mounts. Every fork gets a fresh folder in memory and
makes that root its own.
"""

import contextlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from embedding_course.subject.course import course

from . import linux_calls as kernel
from .resource_limits import Limits

HOME = "/home/learner"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_FILES = ("/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/etc/mime.types")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def needed() -> list[Path]:
    """Return the folders that Python, its packages and the course's public half are read from."""
    folders = [Path(sys.base_prefix), Path(sys.prefix), Path(sys.base_exec_prefix), Path(sys.exec_prefix)]
    folders += [Path(folder) for folder in sys.path if Path(folder).name in ("site-packages", "dist-packages")]
    engine = importlib.util.find_spec("embedding_course")
    packages = [Path(location) for location in (engine.submodule_search_locations if engine else None) or ()]
    folders += [*packages, *(package.parent / "data" for package in packages)]  # in a checkout the shipped data lie beside it
    folders.append(course().home)
    kept: list[Path] = []
    for path in sorted({path.resolve() for path in folders if path.is_dir()} | {path for path in folders if path.is_dir()}):
        if not any(path.is_relative_to(other) for other in (*kept, Path("/usr"))):
            kept.append(path)
    return kept


def build(base: Path, hidden: Sequence[Path]) -> None:
    """Build the new root under `base`, in a mount namespace of our own. Raise OSError if a step fails.

    `hidden` are folders of the instructor; one that is below a visible folder is covered.
    """
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("tmpfs", str(base), "tmpfs", kernel.MS_NOSUID, "size=4m,mode=755")
    shown = needed()
    for name in _SYSTEM:
        if Path(name).is_symlink():
            (base / name.lstrip("/")).symlink_to(Path(name).readlink())
        elif Path(name).is_dir():
            _bind(base, Path(name))
    for path in shown:
        _bind(base, path)
    for path in hidden:
        inside = base / path.relative_to("/")
        if any(path.is_relative_to(other) for other in (*shown, Path("/usr"))) and inside.is_dir():
            kernel.mount("tmpfs", str(inside), "tmpfs", 0, "size=64k,mode=755")
            for other in shown:
                if other.is_relative_to(path):
                    _bind(base, other)
    for name in (*_FILES, *_DEVICES):
        if Path(name).exists():
            _bind(base, Path(name))
    home = base / HOME.lstrip("/")
    home.mkdir(parents=True)
    with contextlib.suppress(FileExistsError):  # Python itself, or the course, lies below /tmp
        (base / "tmp").symlink_to(f"{HOME}/tmp")
    (base / "dev").mkdir(exist_ok=True)
    (base / "dev/shm").symlink_to(f"{HOME}/tmp")
    kernel.mount_read_only(str(base))


def _bind(base: Path, path: Path) -> None:
    """Show a file or folder at its own place below the new root."""
    target = base / path.relative_to("/")
    if path.is_dir():
        target.mkdir(parents=True, exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            target.touch(exist_ok=False)
    kernel.mount(str(path), str(target), None, kernel.MS_BIND | kernel.MS_REC)


def enter(base: Path, uid: int, gid: int, limits: Limits) -> None:
    """Take a fresh folder in memory as home and `base` as root; called in a fork.

    Parameters
    ----------
    base : Path
        Folder that becomes the root.
    uid, gid : int
        User and group that own the home folder.
    limits : Limits
        Limits of the home folder's size and number of files.
    """
    kernel.unshare(kernel.CLONE_NEWNS)
    home = f"{base}{HOME}"
    options = f"size={limits.disk},nr_inodes={limits.files},mode=700,uid={uid},gid={gid}"
    kernel.mount("tmpfs", home, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, options)
    Path(home, "tmp").mkdir(mode=0o700)
    os.chown(f"{home}/tmp", uid, gid)
    os.chdir(base)
    kernel.pivot_root(".", ".")
    kernel.unmount(".")
    os.chdir(HOME)
