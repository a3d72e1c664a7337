"""How a class is graded: what `grader grade` can be told."""

from dataclasses import dataclass

from ..engine.sandbox import Level, Limits
from ..engine.time_limits import TimeLimits

#: What runs the cells.
RUNNERS = ("engine", "kernel")


@dataclass(frozen=True)
class Run:
    """How a class is graded. The defaults are what `grader grade` does when nothing is said.

    `seed` None draws a fresh one; `force` grades again what has not changed; `student` and `exercise` narrow the run;
    `students` does so for several; `same_seeds` gives every submission the hidden cases of its last grading instead.
    `workers` None uses as many as there are cores. `runner` is "engine"; or "kernel", where the cells go through nbclient
    into kernels forked from the zygote. `scheduler` is the address of a dask cluster. `python` is the path of the Python
    that runs learners' cells, empty for the grader's own.
    """

    seed: int | None = None
    force: bool = False
    student: str | None = None
    students: tuple[str, ...] | None = None
    same_seeds: bool = False
    exercise: str | None = None
    workers: int | None = None
    runner: str = "engine"
    strongest: Level = "full"
    trusted: bool = False
    limits: Limits | None = None
    time_limits: TimeLimits | None = None
    scheduler: str = ""
    python: str = ""
