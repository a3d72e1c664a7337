"""The pages say what is true: links lead somewhere, tables follow the code."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from embedding_course.compare import STAGES
from embedding_course.exercises import known
from embedding_course.lessons import LESSONS
from embedding_course.result import CriterionResult, Result, Status
from grader.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
README = PAGES[0].read_text(encoding="utf-8")
SCHEMA = (ROOT / "docs" / "result_schema.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    anchors = {re.sub(r"[^\w\- ]", "", line.lstrip("# ")).lower().replace(" ", "-") for line in text.splitlines()}
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("#"):
            assert target[1:] in anchors, target
        elif "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.topic)
def test_the_readme_lists_every_notebook(lesson) -> None:
    (row,) = [line for line in README.splitlines() if line.startswith(f"| {lesson.number} |")]
    assert lesson.title in row and lesson.question in row and f"| {lesson.minutes} |" in row
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
