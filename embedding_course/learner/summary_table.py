"""Render verdicts as a table in Markdown, for services that show a page beside a run."""

from collections.abc import Iterator, Sequence
from html import escape

from ..checking.render import as_text, code
from ..checking.result import Result, earned, extra, number, possible

_SIGNS = {ord(sign): f"&#{ord(sign)};" for sign in "|[]*_~`\\"}


def summary_table(title: str, results: Sequence[Result], notes: Sequence[str] = (), foot: str = "") -> str:
    """Return a heading with the points, a row for each criterion, then the verdicts as `check` words them.

    Verdicts and notes may quote a learner: the text is escaped and cannot end a cell of the table.

    Examples
    --------
    >>> print(summary_table("03_max_norm", []).splitlines()[0])
    ### 03&#95;max&#95;norm: 0 of 0 points
    """
    more = f", {number(extra(results))} of extra credit" if extra(results) else ""
    head = f"### {as_cell(title)}: {number(earned(results))} of {number(possible(results))} points{more}"
    lines = [head, "", "| exercise | criterion | points | |", "|---|---|---:|---|", *_rows(results)]
    lines += ["", *(f"* {as_cell(note)}" for note in notes), ""]
    for result in results:
        opened = "" if result.passed or result.status == "not attempted" else " open"
        lines.append(f"<details{opened}><summary>{as_cell(result.exercise)} {as_cell(result.title)}</summary>")
        lines += [f"<pre>{escape(as_text(result)).replace(chr(10), '&#10;')}</pre></details>", ""]
    return "\n".join([*lines, *([as_cell(foot)] if foot else [])]) + "\n"


def _rows(results: Sequence[Result]) -> Iterator[str]:
    for result in results:
        name = f"`{result.exercise}`" + ("" if result.core else " (extra)")
        for index, criterion in enumerate(result.criteria):
            mark = "✔" if criterion.passed else "○" if result.status == "not attempted" else "✘"
            points = f"{number(criterion.earned)} of {number(criterion.points)}"
            yield f"| {'' if index else name} | {mark} {as_cell(criterion.name)} | {points} | {as_cell(criterion.says)} |"


def as_cell(text: str) -> str:
    """Return text as one line of Markdown: text in backquotes becomes code, and every other Markdown character is escaped.

    Examples
    --------
    >>> as_cell("`a_b` | <c>")
    '<code>a&#95;b</code> &#124; &lt;c&gt;'
    """
    return code(" ".join(text.split())).translate(_SIGNS)
