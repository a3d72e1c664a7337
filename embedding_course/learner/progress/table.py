"""Provide `progress`: what is done and what is next, across all notebooks."""

from html import escape
from pathlib import Path

from ...checking.render import Panel, code, show_panel, table_panel
from ...checking.result import number
from ...files import learners_folder
from ...subject.errors import CourseError
from ...subject.lessons import LESSONS, lesson
from ..this_notebook import this_notebook
from .course_map import course_map
from .page import write_page
from .record import ProgressRecord, load
from .record import save_to as _save_to
from .summary import Standing, standing

#: The page's name in the learner's folder.
PAGE = "progress.html"
_KEPT = "Progress, answers and tables are kept in `{}`."


def progress(
    notebook: str | int | None = None, *, save_to: str | Path | None = None, page: str | Path | bool | None = None
) -> None:
    """Show the map, the points by notebook, the exercises, and what to do next.

    Parameters
    ----------
    notebook
        Show the exercises of this one only: 5, "05" or "05_lstm_seq2seq".
    save_to
        From now on keep the record, the answers that passed and the tables that you trained in this folder (on Colab: one of
        your Drive), together with what is already there. Later kernels on this machine find it; on a new machine call this
        again.
    page
        Write the same as an HTML page: to this file, or with True beside the record. A page that is there already is kept
        up to date by every call.

    Raises
    ------
    CourseError
        For a notebook that does not exist, a Drive that is not mounted, or a folder that cannot be written to.
    """
    only = None if notebook is None else _number(notebook)
    if save_to is not None:
        path = _save_to(save_to)
        show_panel(Panel(_KEPT.format(path.parent), f"<p>{code(_KEPT.format(path.parent))}</p>"))
    memory = load()
    state = standing(memory, here=only or (this_notebook() or "")[:2])
    show_panel(_map(state))
    show_panel(_table(state, memory, only))
    _write(page, state, memory)


def _number(notebook: str | int) -> str:
    """Return the two digits of a notebook. Raise CourseError if there is none of that number."""
    named = str(notebook).strip()
    try:
        return lesson(named.zfill(2) if named.isdecimal() else named).number
    except KeyError:
        last = LESSONS[-1].number
        raise CourseError(
            f"There is no notebook {notebook!r}: the notebooks are {LESSONS[0].number} to {last}, as in "
            f'`progress("{last}")`. `save_to="folder"` chooses where progress is kept.'
        ) from None


def _map(state: Standing) -> Panel:
    """Return the map of the course with the points of the core exercises; in plain text it is one line."""
    places = sorted(state.places.items())
    line = "  ".join(f"{number} {place.mark} {place.earned:g}/{place.points:g}" for number, place in places)
    return Panel(line, course_map(state.places))


def _table(state: Standing, memory: ProgressRecord, only: str | None = None) -> Panel:
    """Return the exercises of one notebook, or of those that were begun and the one that comes next.

    A table of all notebooks would be too long.
    """
    following = state.following.number if state.following else ""
    touched = {name.split(".")[0] for name in (*memory.best, *memory.tries, *memory.solutions)}
    shown = [topic for topic in state.topics if topic.lesson.number in ({only} if only else touched | {following})]
    rows = []
    for topic in shown:
        for exercise, best in topic.entries:
            done = best >= exercise.points
            mark = "✔ done" if done else "◐ begun" if best else "○ open"
            mark += _solution_note(memory.solutions.get(exercise.id), done)
            points = f"{number(best)}/{number(exercise.points)}" + ("" if exercise.core else " extra")
            rows.append([exercise.id, exercise.title, mark, points, str(memory.tries.get(exercise.id, 0))])
    foot = f"{number(state.earned)} of {number(state.points)} points, {number(state.extra)} extra. "
    if state.following is None:
        foot += "Everything is done, extra credit too."
    elif not state.following.core:
        foot += f"All core exercises are done. Extra credit: `{state.following.id}`."
    else:
        foot += f"Next: `{state.following.id}`, {state.following.title}: {state.why}."
    if len(shown) < len(state.topics):
        foot += " All notebooks on one page: `progress(page=True)`."
    early = sum(when == "before" for when in memory.solutions.values())
    if early:
        foot += f" Worked solutions read before the exercise was done: {early}."
    return table_panel(["exercise", "title", "state", "best", "tries"], rows, foot)


def _solution_note(when: str | None, done: bool) -> str:
    """Return whether and when the worked solution was read."""
    if when == "before":
        return ", solution read first" if done else ", solution read"
    return ", solution read since" if when else ""


def _write(page: str | Path | bool | None, state: Standing, memory: ProgressRecord) -> None:
    home = learners_folder() / PAGE
    path = home if page is None or isinstance(page, bool) else Path(page).expanduser()
    if page is False or (page is None and not home.is_file()):
        return
    try:
        write_page(path, state, memory)
    except OSError as error:
        if page is None:
            return
        raise CourseError(f"The page could not be written to {path} ({error.strerror}).") from None
    if page is not None:
        show_panel(Panel(f"The page is {path}.", f"<p>The page is <code>{escape(str(path))}</code>.</p>"))
