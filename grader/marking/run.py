"""How a class is graded: the choices of `grader grade`."""

from dataclasses import dataclass

from ..engine.sandbox import Level, Limits
from ..engine.time_budget import TimeLimits

#: What runs the cells.
RUNNERS = ("engine", "kernel")


@dataclass(frozen=True)
class Run:
    """How a class is graded. The defaults are those of `grader grade`.

    Attributes
    ----------
    seed
        The seed of the hidden cases; None draws a fresh one.
    force
        Whether submissions are graded again that have not changed.
    student, students, exercise
        The student, the students or the exercise that the run is limited to.
    same_seeds
        Whether each submission gets the hidden cases of its last grading.
    workers
        The number of worker processes; None uses as many as there are cores.
    runner
        "engine", or "kernel" to run the cells by nbclient in kernels forked from the zygote.
    scheduler
        The address of a dask cluster.
    python
        The path of the Python that runs learners' cells, or empty for the grader's own.
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
