"""A new course in a folder of its own, with a first notebook: it can be built, audited, released and graded as it stands."""

import keyword
import re
import sys
from importlib.util import find_spec
from pathlib import Path

from embedding_course.subject.course import SUBJECT, read_course

from .new_notebook import make_notebook
from .scaffold import CannotMake, filled_in, template, write_new

#: The notebook that a new course begins with.
FIRST = "01_first_steps"


def make_course(folder: Path) -> tuple[Path, ...]:
    """Write a course into `folder`, which is new or empty, and return the paths of its files.

    The package of the course is named after the folder, with underscores.

    Raises
    ------
    CannotMake
        If that name cannot be used, or if the folder holds anything. Nothing is written then.
    """
    root = folder.resolve()
    package = _package(root.name)
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise CannotMake(f"{folder} is there already, and is not an empty folder: say where a new course is to begin.")
    facts = {
        "package": package,
        "distribution": package.replace("_", "-"),
        "title": package.replace("_", " ").capitalize(),
    }
    home = root / package
    made = write_new(
        {
            home / SUBJECT: filled_in(template("course/subject.toml"), facts),
            home / "__init__.py": filled_in(template("course/package"), facts),
            home / "exercises" / "__init__.py": filled_in(template("course/exercises"), facts),
            root / "README.md": filled_in(template("course/readme"), facts),
            root / ".gitignore": filled_in(template("course/gitignore"), facts),
        },
        root,
    )
    return (*made, *make_notebook(read_course(root), FIRST)[:-1])


def _package(name: str) -> str:
    package = re.sub(r"[-. ]", "_", name).lower()
    if not re.fullmatch(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*", package) or keyword.iskeyword(package):
        raise CannotMake(
            f"{name!r} cannot be a course's name: notebooks import a package of that name, so it has small letters, digits and "
            "hyphens, and begins with a letter, as in numpy-basics."
        )
    if package in sys.stdlib_module_names or find_spec(package) is not None:
        raise CannotMake(f"There is a module {package} already, which a course of that name would hide: choose another name.")
    return package
