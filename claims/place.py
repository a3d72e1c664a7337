"""Where in the notebooks a claim is met, in words: a heading of the lesson."""

from __future__ import annotations

import re
from functools import cache

from embedding_course.subject.lessons import lesson
from grader.paths import SOLUTIONS

from .entry import Place

__all__ = ["heading", "link"]

_CELL = re.compile(r'^# %%.*?\b(?:key|exercise)="([^"]+)"', re.MULTILINE)
_HEADING = re.compile(r"^# (#{2,3}) (.+)$", re.MULTILINE)


@cache
def _headings(topic: str) -> dict[str, str]:
    """Key of each cell -> the last heading in it, or else that of its section."""
    text = (SOLUTIONS / topic / "lesson.py").read_text(encoding="utf-8")
    section, found, cells = "Beginning", {}, list(_CELL.finditer(text))
    for cell, after in zip(cells, [*cells[1:], None], strict=True):
        own = _HEADING.findall(text[cell.end() : after.start() if after else len(text)])
        section = next((title for level, title in reversed(own) if level == "##"), section)
        found[cell[1]] = own[-1][1] if own else section
    return found


def heading(place: Place) -> str:
    """The heading of a cell or of its section. KeyError for a key that no cell has."""
    return _headings(lesson(place.number).topic)[place.key]


def link(places: tuple[Place, ...]) -> str:
    """The notebook and its headings, one for each place; several places under one heading are told once."""
    told = []
    for number in dict.fromkeys(place.number for place in places):
        mine = [place for place in places if place.number == number]
        topic = lesson(number).topic
        headings = "; ".join(dict.fromkeys(map(heading, mine)))
        told.append(f"[{number}](../notebooks/{topic}/{topic}.ipynb): {headings}")
    return "<br>".join(told)
