"""`compare_with_solution`: your answer that passed beside the worked one. What differs, and what is nice about yours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape

from ...checking import expected
from ...checking.exercise import Exercise
from ...checking.render import Panel, code, show_panel
from ...exercises import find_exercise, known
from .. import own_answers as pieces
from ..check import public_result
from ..progress.record import load
from .excerpt import Excerpt, excerpt, without_docstrings
from .solution import code_block, note_reading, worked
from .traits import Traits, same_but_for_names, traits

__all__ = ["compare_with_solution", "differences", "praise"]

_FEW = 6
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def compare_with_solution(name: str) -> None:
    """Show your own answer beside the worked one, with what differs and what is nice about yours.

    It works from the answer that last passed its check. Where there is none yet, a sentence says so.

    >>> compare_with_solution("07.split_heads")  # doctest: +SKIP
    """
    exercise = find_exercise(name)
    reference = worked(exercise)
    if reference is None:
        _say("There is nothing to compare with: the worked solutions are not part of this installation.")
        return
    text, own = pieces.source_of(exercise.id), pieces.own(exercise.id)
    if text is None or own is None:
        _say(f'No answer of yours to {exercise.id} is kept yet: one is when `check("{exercise.id}")` passes. Then compare.')
        return
    if not public_result(exercise, own).passed:
        _say(f'The answer to {exercise.id} that was kept no longer passes: run `check("{exercise.id}")` again, then compare.')
        return
    memory = load()
    others = {entry.name for entry in known().values()} - {exercise.name}
    mine = excerpt(text, exercise.name, others)
    note_reading(exercise, memory)
    first = memory.tries.get(exercise.id) == 1
    nice = praise(mine, reference, exercise, first_try=first, no_hint=not memory.hints.get(exercise.id))
    show_panel(_panel(exercise, mine, reference, nice))


def differences(mine: Excerpt, reference: Excerpt, name: str) -> list[str]:
    """What differs between two right answers, a sentence each; one sentence when nothing does."""
    if same_but_for_names(mine, reference):
        return ["Nothing but names, comments or annotations: the steps are the same, in the same order."]
    said = list(_differ(traits(mine, name), traits(reference, name)))
    return said or ["They call the same functions in as many lines; only how the steps are written or ordered differs."]


def praise(mine: Excerpt, reference: Excerpt, exercise: Exercise, *, first_try: bool, no_hint: bool) -> list[str]:
    """What is nice about an answer that passed: one to three sentences, each true of this very answer."""
    own, other = traits(mine, exercise.name), traits(reference, exercise.name)
    said = list(_nice(own, other))[:2]
    if same_but_for_names(mine, reference):
        said = ["You came to the very steps of the worked solution.", *said[:1]]
    if first_try:
        said.append("It was right at its first check" + (", without a hint." if no_hint else "."))
    if not said:
        cases = expected.load(exercise).cases
        said.append(f"It holds in all {len(cases)} public cases, “{cases[-1].name}” among them.")
    return said


def _differ(mine: Traits, other: Traits) -> Iterator[str]:
    if mine.lines != other.lines:
        counts = f"Yours takes {_count(mine.lines, 'line')} of code, the worked one {_alone(other.lines)}"
        yield f"{counts} (signatures and comments aside)."
    for what, count in _COUNTED:
        if count(mine) != count(other):
            yield f"Yours has {_count(count(mine), what)}, the worked one {_alone(count(other))}."
    both = [name for name in mine.calls if name in other.calls]
    only = [name for name in mine.calls if name not in other.calls]
    theirs = [name for name in other.calls if name not in mine.calls]
    if only or theirs:
        parts = [f"both call {_listed(both)}"] * bool(both)
        parts += [f"only yours calls {_listed(only)}"] * bool(only)
        parts += [f"only the worked one calls {_listed(theirs)}"] * bool(theirs)
        said = "; ".join(parts)
        yield f"{said[0].upper()}{said[1:]}."
    if set(mine.raises) != set(other.raises):
        yield f"Yours {_raising(mine)}; the worked one {_raising(other)}."
    if bool(mine.in_place) != bool(other.in_place):
        who, what = ("Yours", mine.in_place) if mine.in_place else ("The worked one", other.in_place)
        yield f"{who} writes into values that are there already ({_listed(what)}); the other has no such line."
    if set(mine.helpers) != set(other.helpers) and (mine.helpers or other.helpers):
        yield f"Yours {_helped(mine)}; the worked one {_helped(other)}."


_COUNTED: tuple[tuple[str, Callable[[Traits], int]], ...] = (
    ("loop", lambda facts: facts.loops),
    ("comprehension", lambda facts: facts.comprehensions),
    ("branch", lambda facts: facts.branches),
)


def _nice(mine: Traits, other: Traits) -> Iterator[str]:
    if other.loops and not mine.loops + mine.comprehensions:
        yield f"Yours needs no loop; the worked one has {_alone(other.loops)}."
    if mine.lines < other.lines:
        yield f"It is short: {_count(mine.lines, 'line')}, where the worked one takes {_alone(other.lines)}."
    if mine.shape:
        yield f"You wrote shapes beside your lines, `{mine.shape}`: that is how mistakes with axes are found."
    elif mine.comments:
        yield f"You said what happens, in {_count(mine.comments, 'comment')}: whoever reads it next will be glad."
    if 0 < len(mine.calls) < len(other.calls):
        yield f"It gets by with little: it calls {_listed(mine.calls)}, and the worked one {len(other.calls)} different things."
    if other.in_place and not mine.in_place:
        yield f"It does without {_listed(other.in_place)}: no line of it writes into a value by index or in place."
    if mine.helpers and not other.helpers:
        yield f"You gave a step a name of its own: {_listed(mine.helpers)}."
    if mine.loops and not other.loops + other.comprehensions:
        yield "Your loop can be followed by hand, one step after another; the worked one does it in one go."


def _count(number: int, what: str) -> str:
    plural = f"{what}es" if what.endswith("ch") else f"{what}s"
    return f"{_word(number)} {what if number == 1 else plural}"


def _alone(number: int) -> str:
    return _word(number) if number else "none"


def _word(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _listed(names: list[str] | tuple[str, ...]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:_FEW])
    return shown + (f" and {len(names) - _FEW} more" if len(names) > _FEW else "")


def _raising(facts: Traits) -> str:
    return f"raises {_listed(facts.raises)} itself" if facts.raises else "has no `raise`"


def _helped(facts: Traits) -> str:
    return f"has the helpers {_listed(facts.helpers)}" if facts.helpers else "has no helper"


def _panel(exercise: Exercise, mine: Excerpt, reference: Excerpt, nice: list[str]) -> Panel:
    head = f"Yours and the worked solution · {exercise.id}"
    differ = differences(mine, reference, exercise.name)
    codes = [without_docstrings(entry.code) for entry in (mine, reference)]
    text = [head, "", "Yours:", codes[0], "", "The worked one:", codes[1], ""]
    sides = "".join(
        f'<div style="flex:1 1 26em;min-width:0"><strong>{title}</strong>{code_block(entry)}</div>'
        for title, entry in zip(("Yours", "The worked one"), codes, strict=True)
    )
    html = f'<strong>{escape(head)}</strong><div style="display:flex;flex-wrap:wrap;gap:.8em">{sides}</div>'
    for title, said in (("What differs", differ), ("What is nice about yours", nice)):
        text += [f"{title}:", *(f"  - {entry}" for entry in said)]
        items = "".join(f"<li>{code(entry)}</li>" for entry in said)
        html += f'<div><strong>{title}</strong></div><ul style="margin:.2em 0;padding-left:1.4em">{items}</ul>'
    return Panel("\n".join(text), html)


def _say(text: str) -> None:
    show_panel(Panel(text, f"<p>{code(text)}</p>"))
