"""A lesson's sections: numbers of the core and letters of what is further run without gaps, and what is referred to exists."""

import re

import nbformat
import pytest

from embedding_course.subject.lessons import topics
from grader.paths import NOTEBOOKS

_SECTION = re.compile(r"^#{2,3} (\d+|[A-Z]) · ", re.MULTILINE)
#: "section 3", "sections 3 and B"; not "section 3.2" of a source.
_REFERENCE = re.compile(r"\bsections? ((?:\d+|[A-Z])(?:(?:, | and )(?:\d+|[A-Z])\b)*)(?!\.\d)\b")


@pytest.mark.parametrize("topic", topics())
def test_section_numbers_run_without_gaps_and_references_are_to_one_of_them(topic: str) -> None:
    cells = nbformat.read(NOTEBOOKS / topic / f"{topic}.ipynb", as_version=4).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    names = _SECTION.findall(prose)
    core, further = [name for name in names if name.isdigit()], [name for name in names if name.isalpha()]
    assert core == [str(number) for number in range(1, len(core) + 1)] and len(core) >= 5
    assert further == [chr(ord("A") + number) for number in range(len(further))]
    referenced = {name for listed in _REFERENCE.findall(prose) for name in re.split(", | and ", listed)}
    assert referenced <= set(names), referenced - set(names)
