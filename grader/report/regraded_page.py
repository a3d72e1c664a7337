"""The page of a regrading: everybody's points before and after."""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

from embedding_course.exercises import find_exercise

from ..marking.regrade import Change, LeftOut, difference
from .number_text import today
from .pages import environment, write_page


def render_regraded(
    exercise_id: str, changes: Sequence[Change], left_out: Sequence[LeftOut], backup: str, zone: tzinfo = UTC
) -> str:
    """Return the page as HTML: who gained most first, then who lost, then who kept the same.

    Parameters
    ----------
    exercise_id : str
    changes : sequence of Change
        Points of each student before and after.
    left_out : sequence of LeftOut
        Submissions that were not graded again, with the reason.
    backup : str
        Path of the gradebook's copy from before, seen from the class's folder; "" if there is none.
    zone : tzinfo, optional
        Time zone of the page.
    """
    moved = sorted((change for change in changes if change.difference), key=lambda row: (-row.difference, row.student))
    same = sorted((row for row in changes if not row.difference), key=lambda row: row.student)
    facts: dict[str, Any] = {
        "exercise": find_exercise(exercise_id),
        "moved": moved,
        "same": same,
        "left_out": left_out,
        "backup": backup,
        "made_at": today(zone),
        "up": sum(row.difference > 0 for row in moved),
        "down": sum(row.difference < 0 for row in moved),
        "mean_before": _mean([row.before for row in changes]),
        "mean_after": _mean([row.after for row in changes]),
    }
    pages = environment()
    pages.filters["difference"] = difference
    return pages.get_template("regraded_page.html.j2").render(**facts).lstrip()


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def write_regraded(
    home: Path,
    exercise_id: str,
    changes: Sequence[Change],
    left_out: Sequence[LeftOut],
    backup: str,
    zone: tzinfo = UTC,
) -> Path:
    """Write the page into `reports/`, under a name of its own, and return its path.

    Earlier pages stay.

    Parameters
    ----------
    home : Path
        Folder of the class.
    exercise_id : str
    changes : sequence of Change
        Points of each student before and after.
    left_out : sequence of LeftOut
        Submissions that were not graded again, with the reason.
    backup : str
        Path of the gradebook's copy from before, seen from the class's folder; "" if there is none.
    zone : tzinfo, optional
        Time zone of the page.
    """
    page = home / "reports" / f"regrade_{exercise_id}_{datetime.now(UTC):%Y-%m-%d_%H%M%S}.html"
    write_page(page, render_regraded(exercise_id, changes, left_out, backup, zone))
    return page
