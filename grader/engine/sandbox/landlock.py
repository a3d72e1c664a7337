"""Landlock: where namespaces are not to be had, the kernel still lets a process give up the sight of most files."""

import os
import struct
from collections.abc import Iterable
from pathlib import Path

from . import linux_calls as kernel

# The same numbers on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_ALL_OF_FIRST_VERSION = (1 << 13) - 1
_REFER, _TRUNCATE = 1 << 13, 1 << 14


def _version() -> int:
    try:
        return kernel.syscall(_CREATE_RULESET, None, 0, 1)
    except OSError:
        return 0


def available() -> bool:
    """Return True if the kernel has Landlock."""
    return _version() > 0


def restrict(readable: Iterable[Path], writable: Iterable[Path]) -> None:
    """Restrict sight to these files and folders; only the latter can be written."""
    version = _version()
    handled = _ALL_OF_FIRST_VERSION | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    attributes = struct.pack("Q", handled)
    ruleset = kernel.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    try:
        for path in readable:
            _allow(ruleset, path, _READ_FILE | _READ_DIR | _EXECUTE)
        for path in writable:
            _allow(ruleset, path, handled & ~_REFER)
        kernel.syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not path.is_dir():
            rights &= _EXECUTE | _WRITE_FILE | _READ_FILE
        kernel.syscall(_ADD_RULE, ruleset, 1, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)
