"""Render verdicts as a table in Markdown, for services that show a page beside a run."""

from collections.abc import Iterator, Sequence
from html import escape

from ..checking.render import as_text, code
from ..checking.result import Result, earned, extra, number, possible
from ..messages import Message, translate

_SIGNS = {ord(sign): f"&#{ord(sign)};" for sign in "|[]*_~`\\"}


def summary_table(title: str, results: Sequence[Result], notes: Sequence[str] = (), foot: str = "") -> str:
    """Return a heading with the points, a row for each criterion, then the verdicts as `check` words them.

    Verdicts and notes may quote a learner: the text is escaped and cannot end a cell of the table.

    Examples
    --------
    >>> print(summary_table("03_max_norm", []).splitlines()[0])
    ### 03&#95;max&#95;norm: 0 of 0 points
    """
    head = Message("{title}: {score} of {maximum} points")
    if extra(results):
        head = Message("{title}: {score} of {maximum} points, {extra} of extra credit", extra=number(extra(results)))
    head = head.fill(title=as_cell(title), score=number(earned(results)), maximum=number(possible(results)))
    titles = " | ".join(map(str, (Message("exercise"), Message("criterion"), Message("points"))))
    lines = [f"### {head}", "", f"| {titles} | |", "|---|---|---:|---|", *_rows(results)]
    lines += ["", *(f"* {as_cell(note)}" for note in notes), ""]
    for result in results:
        opened = "" if result.passed or result.status == "not attempted" else " open"
        lines.append(f"<details{opened}><summary>{as_cell(result.exercise)} {as_cell(translate(result.title))}</summary>")
        lines += [f"<pre>{escape(as_text(result)).replace(chr(10), '&#10;')}</pre></details>", ""]
    return "\n".join([*lines, *([as_cell(foot)] if foot else [])]) + "\n"


def _rows(results: Sequence[Result]) -> Iterator[str]:
    for result in results:
        name = f"`{result.exercise}`" if result.core else str(Message("`{exercise}` (extra)", exercise=result.exercise))
        for index, criterion in enumerate(result.criteria):
            mark = "✔" if criterion.passed else "○" if result.status == "not attempted" else "✘"
            points = Message("{score} of {maximum}", score=number(criterion.earned), maximum=number(criterion.points))
            cells = ["" if index else name, f"{mark} {as_cell(translate(criterion.name))}", points, as_cell(criterion.says)]
            yield f"| {' | '.join(map(str, cells))} |"


def as_cell(text: str) -> str:
    """Return text as one line of Markdown: text in backquotes becomes code, and every other Markdown character is escaped.

    Examples
    --------
    >>> as_cell("`a_b` | <c>")
    '<code>a&#95;b</code> &#124; &lt;c&gt;'
    """
    return code(" ".join(text.split())).translate(_SIGNS)
