"""What the pages name is there: links, headings, files and exercises."""

import re
from pathlib import Path

import pytest

from embedding_course.exercises import known
from embedding_course.subject.lessons import LESSONS
from grader.paths import ROOT, SOLUTIONS

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
#: Its exercises are another course's, and tests/grader/authoring/test_new_course.py types what it says.
OTHER_COURSE = ROOT / "docs" / "own_course.md"


def anchors(page: Path) -> set[str]:
    """Return what GitHub makes of a page's headings, so that links can lead to them."""
    headings = re.findall(r"^#+ (.*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        there = page.parent / path if path else page
        assert there.exists(), target
        assert not anchor or anchor in anchors(there), target


def test_lessons_link_to_headings_of_the_glossary_that_have_the_term() -> None:
    glossary = ROOT / "docs" / "glossary.md"
    headings, text = anchors(glossary), glossary.read_text(encoding="utf-8")
    for path in sorted(SOLUTIONS.glob("*/lesson.py")):
        links = re.findall(r"\[([^\[\]]+)\]\(\.\./glossary\.md#([^)\s]+)\)", path.read_text(encoding="utf-8"))
        assert 5 <= len(links) <= 25, path.parent.name
        assert not [word for word, anchor in links if anchor not in headings or word not in text], path.parent.name


@pytest.mark.parametrize("name", sorted(set(re.findall(r"`([^`\s]+/[^`\s]+)`", ARCHITECTURE))))
def test_what_the_architecture_names_is_there(name: str) -> None:
    assert any((root / name).exists() for root in (ROOT, ROOT / "embedding_course", ROOT / "grader"))


@pytest.mark.parametrize("page", [*PAGES, ROOT / "data" / "README.md"], ids=lambda page: page.name)
def test_files_that_a_page_names_are_there(page: Path) -> None:
    for name in re.findall(r"`((?:benchmarks|claims|grader|tests)/[\w./]+)`", page.read_text(encoding="utf-8")):
        assert (ROOT / name).exists(), name


def test_pages_name_exercises_that_exist() -> None:
    texts = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
    made = {name.strip("`") for name in re.findall(r"grader new (\S+)", "".join(texts.values()))}
    written = {lesson.number for lesson in LESSONS if lesson.written}
    del texts[OTHER_COURSE.name]
    for page, text in texts.items():
        for name in re.findall(r"\b\d\d\.[a-z]\w+", text):
            there = name in known() or name in made or name.split(".")[1] in ("name", "written")
            assert there or name[:2] not in written, f"{page}: {name}"
