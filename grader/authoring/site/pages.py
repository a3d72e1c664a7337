"""The pages of the site besides its lessons: our documents, as they are, with their links mended."""

import re
import shutil
from collections.abc import Collection, Sequence
from pathlib import Path

from embedding_course.learner.progress.course_map import course_map
from embedding_course.messages import ENGLISH, in_language

from ...course_source.setting import Setting
from ...course_source.start_here import NAME
from ...paths import ROOT
from . import glossary_page
from .links import Elsewhere, mended, place_of

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
        "docs/examining.md",
        "docs/result_schema.md",
        "docs/translating.md",
        "docs/site.md",
    ),
}
#: The same in Chinese, for the pages that there are; those in docs/zh are written by hand.
CHINESE_CHAPTERS = {
    "查资料": (glossary_page.PAGE, "docs/zh/formulas.md"),
    "学习": ("docs/zh/installing.md", "docs/zh/for_students.md"),
}
_PICTURES = "docs/img"
#: A line that leads to the same document in the other language; the site has a switch for it.
_SWITCH = re.compile(r"^\[(English|中文)\]\([^)]*\)\n\n", re.MULTILINE)


def documents(language: str = ENGLISH) -> list[str]:
    """Return the Markdown files that become pages in a language, relative to the repository.

    The files of the chapters come first, then, in English, the other files in docs/.
    """
    if language != ENGLISH:
        return [path for chapter in CHINESE_CHAPTERS.values() for path in chapter]
    named = [path for chapter in CHAPTERS.values() for path in chapter]
    others = sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))
    return [*named, *(path for path in others if path not in named)]


def pages_of(topics: Sequence[str], language: str = ENGLISH) -> set[str]:
    """Return all files that the site has in a language, pages and pictures, with these lessons."""
    lessons = {f"notebooks/{topic}/{topic}.ipynb" for topic in (NAME, *topics)}
    pictures = {f"{_PICTURES}/{path.name}" for path in (ROOT / _PICTURES).iterdir()}
    return lessons | pictures | set(map(place_of, documents(language))) | {"index.md"}


def write_documents(
    home: Path, pages: Collection[str], setting: Setting, language: str = ENGLISH, elsewhere: Elsewhere | None = None
) -> None:
    """Write the documents of the checkout as pages, with their links mended.

    Parameters
    ----------
    home : Path
        Folder below which the documents are written, in the folders that they have in the checkout.
    pages : collection of str
        Paths of the files that are pages of the site.
    setting : Setting
        Where the course is published.
    language : str, optional
        Code of the language.
    elsewhere : Elsewhere, optional
        The pages of the site in another language.
    """
    for name in documents(language):
        made = language != ENGLISH and name == glossary_page.PAGE
        text = glossary_page.glossary_page() if made else (ROOT / name).read_text(encoding="utf-8")
        page = home / place_of(name)
        page.parent.mkdir(parents=True, exist_ok=True)
        text = mended(_SWITCH.sub("", text), name, pages, setting, elsewhere=elsewhere)
        page.write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / _PICTURES, home / _PICTURES, dirs_exist_ok=True)
    with in_language(language):
        (home / _PICTURES / "course_map.svg").write_text(course_map(), encoding="utf-8")
