"""The pages of the site besides its lessons: our documents, as they are, with their links mended."""

import shutil
from collections.abc import Collection, Sequence
from pathlib import Path

from ...course_source.setting import Setting
from ...course_source.start_here import NAME
from ...paths import ROOT
from .links import mended

#: What stands in the margin below the lessons, by its heading.
CHAPTERS = {
    "Look something up": ("docs/glossary.md", "docs/formulas.md", "docs/exercises.md", "docs/claims.md"),
    "Learn": ("docs/installing.md", "docs/for_students.md", "projects/search_engine/README.md", "docs/engines.md"),
    "Teach": ("docs/teaching.md", "docs/grading.md", "docs/packages.md", "docs/jupyterhub.md", "docs/own_course.md"),
    "How well does it grade?": ("docs/benchmarks.md", "docs/attacks.md", "docs/engine.md"),
    "Join in": (
        "CONTRIBUTING.md",
        "docs/architecture.md",
        "docs/writing_an_exercise.md",
        "docs/translating.md",
        "docs/examining.md",
        "docs/result_schema.md",
        "docs/site.md",
    ),
}
_PICTURES = "docs/img"


def documents() -> list[str]:
    """Return the Markdown files that become pages, relative to the repository.

    The files of the chapters come first, then the other files in docs/.
    """
    named = [path for chapter in CHAPTERS.values() for path in chapter]
    others = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
    return [*named, *(path for path in others if path not in named)]


def pages_of(topics: Sequence[str]) -> set[str]:
    """Return all files that the site has, pages and pictures, with these lessons."""
    lessons = {f"notebooks/{topic}/{topic}.ipynb" for topic in (NAME, *topics)}
    pictures = {f"{_PICTURES}/{path.name}" for path in (ROOT / _PICTURES).iterdir()}
    return lessons | pictures | set(documents())


def write_documents(home: Path, pages: Collection[str], setting: Setting) -> None:
    """Write the documents of the checkout as pages, with their links mended.

    Parameters
    ----------
    home : Path
        Folder below which the documents are written, in the folders that they have in the checkout.
    pages : collection of str
        Paths of the files that are pages of the site.
    setting : Setting
        Where the course is published.
    """
    for name in documents():
        text = (ROOT / name).read_text(encoding="utf-8")
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(mended(text, name, pages, setting), encoding="utf-8")
    shutil.copytree(ROOT / _PICTURES, home / _PICTURES, dirs_exist_ok=True)
