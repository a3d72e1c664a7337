"""Tables of the pages follow the code."""

import re
from typing import get_args

import msgspec
import pytest

from embedding_course.checking.compare import STAGES
from embedding_course.checking.result import CriterionResult, Result, Status
from embedding_course.exercises import exercises_of
from embedding_course.subject.lessons import LESSONS
from grader.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
SCHEMA = (ROOT / "docs" / "result_schema.md").read_text(encoding="utf-8")
#: Core exercises on text and lists, about which no formula says more than a sentence does.
WITHOUT_FORMULA = {"01.build_vocab", "01.merge_pair", "11.translate_names"}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.topic)
def test_the_readme_lists_every_notebook(lesson) -> None:
    (row,) = [line for line in README.splitlines() if line.startswith(f"| {lesson.number} |")]
    first, second = lesson.sittings
    assert lesson.title in row and lesson.question in row and f"| {lesson.minutes} ({first} + {second}) |" in row
    assert ("not yet written" in row) is not lesson.written
    assert (f"(notebooks/{lesson.topic}/{lesson.topic}.ipynb)" in row) is lesson.written


def test_every_field_status_and_stage_is_documented() -> None:
    fields = [field.name for struct in (Result, CriterionResult) for field in msgspec.structs.fields(struct)]
    for name in (*fields, *get_args(Status), *STAGES, "passed"):
        assert f"| `{name}` |" in SCHEMA


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
