"""Tables of the pages follow the code."""

from typing import get_args

import msgspec
import pytest

from embedding_course.checking.compare import STAGES
from embedding_course.checking.result import CriterionResult, Result, Status
from embedding_course.subject.lessons import LESSONS
from grader.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
SCHEMA = (ROOT / "docs" / "result_schema.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.topic)
def test_the_readme_lists_every_notebook(lesson) -> None:
    (row,) = [line for line in README.splitlines() if line.startswith(f"| {lesson.number} |")]
    both = f" ({' + '.join(map(str, lesson.sittings))})" if len(lesson.sittings) > 1 else ""
    assert lesson.title in row and lesson.question in row and f"| {lesson.minutes}{both} |" in row
    assert ("not yet written" in row) is not lesson.written
    assert (f"(notebooks/{lesson.topic}/{lesson.topic}.ipynb)" in row) is lesson.written


def test_every_field_status_and_stage_is_documented() -> None:
    fields = [field.name for struct in (Result, CriterionResult) for field in msgspec.structs.fields(struct)]
    for name in (*fields, *get_args(Status), *STAGES, "passed"):
        assert f"| `{name}` |" in SCHEMA
