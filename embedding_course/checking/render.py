"""Render a verdict as text for terminals and as HTML for notebooks. Nothing is shown by colour alone."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from html import escape
from unicodedata import east_asian_width

from ..messages import Message, space_after
from .result import CriterionResult, Result, earned, extra, number, possible

__all__ = [
    "MARKS",
    "STATES",
    "Panel",
    "as_html",
    "as_text",
    "counted",
    "display",
    "display_table",
    "points_text",
    "show_panel",
    "show_text",
    "text_panel",
]

MARKS = {"passed": "✔", "partly": "◐", "wrong": "✘", "not attempted": "○", "timed out": "⏱"}
STATES = {
    "passed": Message("right"),
    "partly": Message("partly right"),
    "wrong": Message("not right yet"),
    "not attempted": Message("not attempted"),
    "cell failed": Message("an attempt whose cell failed"),
    "timed out": Message("ran out of time"),
    "crashed": Message("crashed"),
    "out of memory": Message("ran out of memory"),
    "flooded": Message("far too much output"),
    "unreadable": Message("unreadable"),
    "our fault": Message("our fault"),
}
_CRITERION = Message("{mark} {name} {points}: {says}")
_NEXT = Message("Next:")
_PUBLIC = Message("Public cases; the grader tries fresh hidden ones of the same kinds.")
_TONES = {"passed": "#1a7f4b", "partly": "#a86a00", "not attempted": "#6b7280", "our fault": "#7c3aed"}

# Only inherited colours and translucent tints: the same markup reads well on light and on dark pages.
_BOX = (
    "border-left:4px solid {tone};padding:.5em .9em;margin:.3em 0;"
    "background:rgba(127,127,127,.09);border-radius:4px;line-height:1.45"
)


class Panel:
    """Something to show, in a plain and a rich form; the front end chooses one."""

    def __init__(self, text: str, html: str) -> None:
        self.text, self.html = text, html

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


def show_panel(panel: Panel) -> None:
    """Display in a notebook, print elsewhere; never on stderr."""
    ipython = sys.modules.get("IPython")  # a front end that is at work has imported it
    shell = ipython.get_ipython() if ipython else None
    if shell is None:
        print(panel.text)
    else:
        from IPython.display import display as ipython_display

        ipython_display(panel)


def text_panel(message: object) -> Panel:
    """Return sentences as plain text and as a paragraph of HTML."""
    text = str(message)
    return Panel(text, f"<p>{code(text)}</p>")


def show_text(message: object) -> None:
    """Show sentences, with what stands in backquotes as code."""
    show_panel(text_panel(message))


def _head(result: Result) -> str:
    points = Message("{score} of {maximum} points") if result.core else Message("{score} of {maximum} points (extra credit)")
    return f"{result.exercise} · {STATES[result.status]} · {points.fill(**_points(result))}"


def _further(criterion: CriterionResult, result: Result) -> bool:
    """Return True if a criterion fails in another case than the one that the verdict shows."""
    return bool(criterion.message) and (not result.case or result.case not in criterion.failed_cases[:1])


def _fails_in(criterion: CriterionResult) -> str:
    """Return the cases in which a criterion fails, as the end of its line: the first by name."""
    if criterion.passed or not criterion.failed_cases:
        message = criterion.message if not criterion.passed else ""
        return str(Message("({message})", message=message)) if message else ""
    fails = Message("(fails in “{case}”)", case=Message(criterion.failed_cases[0]))
    if len(criterion.failed_cases) > 1:
        fails = Message("(fails in “{case}” and {more} more)", **fails.slots, more=len(criterion.failed_cases) - 1)
    return str(fails)


def _criterion(criterion: CriterionResult, result: Result) -> str:
    """Return a criterion as HTML; further failures are folded, since one is enough to continue."""
    name = f"<strong>{escape(str(Message(criterion.name)))}</strong>"
    line = str(_CRITERION.fill(mark=_mark(criterion), name=name, points=_fraction(criterion), says=code(criterion.says)))
    if not _further(criterion, result):
        return line
    return f"<details><summary>{line}</summary>{code(criterion.message)}</details>"


def _mark(criterion: CriterionResult) -> str:
    return "✔" if criterion.passed else "✘"


def _fraction(criterion: CriterionResult) -> str:
    return f"{number(criterion.earned)}/{number(criterion.points)}"


def as_text(result: Result) -> str:
    """Return the verdict as lines of text."""
    lines = [f"{MARKS.get(result.status, '✘')} {_head(result)}"]
    if result.diagnosis:
        lines.append(f"  {result.diagnosis}{f' [{result.mistake}]' if result.mistake else ''}")
    if result.message:
        lines.append(f"  {result.message}")
    lines += [f"  {sentence}" for sentence in (result.mended, result.decided) if sentence]
    if result.next_step:
        lines.append(f"  {_NEXT}{space_after(str(_NEXT))}{result.next_step}")
    if len(result.criteria) > 1 and result.status in ("partly", "wrong", "passed"):
        for criterion in result.criteria:
            line = str(
                _CRITERION.fill(
                    mark=_mark(criterion), name=Message(criterion.name), points=_fraction(criterion), says=criterion.says
                )
            )
            fails = _fails_in(criterion)
            lines.append(f"  {line}{space_after(line, fails) if fails else ''}{fails}")
    if not result.hidden:
        lines.append(f"  {_PUBLIC}")
    return "\n".join(lines)


def code(text: str) -> str:
    """Return the text as HTML, escaped, with parts in backquotes as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if index % 2 else part for index, part in enumerate(parts))


