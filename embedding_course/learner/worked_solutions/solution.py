"""Provide `solution`: the worked solution of an exercise, after attempts and hints; reading it is recorded."""

from collections.abc import Collection, Sequence
from html import escape

from ...checking import expected
from ...checking.exercise import Exercise
from ...checking.render import Panel, code, show_panel, show_text
from ...exercises import find_exercise, known
from ...messages import Listing, Message, as_text, translate
from ..progress.record import ProgressRecord, load, update
from .excerpt import Excerpt, excerpt
from .part import find_text

#: Number of checks of an own answer before the worked solution opens.
TRIES = 3
_BLOCK = (
    "background:rgba(127,127,127,.09);border-radius:4px;padding:.6em .9em;margin:.3em 0;"
    "font-family:monospace;font-size:.92em;line-height:1.4;white-space:pre-wrap;overflow-wrap:anywhere"
)
_MISSING = Message(
    "The worked solutions are not part of this installation: a class may ship without them. "
    "`hint('{exercise}')` helps by degrees, and the check says what it sees."
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
        show_text(_MISSING.fill(exercise=exercise.id))
        return
    missing = _still_to_try(exercise, memory)
    if missing and not anyway:
        show_text(as_text(missing))
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


def _still_to_try(exercise: Exercise, memory: ProgressRecord) -> list[Message]:
    """Return what a learner should try before the worked solution opens; an empty list if it is open."""
    tries, hints = memory.tries.get(exercise.id, 0), memory.hints.get(exercise.id, 0)
    more, unread = max(0, TRIES - tries), max(0, len(exercise.hints) - hints)
    if _done(exercise, memory) or not more + unread:
        return []
    wanted = []
    if more:
        wanted.append(Message.plural("{count} more try of your own", "{count} more tries of your own", more))
    if unread:
        wanted.append(Message.plural("{count} hint you have not read", "{count} hints you have not read", unread))
    step = (
        Message('`hint("{exercise}")` shows the next hint.') if unread else Message("Change something and run the check again.")
    )
    return [
        Message("The worked solution of {exercise} opens after {wanted}.", exercise=exercise.id, wanted=Listing(wanted)),
        step.fill(exercise=exercise.id),
        Message('To see it now, call `solution("{exercise}", anyway=True)`.', exercise=exercise.id),
    ]


def _panel(exercise: Exercise, answer: Excerpt, done: bool) -> Panel:
    why = translate(exercise.why)
    head = str(Message("Worked solution · {exercise} · {title}", exercise=exercise.id, title=translate(exercise.title)))
    wrong = [item.diagnosis for item in expected.load(exercise).fingerprints[:3]]
    lists = [
        (Message("What leads to it:"), exercise.hints),
        (Message("What it has to do:"), [criterion.says for criterion in exercise.criteria]),
        (Message("What usually goes wrong:"), wrong),
    ]
    message = Message("Read it, put it away, and write your own. Once that passes: `{call}` lays yours beside it.")
    if done:
        message = Message("`{call}` lays yours beside it.")
    foot = str(message.fill(call=f'compare_with_solution("{exercise.id}")'))
    text = [head, f"  {why}", "", answer.text, ""]
    html = [f"<strong>{escape(head)}</strong>", f"<div>{code(why)}</div>", code_block(answer.text.splitlines())]
    for title, sentences in lists:
        entries = [translate(sentence) for sentence in sentences]
        if not entries:
            continue
        text += [str(title), *(f"  - {line}" for line in entries)]
        items = "".join(f"<li>{code(line)}</li>" for line in entries)
        html.append(f'<div><strong>{title}</strong></div><ul style="margin:.2em 0;padding-left:1.4em">{items}</ul>')
    return Panel("\n".join([*text, foot]), "".join([*html, f"<small>{code(foot)}</small>"]))
