"""Provide `solution`: the worked solution of an exercise, after attempts and hints; reading it is recorded."""

from collections.abc import Collection, Sequence
from html import escape

from ...checking import expected
from ...checking.exercise import Exercise
from ...checking.render import Panel, code, show_panel
from ...exercises import find_exercise, known
from ..progress.record import ProgressRecord, load, update
from .excerpt import Excerpt, excerpt
from .part import find_text

#: Number of checks of an own answer before the worked solution opens.
TRIES = 3
_BLOCK = (
    "background:rgba(127,127,127,.09);border-radius:4px;padding:.6em .9em;margin:.3em 0;"
    "font-family:monospace;font-size:.92em;line-height:1.4;white-space:pre-wrap;overflow-wrap:anywhere"
)
_MISSING = (
    "The worked solutions are not part of this installation: a class may ship without them. "
    "`hint({id!r})` helps by degrees, and the check says what it sees."
)


def solution(name: str, anyway: bool = False) -> None:
    """Show the worked solution of an exercise, with its derivation and common mistakes.

    It opens once the exercise is done, or after three attempts and all hints; before that a message says what is left to try.
    That it was read is recorded, and `progress()` shows it.

    Parameters
    ----------
    name
        An exercise, such as "07.split_heads".
    anyway
        True to open it early.

    Examples
    --------
    >>> solution("07.split_heads")  # doctest: +SKIP
    """
    exercise = find_exercise(name)
    answer, memory = worked(exercise), load()
    if answer is None:
        _say(_MISSING.format(id=exercise.id))
        return
    missing = _still_to_try(exercise, memory)
    if missing and not anyway:
        _say(missing)
        return
    note_reading(exercise, memory)
    show_panel(_panel(exercise, answer, _done(exercise, memory)))


def worked(exercise: Exercise) -> Excerpt | None:
    """Return the worked solution itself; None if it is not installed."""
    text = find_text(exercise)
    others = {other.name for other in known().values()} - {exercise.name}
    return None if text is None else excerpt(text, exercise.name, others)


def note_reading(exercise: Exercise, memory: ProgressRecord) -> None:
    """Record that the solution was read, and whether that was before the exercise was done."""
    if memory.solutions.get(exercise.id) != "before":
        memory.solutions[exercise.id] = "after" if _done(exercise, memory) else "before"
        update(memory)


def code_block(lines: Sequence[str], marked: Collection[int] = ()) -> str:
    """Return Python as HTML, with a bar beside the lines whose index is in `marked`.

    A wide line is wrapped and indented, so that its end stays visible.
    """
    rows = []
    for index, line in enumerate(lines):
        hang = len(line) - len(line.lstrip()) + 4
        bar = "currentColor" if index in marked else "transparent"
        look = f"padding-left:{hang}ch;text-indent:-{hang}ch;border-left:3px solid {bar}"
        rows.append(f'<div style="{look}">{escape(line) or "&nbsp;"}</div>')
    return f'<div style="{_BLOCK}">{"".join(rows)}</div>'


def _done(exercise: Exercise, memory: ProgressRecord) -> bool:
    return memory.best.get(exercise.id, 0.0) >= exercise.points


def _still_to_try(exercise: Exercise, memory: ProgressRecord) -> str:
    tries, hints = memory.tries.get(exercise.id, 0), memory.hints.get(exercise.id, 0)
    more, unread = max(0, TRIES - tries), max(0, len(exercise.hints) - hints)
    if _done(exercise, memory) or not more + unread:
        return ""
    wanted = [f"{more} more {'try' if more == 1 else 'tries'} of your own"] * bool(more)
    wanted += [f"{unread} {'hint' if unread == 1 else 'hints'} you have not read"] * bool(unread)
    step = f'`hint("{exercise.id}")` shows the next hint.' if unread else "Change something and run the check again."
    return (
        f"The worked solution of {exercise.id} opens after {' and '.join(wanted)}. {step} "
        f'Who wants it now: `solution("{exercise.id}", anyway=True)`.'
    )


def _panel(exercise: Exercise, answer: Excerpt, done: bool) -> Panel:
    head = f"Worked solution · {exercise.id} · {exercise.title}"
    wrong = [item.diagnosis for item in expected.load(exercise).fingerprints[:3]]
    lists = [("What leads to it", list(exercise.hints)), ("What it has to do", [item.says for item in exercise.criteria])]
    lists += [("What usually goes wrong", wrong)] * bool(wrong)
    foot = "" if done else "Read it, put it away, and write your own. Once that passes: "
    foot += f'`compare_with_solution("{exercise.id}")` lays yours beside it.'
    text = [head, f"  {exercise.why}", "", answer.text, ""]
    html = [f"<strong>{escape(head)}</strong>", f"<div>{code(exercise.why)}</div>", code_block(answer.text.splitlines())]
    for title, entries in lists:
        text += [f"{title}:", *(f"  - {line}" for line in entries)]
        items = "".join(f"<li>{code(line)}</li>" for line in entries)
        html.append(f'<div><strong>{title}</strong></div><ul style="margin:.2em 0;padding-left:1.4em">{items}</ul>')
    return Panel("\n".join([*text, foot]), "".join([*html, f"<small>{code(foot)}</small>"]))


def _say(text: str) -> None:
    show_panel(Panel(text, f"<p>{code(text)}</p>"))
