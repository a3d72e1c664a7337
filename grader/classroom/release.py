"""Seal a class: a student tree and a wheel without solutions, grader or history."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from embedding_course.files import STATE_FOLDER
from embedding_course.messages import in_language, languages
from embedding_course.subject.course import course as course_in_use
from embedding_course.subject.titles import DISTRIBUTION

from ..course_source.start_here import NAME as START_HERE
from ..course_source.stored import as_bytes
from ..paths import BUILD, ROOT
from .other_course import lay_out
from .policy.course import Course
from .policy.notebook_points import for_class
from .projects import as_text

#: What a student gets. Everything else stays with the instructor.
KEPT = ("embedding_course", "notebooks", "projects", "data", "environment.yml", "postBuild", "LICENSE")
#: Its first page, in each language: the page in docs, and its name in the tree, to which the pages' links to each other lead.
READMES = {"docs/for_students.md": "README.md", "docs/zh/for_students.md": "README.zh.md"}
_NEVER = ("__pycache__", ".ipynb_checkpoints", STATE_FOLDER, "*.pyc")


def release(out: Path = BUILD / "release", *, wheel: bool = True, course: Course | None = None) -> tuple[Path, Path | None]:
    """Write the sealed tree and its wheel.

    Parameters
    ----------
    out : Path, optional
        Folder for the tree and the wheel. An earlier release in it is replaced.
    wheel : bool, optional
        True if the wheel is built.
    course : Course, optional
        Course of a class; if given, the tree holds only its notebooks, with its points and deadlines in their prose.

    Returns
    -------
    tree : Path
        Folder of the sealed tree.
    wheel : Path or None
        The wheel, if it was built.
    """
    tree = out / DISTRIBUTION
    if tree.exists():
        shutil.rmtree(tree)
    tree.mkdir(parents=True)
    if course_in_use().ours:
        for name in KEPT:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns(*_NEVER))
            else:
                shutil.copy2(source, tree / name)
        for page, name in READMES.items():
            (tree / name).write_text(_first_page(ROOT / page), encoding="utf-8")
        (tree / "pyproject.toml").write_text(student_project(), encoding="utf-8")
    else:
        lay_out(tree, shutil.ignore_patterns(*_NEVER))
    if course is not None:
        _for_class(tree / "notebooks", course)
    return tree, build_wheel(tree, out, DISTRIBUTION.replace("-", "_")) if wheel else None


def _first_page(page: Path) -> str:
    """Return a page for students with its link to the other language, as it is in the tree."""
    text = page.read_text(encoding="utf-8")
    for other, name in READMES.items():
        text = text.replace(f"]({os.path.relpath(ROOT / other, page.parent)})", f"]({name})")
    return text


def _for_class(notebooks: Path, course: Course) -> None:
    import nbformat

    for folder in notebooks.iterdir():
        if not folder.is_dir() or folder.name == START_HERE:  # the warm-up is no assignment, and everybody's
            continue
        if folder.name in languages():
            with in_language(folder.name):
                _for_class(folder, course)
            continue
        if folder.name not in course.topics:
            shutil.rmtree(folder)
            continue
        path = folder / f"{folder.name}.ipynb"
        path.write_bytes(as_bytes(for_class(nbformat.read(path, as_version=4), folder.name, course)))


def student_project() -> str:
    """Return the project file of the sealed tree: the base package alone, with the same dependencies."""
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = whole["project"]
    kept = {key: project[key] for key in ("name", "version", "description", "readme", "requires-python", "license")}
    targets = whole["tool"]["hatch"]["build"]["targets"]
    wheel = {**targets["wheel"], "packages": ["embedding_course"]}
    included = wheel.pop("force-include", {})
    wheel.pop("shared-data", None)  # the grader's own, which students do not get
    tables: dict[str, dict[str, Any]] = {
        "build-system": whole["build-system"],
        "project": {**kept, "dependencies": project["dependencies"]},
        "project.optional-dependencies": {"lab": project["optional-dependencies"]["lab"]},
        "tool.hatch.build.targets.wheel": wheel,
        "tool.hatch.build.targets.wheel.force-include": included,
    }
    return as_text(tables)


def build_wheel(tree: Path, out: Path, name: str) -> Path:
    """Build the wheel of a project, and return its path.

    Parameters
    ----------
    tree : Path
        Folder of the project.
    out : Path
        Folder for the wheel, which takes the place of an earlier one.
    name : str
        Name of the distribution, as it stands in the wheel's file name.

    Raises
    ------
    CalledProcessError
        If pip fails.
    """
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(out), str(tree)]
    for old in out.glob(f"{name}-*.whl"):
        old.unlink()
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return next(out.glob(f"{name}-*.whl"))
