"""Make the page of answers that are alike, within the class and with other classes and published answers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any

from ...classroom.class_folder import Classroom
from ...classroom.class_zip import is_class
from ...classroom.policy.course import Course, load_course
from ...classroom.policy.toml_file import WrongCourse
from ...errors import UserError
from ..class_page import roster_of
from ..names import Names
from ..number_text import today
from ..pages import environment, write_page
from .forms import MIN_TOKENS, Answer, answers_of
from .likeness import Group, Likeness, Pair, groups, pairs
from .published import EqualToPublished, equal_to_published, published_forms

#: How many exercises of a pair are shown side by side, and how many lines of each answer.
_SHOWN, _LINES = 4, 120


def _side(answer: Answer, other: Answer) -> str:
    """Return the lines of an answer; those that the other one has as well carry a mark."""
    theirs = {line.strip() for line in other.lines}
    lines = [("= " if line.strip() in theirs else "  ") + line for line in answer.lines[:_LINES]]
    left = len(answer.lines) - _LINES
    return "\n".join([*lines, f"  … and {left} lines more"] if left > 0 else lines)


def _sides(likeness: Likeness) -> list[tuple[str, str]]:
    return [
        (likeness.left.label, _side(likeness.left, likeness.right)),
        (likeness.right.label, _side(likeness.right, likeness.left)),
    ]


@dataclass(frozen=True)
class Similar:
    """What the page shows: the weightiest of the `standing_out` pairs, long answers of one form, and published forms.

    `students` is how many of the class were compared, `classes` are the names of the other classes.
    """

    pairs: Sequence[Pair]
    standing_out: int
    groups: Sequence[Group] = ()
    students: int = 0
    equal: Sequence[EqualToPublished] = ()
    classes: Sequence[str] = ()
    names: Names = field(default_factory=Names)


def render_similar(similar: Similar, zone: tzinfo = UTC) -> str:
    """Return the page as HTML, in which everything that students wrote is escaped.

    Parameters
    ----------
    similar : Similar
    zone : tzinfo, optional
        Time zone of the page.
    """
    pages = environment(similar.names)
    pages.filters["sides"] = _sides
    facts: dict[str, Any] = {"similar": similar, "made_at": today(zone), "shown": _SHOWN, "fewest": MIN_TOKENS}
    return pages.get_template("similar.html.j2").render(**facts).lstrip()


def write_similar(
    classroom: Classroom, topics: list[str], most: int, course: Course | None = None, against: Sequence[Path] = ()
) -> tuple[Path, Similar]:
    """Write `reports/similar.html` and return its path and what it shows.

    Parameters
    ----------
    classroom : Classroom
    topics : list of str
        Names of the notebooks.
    most : int
        Most pairs that the page shows.
    course : Course, optional
        Course of the class; by default it is read from its folder.
    against : sequence of Path, optional
        Folders of other classes, say last year's, whose answers are compared with those of this one.

    Raises
    ------
    LookupError
        If there are fewer than three students.
    UserError
        If one of the other folders is no class that can be read, or is this one.
    """
    course = course or load_course(classroom.home)
    answers = answers_of(classroom, topics, course)
    students = {answer.student for mine in answers.values() for answer in mine}
    if len(students) < 3:
        raise LookupError(
            f"There is nothing to compare in {classroom.submitted}: what is usual in a class shows from three answers on."
        )
    others = _other_classes(classroom.home, against)
    for name, home in others.items():
        for exercise, theirs in _answers_there(home, topics, name).items():
            answers.setdefault(exercise, []).extend(theirs)
    published = published_forms(topics)
    shown_pairs, standing_out = pairs(answers, most, published)
    equal = equal_to_published(answers, published)
    names = Names(roster_of(course))
    similar = Similar(shown_pairs, standing_out, groups(answers), len(students), equal, list(others), names)
    page = classroom.home / "reports" / "similar.html"
    write_page(page, render_similar(similar, course.zone))
    return page, similar


def _other_classes(home: Path, against: Sequence[Path]) -> dict[str, Path]:
    """Return the folders of the other classes by their names, with the folder above where two have one name."""
    folders = list(dict.fromkeys(folder.resolve() for folder in against))
    for folder in folders:
        if folder == home.resolve():
            raise UserError(f"--against {folder}: this is the class itself; name the folder of another one.")
        if not is_class(folder) or not (folder / "submitted").is_dir():
            raise UserError(f"--against {folder}: this is no folder of a class, with submitted/ in it.")
    names = [folder.name for folder in folders]
    return {
        folder.name if names.count(folder.name) == 1 else f"{folder.parent.name}/{folder.name}": folder for folder in folders
    }


def _answers_there(home: Path, topics: Sequence[str], name: str) -> dict[str, list[Answer]]:
    try:
        return answers_of(Classroom(home), topics, load_course(home), name)
    except WrongCourse as error:
        raise UserError(f"--against {home}: {error.sentence}") from None
