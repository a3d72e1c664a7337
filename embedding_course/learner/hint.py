"""Show numbered hints, the least revealing first."""

import re
from collections.abc import Sequence

from ..checking import expected
from ..checking.exercise import Exercise
from ..checking.render import Panel, code, show_panel, table_panel
from ..exercises import exercises_of, find_exercise
from ..messages import Message, as_text, space_after, translate
from ..subject.errors import CourseError
from .progress.record import load, update
from .this_notebook import this_notebook
from .worked_solutions.part import find_text

#: Shorter words say little about the topic of a sentence.
_WORD = re.compile(r"[^\W\d]\w{3,}")
#: A hint is about a mistake if it shares at least this many words with the diagnosis.
_TELLING = 2


def hint(name: str | None = None, which: int | None = None) -> None:
    """Show the next hint of an exercise, or the one with that number.

    Each call shows one hint more. After a check that recognised a mistake, the first call shows the hint about that mistake.

    Parameters
    ----------
    name
        An exercise, such as "01.one_hot". Without it, list the exercises of this notebook.
    which
        Number of the hint, from 1.

    Examples
    --------
    >>> hint("01.one_hot")  # doctest: +SKIP
    Hint 1 of 3 ...
    """
    if name is None:
        _list_all()
        return
    exercise = find_exercise(name)
    memory = load()
    seen = memory.hints.get(exercise.id, 0)
    about = 0
    if which is None:
        about = _hint_on(exercise, memory.mistakes.pop(exercise.id, ""))
        which = about or min(seen + 1, len(exercise.hints))
    if not 1 <= which <= len(exercise.hints):
        message = Message("{exercise} has hints 1 to {last}; there is no hint {number}.", exercise=exercise.id, number=which)
        raise CourseError(message.fill(last=len(exercise.hints)))
    memory.hints[exercise.id] = which if about else max(seen, which)
    update(memory)
    head = Message("Hint {number} of {last} · {exercise}")
    if about:
        head = Message("Hint {number} of {last} · {exercise} · it speaks of what the check found")
    head = head.fill(number=which, last=len(exercise.hints), exercise=exercise.id)
    text = translate(exercise.hints[which - 1])
    more = as_text(_after_the_last(exercise) if which == len(exercise.hints) else [Message("Call it again for the next one.")])
    space = space_after(text, more) if more else ""
    html = f"<p><strong>{head}</strong><br>{code(text)}{space}<small>{code(more)}</small></p>"
    show_panel(Panel(f"{head}\n  {text}{space}{more}", html))


def _hint_on(exercise: Exercise, mistake: str) -> int:
    """Return the number of the hint about a known mistake, or 0. The English texts decide, whatever language is shown."""
    known = (fingerprint for fingerprint in expected.load(exercise).fingerprints if fingerprint.slug == mistake)
    return next((_hint_about(exercise.hints, f"{fingerprint.diagnosis} {fingerprint.next_step}") for fingerprint in known), 0)


def _hint_about(hints: Sequence[str], diagnosis: str) -> int:
    """Return the number of the hint that shares most words with a diagnosis; words that occur in two hints are ignored.

    Return 0 if the hint shares fewer than two words, or if another hint shares as many.

    Examples
    --------
    >>> _hint_about(["Look at the shape.", "Subtract the largest entry before exp."], "Its largest entry is too large.")
    2
    """
    words = [set(_WORD.findall(hint.lower())) for hint in hints]
    asked = set(_WORD.findall(diagnosis.lower()))
    shared = []
    for own in words:
        others = set[str]().union(*(other for other in words if other is not own))
        shared.append(len((own - others) & asked))
    most = max(shared, default=0)
    return shared.index(most) + 1 if most >= _TELLING and shared.count(most) == 1 else 0


def _list_all() -> None:
    seen = load().hints
    topic = this_notebook()
    rows = [
        [
            f'`hint("{exercise.id}")`',
            translate(exercise.title),
            Message("{count} of {last} seen", count=seen.get(exercise.id, 0), last=len(exercise.hints)),
        ]
        for exercise in (exercises_of(topic) if topic else ())
    ]
    foot = "" if rows else Message('Say of which exercise: `hint("01.one_hot")`.')
    show_panel(table_panel([Message("ask"), Message("exercise"), Message("hints")], rows, foot))


def _after_the_last(exercise: Exercise) -> list[Message]:
    """Return how to open the worked solution, if it is installed; shown with the last hint."""
    if find_text(exercise) is None:
        return []
    message = Message('Still stuck after some tries? `from embedding_course import solution`, then `solution("{exercise}")`.')
    return [message.fill(exercise=exercise.id)]
