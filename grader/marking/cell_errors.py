"""What an answer's cell raised when it ran, said in the verdict: a bare "there is no such name" helps nobody."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from embedding_course.checking.intake.steps import Step
from embedding_course.checking.result import Result

from ..submission.one_line import one_line

__all__ = ["with_cell_errors"]

#: So many exceptions are told, and so much of the line of another cell that raised one.
_MOST, _SHOWN = 2, 60


def with_cell_errors(result: Result, name: str, raised: Mapping[Step, str]) -> Result:
    """A verdict on `name` that falls short, with what its cell raised; where it stopped at an exception or found no such
    name, else with what other cells raised that it needs. `raised` is as `Session` keeps it: all of it from before any hidden
    input was sent.
    """
    if result.passed or (result.status == "not attempted" and result.stage != "name missing"):
        return result
    said = [f"Its cell raised {what}." for cell, what in raised.items() if name in cell.answers]
    if not said and result.stage in ("name missing", "raises"):
        said = [f"The cell with `{_beginning(cell)}` raised {what}." for cell, what in raised.items() if not cell.answers]
    if not said:
        return result
    return msgspec.structs.replace(result, message=" ".join([result.message, *said[:_MOST]]))


def _beginning(cell: Step) -> str:
    first = next((line for line in cell.source.splitlines() if line.strip()), "")
    return one_line(first.replace("`", "'"), _SHOWN)
