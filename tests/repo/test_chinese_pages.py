"""The Chinese pages say what the English ones say: headings, commands, links and formulas agree, and no change is missed."""

import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest

from embedding_course.subject.lessons import LESSONS
from grader.authoring.translation_faults import _written  # pyright: ignore[reportPrivateUsage]
from grader.authoring.translations import complete, read
from grader.paths import ROOT

CHINESE = ROOT / "docs" / "zh"
PAGES = sorted(CHINESE.glob("*.md"))
#: This page is the part of the English one that a learner needs, so their headings differ.
README = CHINESE / "README.md"
WHOLE = [page for page in PAGES if page != README]
_FIRST_LINE = re.compile(r"<!-- (\S+\.md) at ([0-9a-f]{16}) -->\n\n# .+\n\n\[English\]\((\S+)\)\n")
_ONLY_HERE = re.compile(r"<!-- only here -->\n.*?<!-- end -->\n", re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_FORMULA = re.compile(r"(?<!\\)\$(?!\s)[^$\n]+?\$")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def english_of(page: Path) -> Path:
    """Return the page that a Chinese page names in its first line."""
    found = _FIRST_LINE.match(text_of(page))
    assert found, f"{page.name} begins with a comment that names its English page, its title, and a link to that page."
    return ROOT / found[1]


def shared(page: Path) -> str:
    """Return what a page has in common with its other language: not the switch, nor what only Chinese readers need."""
    text = _ONLY_HERE.sub("", text_of(page))
    return re.sub(r"^\[(?:English|中文)\]\(.*\)\n", "", text, count=1, flags=re.MULTILINE)


def prose(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("    "))


def headings(text: str) -> list[tuple[int, str]]:
    """Return level and anchor of each heading."""
    found = re.findall(r"^(#+) (.*)", prose(text), re.MULTILINE)
    return [(len(marks), re.sub(r"[^\w\- ]", "", words).lower().replace(" ", "-")) for marks, words in found]


def commands(text: str) -> list[str]:
    """Return the lines of the code blocks, without comments and without the setting that opens the Chinese notebooks."""
    lines = [line for line in text.split("\n") if line.startswith("    ")]
    return [re.sub(r"\s+# .*| --language zh| LANG=zh", "", line).rstrip() for line in lines]


def targets(page: Path) -> Counter[tuple[str, str | int]]:
    """Return where the links lead: the English page and the number of its heading, where there is a Chinese page too."""
    places: list[tuple[str, str | int]] = []
    for target in _LINK.findall(prose(shared(page))):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        names = [name for _, name in headings(shared(there))] if there.suffix == ".md" else []
        if there.parent == CHINESE:
            places.append((str(english_of(there)), names.index(anchor) if anchor else ""))
        elif anchor and (CHINESE / there.name) in WHOLE:
            places.append((str(there), names.index(anchor)))
        else:
            places.append((str(there), anchor))
    return Counter(places)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_english_page_is_as_it_was_when_it_was_translated(page: Path) -> None:
    english = english_of(page)
    now = hashlib.sha256(english.read_bytes()).hexdigest()[:16]
    name, here = english.relative_to(ROOT), page.relative_to(ROOT)
    if f"<!-- {name} at {now} -->" != text_of(page).partition("\n")[0]:
        pytest.fail(f"{name} has changed: bring {here} up to date, then write {now} into its first line.", pytrace=False)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_page_leads_to_the_other_language(page: Path) -> None:
    english = english_of(page)
    there, back = _LINK.findall(text_of(page))[0], _LINK.findall(text_of(english))[0]
    assert (page.parent / there).resolve() == english and (english.parent / back).resolve() == page


@pytest.mark.parametrize("page", WHOLE, ids=lambda page: page.name)
def test_headings_commands_links_and_formulas_agree(page: Path) -> None:
    english = english_of(page)
    ours, theirs = shared(page), shared(english)
    assert [level for level, _ in headings(ours)] == [level for level, _ in headings(theirs)]
    assert commands(ours) == commands(theirs)
    assert targets(page) == targets(english)
    assert Counter(_FORMULA.findall(ours)) == Counter(_FORMULA.findall(theirs))
    said = Counter(_CODE.findall(re.sub(r"(notebooks|work)/zh/", r"\1/", prose(ours)).replace(" --language zh", "")))
    lost = Counter(_CODE.findall(prose(theirs))) - said
    assert not lost


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_they_are_written_as_chinese_is(page: Path) -> None:
    faults = [fault for line in prose(text_of(page)).split("\n") for fault in _written(line)]
    assert faults == []
    assert "://" not in text_of(page).replace("https://example.org/cpu", "")  # mirrors are the reader's own setting
    # GitHub draws a formula only where a space or another ASCII character comes before it.
    text = text_of(page)
    assert [found[0] for found in _FORMULA.finditer(text) if not text[found.start() - 1].isascii()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in _LINK.findall(prose(text_of(page))):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        being_translated = there.is_relative_to(ROOT / "notebooks" / "zh") and there.stem not in complete("zh")
        assert there.exists() or being_translated, target
        assert not anchor or anchor in [name for _, name in headings(text_of(there))], target


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.topic)
def test_the_readme_lists_every_notebook(lesson) -> None:
    row, theirs = (
        [cell.strip() for cell in line.split("|")]
        for page in (README, english_of(README))
        for line in text_of(page).splitlines()
        if line.startswith(f"| {lesson.number} |")
    )
    assert re.findall(r"\d+", row[4]) == re.findall(r"\d+", theirs[4]), "minutes"
    assert f"(../../notebooks/zh/{lesson.topic}/{lesson.topic}.ipynb)" in row[2]
    catalogue = read("zh", lesson.topic)
    for text, cell in ((lesson.title, row[2]), (lesson.question, row[3])):
        entry = catalogue.get(text)
        assert entry is None or str(entry.string) in cell
