"""Import and run once what learners' code will want, so that no fork pays for it. What that is, the course says."""

import contextlib
import importlib
import io
from collections.abc import Collection
from typing import Any

from embedding_course.subject.course import course


def warm(shell: Any, topics: Collection[str] | None = None, skipped: Collection[str] = ()) -> None:
    """Import and run what learners' code needs, without starting a thread.

    `topics` are the notebooks whose exercises are prepared; None stands for all. `skipped` are modules that are not imported.
    """
    wanted = course().subject.warm
    for module in wanted.modules:
        if module not in skipped:
            importlib.import_module(module)
    if wanted.calls:
        importlib.import_module(wanted.calls).warm_up()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for cell in wanted.cells:
            shell.run_cell(cell, store_history=False, silent=True)
    _cases(topics)


def _cases(topics: Collection[str] | None) -> None:
    """Run the drivers of these exercises with an answer that says nothing, to warm what carries inputs and results."""
    from embedding_course.checking.codec import encode_observation
    from embedding_course.checking.observe import observe
    from embedding_course.checking.random_inputs import RandomInputs
    from embedding_course.exercises import known

    asked_for = [exercise for exercise in known().values() if topics is None or exercise.lesson.topic in topics]
    for exercise in asked_for:
        for case in exercise.cases(RandomInputs(0, exercise.id)):
            encode_observation(observe(exercise, _nothing, case), [])


def _nothing(*args: Any, **options: Any) -> None:
    return None
