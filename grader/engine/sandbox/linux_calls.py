"""The few Linux system calls that the sandbox needs and Python does not offer, through libc."""

import contextlib
import ctypes
import os
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT = 1, 2, 4, 8, 32
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38

# These have the same numbers on every architecture.
_MOUNT_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_ATTR_RDONLY, _ATTR_NOSUID = 1, 2

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")
    return result


def syscall(number: int, *arguments: object) -> int:
    """Make a raw system call, and return its result. Raise OSError if it fails."""
    given = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *given), f"system call {number}")


def unshare(flags: int) -> None:
    """Leave some of the namespaces shared with other processes."""
    _checked(_libc.unshare(flags), "unshare")


def setns(descriptor: int, kind: int) -> None:
    """Enter the namespace behind a descriptor."""
    _checked(_libc.setns(descriptor, kind), "setns")


def mount(source: str | None, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """Mount `source` at `target`.

    Parameters
    ----------
    source : str or None
        Device or folder to mount, if any.
    target : str
        Folder at which it is mounted.
    kind : str or None
        Type of the file system, if it must be named.
    flags : int
        Sum of `MS_` flags.
    options : str, optional
        Options of the file system, separated by commas.

    Raises
    ------
    OSError
        If the call fails.
    """
    texts = [None if text is None else os.fsencode(text) for text in (source, target, kind)]
    _checked(_libc.mount(*texts, ctypes.c_ulong(flags), options.encode()), f"mount {target}")


def mount_read_only(target: str) -> None:
    """Make a mount and all below it read-only, set-user-id bits without effect (Linux 5.12 or later)."""
    attributes = struct.pack("QQQQ", _ATTR_RDONLY | _ATTR_NOSUID, 0, 0, 0)
    syscall(_MOUNT_SETATTR, _AT_FDCWD, os.fsencode(target), _AT_RECURSIVE, attributes, len(attributes))


def unmount(target: str, flags: int = MNT_DETACH) -> None:
    """Unmount what is mounted at `target`, by default even while it is in use. Raise OSError if it fails."""
    _checked(_libc.umount2(os.fsencode(target), flags), f"unmount {target}")


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root directory, and put the old one at `old`."""
    _checked(_libc.pivot_root(os.fsencode(new), os.fsencode(old)), "pivot_root")


def prctl(option: int, *values: int) -> None:
    """Set an option of the present process. Raise OSError if it fails."""
    padded = [ctypes.c_ulong(value) for value in (*values, 0, 0, 0, 0)[:4]]
    _checked(_libc.prctl(option, *padded), f"prctl {option}")


def no_new_privileges() -> None:
    """Forbid this process and its children to gain rights, by set-user-id programs too."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def hide_from_debuggers() -> None:
    """Forbid other processes of the same user to look into this one."""
    prctl(PR_SET_DUMPABLE, 0)


def capset_nothing() -> None:
    """Give up all capabilities, also those that a root of a user namespace has."""
    for capability in range(64):
        with contextlib.suppress(OSError):  # no such capability in this kernel, or no right to drop it
            prctl(PR_CAPBSET_DROP, capability)
    header = struct.pack("Ii", 0x20080522, 0)
    _checked(_libc.capset(header, bytes(24)), "capset")
