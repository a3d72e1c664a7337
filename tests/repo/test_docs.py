"""The pages say what is true: links lead somewhere, tables follow the code."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from embedding_course.checking.compare import STAGES
from embedding_course.checking.result import CriterionResult, Result, Status
from embedding_course.exercises import exercises_of, known
from embedding_course.subject.lessons import LESSONS
from grader.paths import ROOT, SOLUTIONS

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
README = PAGES[0].read_text(encoding="utf-8")
SCHEMA = (ROOT / "docs" / "result_schema.md").read_text(encoding="utf-8")


def anchors(page: Path) -> set[str]:
    """What GitHub makes of a page's headings, so that links can lead to them."""
    lines = page.read_text(encoding="utf-8").splitlines()
    headings = [line.lstrip("# ") for line in lines if line.startswith("#")]
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


#: Core exercises on text and lists, about which no formula says more than a sentence does.
WITHOUT_FORMULA = {"01.build_vocab", "01.merge_pair"}


def test_every_core_exercise_has_its_formula() -> None:
    text = (ROOT / "docs" / "formulas.md").read_text(encoding="utf-8")
    named = re.findall(r"\[`(\d\d\.\w+)`\]\(exercises\.md#(\w+)\) \|$", text, re.MULTILINE)
    assert len(named) == sum(line.startswith("| ") for line in text.splitlines()) - len(LESSONS), "a line without its exercise"
    assert all(anchor == name.replace(".", "").lower() for name, anchor in named)
    core = {entry.id for lesson in LESSONS if lesson.written for entry in exercises_of(lesson.topic) if entry.core}
    assert core - {name for name, _ in named} == WITHOUT_FORMULA


def test_formulas_are_set_as_formulas() -> None:
    """In a table a bar ends the cell, and a backslash before a sign is eaten by Markdown: neither may stand in a formula."""
    for line in (ROOT / "docs" / "formulas.md").read_text(encoding="utf-8").splitlines():
        assert line.count("$") % 2 == 0, line
        for formula in re.findall(r"\$([^$]+)\$", line):
            assert "|" not in formula and not re.search(r"\\[^a-zA-Z]", formula), formula
            assert formula.count("{") == formula.count("}") and formula.count("(") == formula.count(")"), formula


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.topic)
def test_the_readme_lists_every_notebook(lesson) -> None:
    (row,) = [line for line in README.splitlines() if line.startswith(f"| {lesson.number} |")]
    first, second = lesson.sittings
    assert lesson.title in row and lesson.question in row and f"| {lesson.minutes} ({first} + {second}) |" in row
    assert ("not yet written" in row) is not lesson.written
    assert (f"(notebooks/{lesson.topic}/{lesson.topic}.ipynb)" in row) is lesson.written


@pytest.mark.parametrize("struct", [Result, CriterionResult])
def test_every_field_of_the_schema_is_documented(struct: type[msgspec.Struct]) -> None:
    for field in msgspec.structs.fields(struct):
        assert f"| `{field.name}` |" in SCHEMA


def test_every_status_and_stage_is_documented() -> None:
    for value in (*get_args(Status), *STAGES, "passed"):
        assert f"| `{value}` |" in SCHEMA


def test_examples_name_exercises_that_exist() -> None:
    made = set(re.findall(r"grader new (\S+)", "".join(page.read_text(encoding="utf-8") for page in PAGES)))
    made = {name.strip("`") for name in made}
    for page in PAGES:
        if page.name == "own_course.md":
            continue  # its exercises are another course's, and tests/grader/authoring/test_new_course.py types what it says
        for name in re.findall(r"\b\d\d\.[a-z]\w+", page.read_text(encoding="utf-8")):
            lesson = next(entry for entry in LESSONS if entry.number == name[:2])
            there = name in known() or name in made or name.split(".")[1] in ("name", "written")
            assert there or not lesson.written, f"{page.name}: {name}"


def test_the_picture_reads_on_any_page() -> None:
    picture = ROOT / "docs" / "img" / "path.svg"
    svg = ElementTree.parse(picture).getroot()
    space = "{http://www.w3.org/2000/svg}"
    assert svg.find(f"{space}title") is not None and svg.find(f"{space}desc") is not None
    ground = svg.find(f"{space}rect")
    assert ground is not None
    width, height = svg.attrib["viewBox"].split()[2:]
    assert (ground.attrib["width"], ground.attrib["height"]) == (width, height) and "fill" in ground.attrib


def test_lessons_link_to_the_glossary() -> None:
    """Each lesson gives the Chinese of its main terms, with a link to a heading of the glossary that has the term. On the site
    it is a link; in a notebook, which is often alone, it is plain words, and the title says what `glossary` is."""
    page = ROOT / "docs" / "glossary.md"
    there, chinese = anchors(page), page.read_text(encoding="utf-8")
    for path in sorted(SOLUTIONS.glob("*/lesson.py")):
        found = re.findall(r"\[([^\[\]]+)\]\(\.\./glossary\.md#([^)\s]+)\)", path.read_text(encoding="utf-8"))
        assert 5 <= len(found) <= 18, path.parent.name
        assert not [word for word, anchor in found if anchor not in there or word not in chinese], path.parent.name
