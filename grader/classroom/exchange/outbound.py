"""Give notebooks to students through nbgrader's exchange."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseAssignment

from ..policy.course import Course
from ..release import release
from .settings import ExchangeSettings


def release_notebooks(settings: ExchangeSettings, course: Course, topics: Sequence[str]) -> list[Path]:
    """Put the student form of these notebooks where `nbgrader fetch_assignment` finds it, and return the folders.

    The notebooks have the points and deadlines of the class. An earlier release is replaced; students who fetched it keep it.

    Parameters
    ----------
    settings : ExchangeSettings
    course : Course
    topics : sequence of str
        Names of the notebooks to release.

    Raises
    ------
    NoExchange
        If the exchange cannot be written.
    """
    placed = []
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        tree, _ = release(Path(folder), wheel=False, course=course)
        for topic in topics:
            settings.run(ExchangeReleaseAssignment, topic, root=folder, release_directory=str(tree / "notebooks"))
            placed.append(settings.root / settings.course_id / "outbound" / topic)
    return placed
