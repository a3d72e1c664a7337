"""How much of the machine one submission may use."""

import os
import resource
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from embedding_course.checking.submission_limits import MEMORY, SUBMISSION_SECONDS

MIB = 2**20


@dataclass(frozen=True)
class Limits:
    """Bounds of one learner's process. Bytes, seconds, counts.

    `memory` comes on top of what the process has when it starts; `disk` and `files` bound its private folder.
    """

    memory: int = MEMORY
    cpu_seconds: int = SUBMISSION_SECONDS
    file_size: int = 16 * MIB
    open_files: int = 64
    threads: int = 64
    output: int = 16 * MIB
    disk: int = 64 * MIB
    files: int = 4096


def apply(limits: Limits, *, own_user: bool) -> None:
    """Set the limits on this process. The limit on threads counts all threads of a user, so it needs a separate user."""
    bounds = {
        resource.RLIMIT_AS: address_space() + limits.memory,
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_FSIZE: limits.file_size,
        resource.RLIMIT_NOFILE: limits.open_files,
        resource.RLIMIT_CORE: 0,
    }
    if own_user:
        bounds[resource.RLIMIT_NPROC] = limits.threads
    lower(bounds)


def lower(bounds: Mapping[int, int]) -> None:
    """Set these limits on this process, soft and hard; one that is lower already stays."""
    for kind, bound in bounds.items():
        _, hard = resource.getrlimit(kind)
        least = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
        resource.setrlimit(kind, (least, least))


def address_space() -> int:
    """Return bytes of address space in use now: torch alone reserves gigabytes."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 8192 * MIB
    return pages * os.sysconf("SC_PAGE_SIZE")
