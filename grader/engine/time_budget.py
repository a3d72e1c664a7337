"""How long a learner's code may take: one cell or one call, and a submission as a whole."""

import math
from dataclasses import dataclass

from embedding_course.checking.submission_limits import (
    CLOCK_SECONDS,
    CPU_SECONDS,
    LENT_ANSWERS,
    OWN_CLOCK_SECONDS,
    OWN_SECONDS,
    SUBMISSION_CLOCK_SECONDS,
    SUBMISSION_SECONDS,
)


class TimedOut(Exception):
    """The learner's code did not come back."""


class OutOfTime(TimedOut):
    """The submission used up the time that it has as a whole."""


@dataclass(frozen=True)
class TimeLimits:
    """How long a learner's code may take, in seconds.

    The limit on processor time keeps a busy machine from costing anybody marks; the limit by the clock stops code that sleeps.
    `cpu` and `clock` are for one cell or one call, `own_*` for all own cells together, `whole_*` for the submission.
    """

    cpu: float = CPU_SECONDS
    clock: float = CLOCK_SECONDS
    whole_cpu: float = SUBMISSION_SECONDS
    whole_clock: float = SUBMISSION_CLOCK_SECONDS
    own_cpu: float = OWN_SECONDS
    own_clock: float = OWN_CLOCK_SECONDS


#: For a process of our own choice that is asked again and again, as an audit does: only single answers have a time.
NO_TOTAL_LIMIT = TimeLimits(whole_clock=math.inf)


class TimeBudget:
    """What is left to a submission, over all its processes.

    That is processor time, time by the clock in which we waited for it, the part of both that own cells may use, and the number
    of answers that may be lent to it.

    Our own work on a submission does not count by the clock: no mark depends on how long we take for the answers to the hidden
    cases.
    """

    def __init__(self, time_limits: TimeLimits) -> None:
        self.cpu, self.clock = time_limits.whole_cpu, time_limits.whole_clock
        self.own_cpu, self.own_clock = time_limits.own_cpu, time_limits.own_clock
        self.answers = LENT_ANSWERS

    def look(self, waited: float = 0.0, used: float = 0.0) -> None:
        """Raise OutOfTime when this much, not yet taken off, is more than what is left."""
        if waited > self.clock or used > self.cpu:
            raise OutOfTime
