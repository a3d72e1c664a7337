"""The page of pairs to look at."""

from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any

from ...classroom.class_folder import Classroom
from ...classroom.policy.course import Course, load_course
from ..pages import environment
from ..words import today
from .answers import FEWEST_TOKENS, Answer, answers_of
from .pairs import Group, Likeness, Pair, groups, pairs

#: So many exercises of a pair are shown side by side, and so many lines of each answer.
_SHOWN, _LINES = 4, 120


def _side(one: Answer, other: Answer) -> str:
    """The lines of an answer; those that the other one has as well carry a mark."""
    theirs = {line.strip() for line in other.lines}
    lines = [("= " if line.strip() in theirs else "  ") + line for line in one.lines[:_LINES]]
    left = len(one.lines) - _LINES
    return "\n".join([*lines, f"  … and {left} lines more"] if left > 0 else lines)


def _sides(one: Likeness) -> list[tuple[str, str]]:
    return [(one.left.student, _side(one.left, one.right)), (one.right.student, _side(one.right, one.left))]


def render_similar(found: list[Pair], standing_out: int, long_ones: list[Group], students: int, zone: tzinfo = UTC) -> str:
    """The page as HTML, its time in `zone`; everything that students wrote is escaped."""
    pages = environment()
    pages.filters["sides"] = _sides
    facts: dict[str, Any] = {
        "pairs": found, "standing_out": standing_out, "groups": long_ones, "students": students, "made_at": today(zone),
        "shown": _SHOWN, "fewest": FEWEST_TOKENS,
    }  # fmt: skip
    return pages.get_template("similar.html.j2").render(**facts).lstrip()


def write_similar(room: Classroom, topics: list[str], most: int, course: Course | None = None) -> tuple[Path, int]:
    """Write `reports/similar.html`; returns it and how many pairs stood out. LookupError with fewer than three students."""
    course = course or load_course(room.home)
    answers = answers_of(room, topics, course)
    students = {answer.student for mine in answers.values() for answer in mine}
    if len(students) < 3:
        raise LookupError(
            f"There is nothing to compare in {room.submitted}: what is usual in a class shows from three answers on."
        )
    found, standing_out = pairs(answers, most)
    page = room.home / "reports" / "similar.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(render_similar(found, standing_out, groups(answers), len(students), course.zone), encoding="utf-8")
    return page, standing_out
