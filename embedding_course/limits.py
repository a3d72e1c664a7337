"""How much a submission may use: the grader's bounds, which `doctor` measures a notebook against."""

from __future__ import annotations

__all__ = ["CLOCK_SECONDS", "CPU_SECONDS", "MEMORY", "SUBMISSION_SECONDS"]

#: Seconds of processor time for one cell or one call, and for one that sleeps, seconds by the clock.
CPU_SECONDS = 10.0
CLOCK_SECONDS = 60.0
#: Seconds of processor time for a submission as a whole.
SUBMISSION_SECONDS = 120
#: Bytes, on top of what Python and torch take.
MEMORY = 2048 * 2**20
