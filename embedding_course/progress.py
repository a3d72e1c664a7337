"""`progress`: what is done, what is next, across all notebooks."""

from __future__ import annotations

from pathlib import Path

from .course_map import Place, course_map
from .exercises import known
from .render import Panel, show_panel, table_panel
from .result import number
from .store import load
from .store import save_to as _save_to

__all__ = ["progress"]


def progress(save_to: str | Path | None = None) -> None:
    """Show a table of all exercises. It survives a restart of the kernel.

    With `save_to`, the record is kept in that folder from now on (on Colab: a folder of your Drive), merged with
    what is already there.
    """
    if save_to is not None:
        path = _save_to(save_to)
        show_panel(Panel(f"Progress is kept in {path}.", f"<p>Progress is kept in <code>{path}</code>.</p>"))
    memory = load()
    show_panel(_map(memory.best))
    rows, earned, whole, extra, following = [], 0.0, 0.0, 0.0, ""
    for exercise in known().values():
        best = memory.best.get(exercise.id)
        done = best is not None and best >= exercise.points
        mark = "✔ done" if done else "○ open" if not best else "◐ begun"
        mark += _reading(memory.solutions.get(exercise.id), done)
        if exercise.core:
            earned, whole = earned + (best or 0.0), whole + exercise.points
        else:
            extra += best or 0.0
        if not done and not following and exercise.core:
            following = exercise.id
        points = f"{number(best or 0.0)}/{number(exercise.points)}" + ("" if exercise.core else " extra")
        rows.append([exercise.id, exercise.title, mark, points, str(memory.tries.get(exercise.id, 0))])
    foot = f"{number(earned)} of {number(whole)} points, {number(extra)} extra. "
    foot += f"Next: `{following}`." if following else "All core exercises are done."
    early = sum(when == "before" for when in memory.solutions.values())
    if early:
        foot += f" Worked solutions read before the exercise was done: {early}."
    show_panel(table_panel(["exercise", "title", "state", "best", "tries"], rows, foot))


def _reading(when: str | None, done: bool) -> str:
    """Whether the worked solution was read, and when: it is no shame, and no secret."""
    if when == "before":
        return ", solution read first" if done else ", solution read"
    return ", solution read since" if when else ""


def _map(best: dict[str, float]) -> Panel:
    """The map of the course with the points of the core exercises in each notebook; in plain text a line of them."""
    core: dict[str, list[tuple[float, float]]] = {}
    for entry in known().values():
        if entry.core:
            core.setdefault(entry.number, []).append((best.get(entry.id, 0.0), entry.points))
    places = {number: Place(*map(sum, zip(*points, strict=True))) for number, points in core.items()}
    line = "  ".join(f"{number} {place.mark} {place.earned:g}/{place.points:g}" for number, place in sorted(places.items()))
    return Panel(line, course_map(places))