def as_html(result: Result) -> str:
    """Return the verdict as a self-contained piece of HTML; everything in it is escaped."""
    tone = _TONES.get(result.status, "#b42318")
    rows = [f"<strong>{MARKS.get(result.status, '✘')} {escape(_head(result))}</strong>"]
    if result.diagnosis:
        name = f" <small>[{escape(result.mistake)}]</small>" if result.mistake else ""
        rows.append(f"<em>{code(result.diagnosis)}</em>{name}")
    if result.message:
        rows.append(code(result.message))
    rows += [code(sentence) for sentence in (result.mended, result.decided) if sentence]
    if result.next_step:
        rows.append(f"<strong>{escape(str(_NEXT))}</strong>{space_after(str(_NEXT))}{code(result.next_step)}")
    if len(result.criteria) > 1 and result.status in ("partly", "wrong", "passed"):
        items = "".join(f"<li>{_criterion(criterion, result)}</li>" for criterion in result.criteria)
        rows.append(f'<ul style="margin:.2em 0;padding-left:1.2em;list-style:none">{items}</ul>')
    if not result.hidden:
        rows.append(f"<small>{escape(str(_PUBLIC))}</small>")
    body = "".join(f"<div>{row}</div>" for row in rows)
    return f'<div style="{_BOX.format(tone=tone)}">{body}</div>'


def points_text(points: float) -> Message:
    """Return points with their noun.

    >>> str(points_text(1.0)), str(points_text(0.5))
    ('1 point', '0.5 points')
    """
    return (Message("{points} point") if points == 1 else Message("{points} points")).fill(points=number(points))


def counted(points: float, gain: float = 0.0) -> str:
    """Return HTML for the number below a verdict, which would puzzle a reader without its noun.

    >>> counted(3), counted(0, gain=2)
    ('<small>3 points</small>', '<small>+2 points of extra credit</small>')
    """
    if gain:
        further = Message("+{points} point of extra credit") if gain == 1 else Message("+{points} points of extra credit")
        return f"<small>{escape(str(further.fill(points=number(gain))))}</small>"
    return f"<small>{escape(str(points_text(points)))}</small>"


def display(result: Result) -> None:
    """Show one verdict."""
    show_panel(Panel(as_text(result), as_html(result)))


def table_panel(head: Sequence[object], rows: Sequence[Sequence[object]], foot: object = "") -> Panel:
    """Return a table as text and as HTML; used for `check()` and `progress()`."""
    titles, foot = [str(title) for title in head], str(foot)
    cells = [[str(value) for value in row] for row in rows]
    widths = [max(columns_of(row[index]) for row in [titles, *cells]) for index in range(len(titles))]
    text = "\n".join(
        "  ".join(cell + " " * (width - columns_of(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in [titles, *cells]
    )
    style = "text-align:left;padding:.15em .8em .15em 0"
    top = "".join(f'<th style="{style}">{escape(title)}</th>' for title in titles)
    body = "".join("<tr>" + "".join(f'<td style="{style}">{code(cell)}</td>' for cell in row) + "</tr>" for row in cells)
    html = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table><div>{code(foot)}</div>"
    return Panel(f"{text}\n{foot}" if foot else text, html)


def columns_of(text: str) -> int:
    """Return how many columns a text takes in a terminal: a Chinese character takes two."""
    return sum(1 + (east_asian_width(character) in "WF") for character in text)


def display_table(results: Sequence[Result]) -> None:
    """Show several verdicts as a table, one line each."""
    extra_points = Message("{score}/{maximum} extra")
    rows = [
        [
            f"{MARKS.get(result.status, '✘')} {result.exercise}",
            str(STATES[result.status]),
            str((Message("{score}/{maximum}") if result.core else extra_points).fill(**_points(result))),
            result.diagnosis or (result.message if not result.passed else ""),
        ]
        for result in results
    ]
    foot = Message("{earned} of {possible} points, and {extra} extra.", earned=number(earned(results)))
    foot = foot.fill(possible=number(possible(results)), extra=number(extra(results)))
    head = [Message("exercise"), Message("state"), Message("points"), Message("what to look at")]
    show_panel(table_panel(head, rows, foot))


def _points(result: Result) -> dict[str, str]:
    return {"score": number(result.score), "maximum": number(result.max_score)}
