"""The instructor's own repository: it fetches those of the students and grades them with hidden cases.

The secret with which it reads them, the answers and the seed lie here and nowhere that a student may write.
"""

import re
import shutil
from pathlib import Path

from embedding_course.subject.course import course as course_in_use
from embedding_course.subject.lessons import lesson

from ...classroom.policy.course import Course
from ...classroom.policy.toml_file import FILE
from ..grading_wheel import own_wheels
from ..settings import CannotPackage, Settings
from ..third_party import needed, pinned
from .template import fill, into_new, torch_line

_STUDENTS = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)/([A-Za-z0-9][A-Za-z0-9._-]*)")


def marks_repository(
    into: Path, students: str, settings: Settings, home: Path | None = None, course: Course | None = None, torch_index: str = ""
) -> Path:
    """Write the repository that collects the marks into an empty or a new folder, and return the folder.

    Parameters
    ----------
    into
        The folder.
    students
        The organisation and the beginning of the names of the students' repositories, such as "our-class/max-norm".
    settings
        What is graded, and how.
    home, course
        The class, whose course.toml and roster are copied if both are given.
    torch_index
        The package index from which torch is installed; empty for the usual one.

    Raises
    ------
    CannotPackage
        If the folder holds anything, or if `students` cannot be the beginning of a name.
    CalledProcessError
        If a wheel cannot be built.
    """
    match = _STUDENTS.fullmatch(students)
    if match is None:
        raise CannotPackage(
            f"--students: {students!r} is no organisation and beginning of names; say it as our-class/max-norm, where the "
            "repositories are our-class/max-norm-ada and so on."
        )
    topic = settings.topic
    words = {
        "TOPIC": topic,
        "NUMBER": topic[:2],
        "TITLE": lesson(topic).title,
        "SEED": str(settings.seed),
        "STUDENTS": students,
        "OWNER": match[1],
        "PREFIX": match[2],
        "TORCH": torch_line(torch_index),
        "PACKAGE": course_in_use().package,
    }
    with into_new(into) as folder:
        fill("marks.yml", folder / ".github" / "workflows" / "marks.yml", words)
        fill("marks.md", folder / "README.md", words)
        (folder / "requirements.txt").write_text("\n".join(pinned(needed())) + "\n", encoding="utf-8")
        (folder / "class").mkdir()
        (folder / "class" / ".gitkeep").touch()
        if home is not None and course is not None:
            _keep_class(home, course, folder / "class")
        own_wheels(folder / "own", [topic])
    return into


def _keep_class(home: Path, course: Course, there: Path) -> None:
    """Copy the class's course.toml, with its rosters."""
    for path in (home / FILE, *course.rosters):
        if not path.is_file():
            continue
        if not path.resolve().is_relative_to(home.resolve()):
            raise CannotPackage(f"{path} lies outside of the class {home}: put it in there, and say so in its {FILE}.")
        target = there / path.resolve().relative_to(home.resolve())
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
