"""Edits of an answer: which passages are replaced, and by what.

An edit within a line gives the old passage and the new one. An edit of whole lines is written as a diff:

    dim=1 => dim=0
    -    norms = weight.norm(dim=1)
    +    norms = weight.norm(dim=1)
    +    norms = norms.clamp(min=1)

A line of a diff that begins with a space is kept: it says where the lines below it are inserted.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Edit", "edited", "read_edits"]

_EDIT = re.compile(r"(?P<old>\S.*?) =>(?: (?P<new>.*))?\n|(?P<before>(?:[- ].*\n)+)(?P<added>(?:\+.*\n)*)")


@dataclass(frozen=True)
class Edit:
    """One passage of an answer and what replaces it. Both end with a line break where whole lines are replaced."""

    old: str
    new: str

    def span(self, text: str) -> tuple[int, int]:
        """Return where the old passage begins and ends. Raise ValueError if the text does not hold it exactly once."""
        start = "^" if self.old.endswith("\n") else r"\b" if re.match(r"\w", self.old) else ""
        end = r"\b" if re.search(r"\w\Z", self.old) else ""
        spans = [match.span() for match in re.finditer(start + re.escape(self.old) + end, text, re.MULTILINE)]
        if len(spans) != 1:
            raise ValueError(f"`{self.old.strip()}` occurs {len(spans)} times in the answer that is edited, not once")
        return spans[0]


def read_edits(text: str) -> tuple[Edit, ...]:
    r"""Return the edits that the lines of the text describe. Raise ValueError if a line is no edit.

    >>> read_edits("dim=1 => dim=0\n")
    (Edit(old='dim=1', new='dim=0'),)
    """
    edits, end = [], 0
    for match in _EDIT.finditer(text):
        if match.start() == end:
            edits.append(_edit(match))
            end = match.end()
    if end < len(text):
        raise ValueError(f"`{text[end:].splitlines()[0]}` is no edit: write `old => new`, or a diff of whole lines")
    return tuple(edits)


def _edit(match: re.Match[str]) -> Edit:
    if match["old"]:
        return Edit(match["old"], match["new"] or "")
    before = match["before"].splitlines(keepends=True)
    kept = [line for line in before if line.startswith(" ")]
    added = match["added"].splitlines(keepends=True)
    return Edit("".join(line[1:] for line in before), "".join(line[1:] for line in [*kept, *added]))


def edited(text: str, edits: Iterable[Edit]) -> str:
    r"""Return the text with every edit made.

    Raises
    ------
    ValueError
        If an old passage does not occur exactly once, if two of them overlap, or if the result is not Python.

    Examples
    --------
    >>> edited("x.sum(dim=1)\n", [Edit("sum", "mean"), Edit("dim=1", "dim=0")])
    'x.mean(dim=0)\n'
    """
    changes = sorted((*edit.span(text), edit.new) for edit in edits)
    if any(end > start for (_, end, _), (start, _, _) in pairwise(changes)):
        raise ValueError("two edits overlap")
    result, position = "", 0
    for start, end, new in changes:
        result += text[position:start] + new
        position = end
    result += text[position:]
    try:
        ast.parse(result)
    except SyntaxError as error:
        raise ValueError(f"the edited answer is not Python: {error.msg}") from None
    return result
