"""Points of projects: which count in a class, where they are kept, and how they join the grades that are exported."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from embedding_course.files import atomic_write

from .policy.course import Course

if TYPE_CHECKING:
    from .export.grades import Student

FOLDER = "projects"


class ProjectPoints(msgspec.Struct):
    """What an export needs to know of a graded project; the file holds the rest of the result as well."""

    student: str
    share: float


def path_of(home: Path, project: str, student: str) -> Path:
    """Return the path of the file that holds a student's result in a project.

    Parameters
    ----------
    home : Path
        Folder of the class.
    project : str
        Name of the project.
    student : str
        Id of the student.
    """
    return home / FOLDER / project / f"{student}.json"


def save(home: Path, project: str, student: str, result: msgspec.Struct) -> Path:
    """Store a result in the class's folder in one step, and return its path.

    Parameters
    ----------
    home : Path
        Folder of the class.
    project : str
        Name of the project.
    student : str
        Id of the student.
    result : msgspec.Struct
        Result of the project, with the fields of `ProjectPoints` among others.
    """
    path = path_of(home, project, student)
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"student": student, **msgspec.to_builtins(result)}
    atomic_write(path, msgspec.json.format(msgspec.json.encode(content), indent=1))
    return path


def add_projects(home: Path, course: Course, students: Sequence[Student], worth: dict[str, float]) -> None:
    """Add a grade column for each project that course.toml names.

    Parameters
    ----------
    home : Path
        Folder of the class.
    course : Course
    students : sequence of Student
        Students whose grades are changed in place.
    worth : dict of str to float
        Points of each column, to which the projects are added.
    """
    from .export.grades import Grade

    known = {student.id: student for student in students}
    for project, points in course.projects.items():
        worth[project] = points
        for path in sorted((home / FOLDER / project).glob("*.json")):
            project_points = msgspec.json.decode(path.read_bytes(), type=ProjectPoints)
            if project_points.student in known:
                known[project_points.student].grades[project] = Grade(
                    round(points * project_points.share, 2), 0.0, points, False
                )


def as_text(tables: Mapping[str, Mapping[str, Any]]) -> str:
    r"""Return tables by their names as TOML; empty ones are left out.

    >>> as_text({"project": {"name": "numpy-basics", "dependencies": ["numpy"]}, "tool.x": {}})
    '[project]\n"name" = "numpy-basics"\n"dependencies" = ["numpy"]\n'
    """
    return "\n".join(_table(name, table) for name, table in tables.items() if table)


def _table(name: str, table: Mapping[str, Any]) -> str:
    lines = [f"{json.dumps(key)} = {_value(value)}" for key, value in table.items()]
    return "\n".join([f"[{name}]", *lines, ""])


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key)} = {_value(inner_value)}" for key, inner_value in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)  # strings and lists of strings are the same in JSON and TOML
