"""Provide `compare_with_solution`: your own answer beside the worked one, with the differing lines marked."""

from difflib import SequenceMatcher, unified_diff
from html import escape

from ...checking.exercise import Exercise
from ...checking.render import Panel, show_panel, show_text
from ...exercises import find_exercise, known
from ...messages import Message
from .. import own_answers as pieces
from ..check import public_result
from ..progress.record import load
from .excerpt import Excerpt, excerpt, without_docstrings
from .solution import code_block, note_reading, worked

_TITLES = (Message("Yours"), Message("The worked one"))
_SAME = Message("Line for line, the two are the same.")
_MARKED = Message("A bar marks each line that the other answer does not have.")


def compare_with_solution(name: str) -> None:
    """Show your own answer beside the worked one, and mark the lines that differ.

    Your own answer is the one that last passed its check. If there is none yet, a message says so.

    Parameters
    ----------
    name : str
        The exercise by topic and name, such as "07.split_heads".

    Examples
    --------
    >>> compare_with_solution("07.split_heads")  # doctest: +SKIP
    """
    exercise = find_exercise(name)
    reference = worked(exercise)
    if reference is None:
        show_text(Message("There is nothing to compare with: the worked solutions are not part of this installation."))
        return
    text, own = pieces.source_of(exercise.id), pieces.own(exercise.id)
    if text is None or own is None:
        message = Message(
            'No answer of yours to {exercise} is kept yet: one is when `check("{exercise}")` passes. Then compare.'
        )
        show_text(message.fill(exercise=exercise.id))
        return
    if not public_result(exercise, own).passed:
        message = Message(
            'The answer to {exercise} that was kept no longer passes: run `check("{exercise}")` again, then compare.'
        )
        show_text(message.fill(exercise=exercise.id))
        return
    others = {other.name for other in known().values()} - {exercise.name}
    note_reading(exercise, load())
    show_panel(_panel(exercise, excerpt(text, exercise.name, others), reference))


def _panel(exercise: Exercise, mine: Excerpt, reference: Excerpt) -> Panel:
    """Return a unified diff as text, and two columns with marked lines as HTML."""
    head = str(Message("Yours and the worked solution · {exercise}", exercise=exercise.id))
    titles = [str(title) for title in _TITLES]
    sides = [without_docstrings(answer.code).splitlines() for answer in (mine, reference)]
    differing = [block for block in SequenceMatcher(None, *sides, autojunk=False).get_opcodes() if block[0] != "equal"]
    marked = (
        {line for _, start, end, _, _ in differing for line in range(start, end)},
        {line for _, _, _, start, end in differing for line in range(start, end)},
    )
    foot = _MARKED if differing else _SAME
    whole = max(map(len, sides))
    shown = list(unified_diff(sides[0], sides[1], *titles, n=whole, lineterm="")) or sides[0]
    columns = "".join(
        f'<div style="flex:1 1 26em;min-width:0"><strong>{title}</strong>{code_block(lines, lines_marked)}</div>'
        for title, lines, lines_marked in zip(titles, sides, marked, strict=True)
    )
    html = f'<strong>{escape(head)}</strong><div style="display:flex;flex-wrap:wrap;gap:.8em">{columns}</div>'
    text = [head, "", *shown] if differing else [head, "", *shown, "", str(_SAME)]
    return Panel("\n".join(text), f"{html}<small>{foot}</small>")
