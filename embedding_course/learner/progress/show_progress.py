"""Provide `progress`: what is done and what is next, across all notebooks."""

from pathlib import Path

from ...checking.render import Panel, show_panel, show_text, table_panel
from ...checking.result import number
from ...files import learners_folder
from ...messages import Message, as_text, translate
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
_KEPT = Message("Progress, answers and tables are kept in `{folder}`.")
_STATES = {"✔": Message("✔ done"), "◐": Message("◐ begun"), "○": Message("○ open")}


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
        show_text(_KEPT.fill(folder=path.parent))
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
        message = Message(
            'There is no notebook {notebook}: the notebooks are {first} to {last}, as in `progress("{last}")`. '
            '`save_to="folder"` chooses where progress is kept.',
            notebook=repr(notebook),
            first=LESSONS[0].number,
            last=last,
        )
        raise CourseError(message) from None


def _map(state: Standing) -> Panel:
    """Return the map of the course with the points of the core exercises; in plain text it is one line."""
    scores = sorted(state.scores.items())
    line = "  ".join(f"{number} {score.mark} {score.earned:g}/{score.points:g}" for number, score in scores)
    return Panel(line, course_map(state.scores))


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
            mark = _with_solution(_STATES["✔" if done else "◐" if best else "○"], memory.solutions.get(exercise.id), done)
            points = Message("{score}/{maximum}") if exercise.core else Message("{score}/{maximum} extra")
            points = points.fill(score=number(best), maximum=number(exercise.points))
            rows.append([exercise.id, translate(exercise.title), mark, points, memory.tries.get(exercise.id, 0)])
    titles = [Message("exercise"), Message("title"), Message("state"), Message("best"), Message("tries")]
    return table_panel(titles, rows, as_text(_foot(state, memory, len(shown) < len(state.topics))))


def _foot(state: Standing, memory: ProgressRecord, shortened: bool) -> list[Message]:
    """Return the sentences below the table: the points, what comes next, and where all notebooks are listed."""
    points = Message("{score} of {maximum} points, {extra} extra.", score=number(state.earned), maximum=number(state.points))
    foot = [points.fill(extra=number(state.extra))]
    following = state.following
    if following is None:
        foot.append(Message("Everything is done, extra credit too."))
    elif not following.core:
        foot.append(Message("All core exercises are done. Extra credit: `{exercise}`.", exercise=following.id))
    else:
        step = Message("Next: `{exercise}`, {title}: {reason}.", exercise=following.id, title=Message(following.title))
        foot.append(step.fill(reason=state.why))
    if shortened:
        foot.append(Message("All notebooks on one page: `progress(page=True)`."))
    early = sum(when == "before" for when in memory.solutions.values())
    if early:
        foot.append(Message("Worked solutions read before the exercise was done: {count}.", count=early))
    return foot


def _with_solution(state: Message, when: str | None, done: bool) -> Message:
    """Return the state of an exercise, with whether and when the worked solution was read."""
    if when is None:
        return state
    if when != "before":
        return Message("{state}, solution read since", state=state)
    return Message("{state}, solution read first", state=state) if done else Message("{state}, solution read", state=state)


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
        raise CourseError(
            Message("The page could not be written to {file} ({reason}).", file=path, reason=error.strerror)
        ) from None
    if page is not None:
        show_text(Message("The page is `{file}`.", file=path))
