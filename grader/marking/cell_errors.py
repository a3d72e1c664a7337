"""Say what the learner's cells raised and which cells were left out, since "there is no such name" alone does not help."""

from collections.abc import Mapping

import msgspec

from embedding_course.checking.intake.statements import bound_names, split
from embedding_course.checking.intake.steps import Step
from embedding_course.checking.result import Result
from embedding_course.checking.submission_limits import OWN_SECONDS
from embedding_course.messages import Message, as_text

from ..engine.session import Session
from ..submission.plain_file import one_line
from .hidden_check import ENDED

#: How many exceptions are reported, and how many characters of the line that raised one.
_MAX_SENTENCES, _SHOWN = 2, 60


def with_cell_errors(result: Result, name: str, raised: Mapping[Step, str]) -> Result:
    """Add to a verdict that falls short what the cell of the answer raised.

    If the verdict is an exception or a missing name, and the cell itself raised nothing, the errors of other cells that bind a
    name which the answer reads are added instead.

    Parameters
    ----------
    result : Result
        Verdict on the answer.
    name : str
        Name that the exercise asks for.
    raised : mapping of Step to str
        What each cell raised, "" if nothing. No text may hold a hidden input: see `Session.words`.
    """
    if result.passed or result.is_stub:
        return result
    lines = [Message("Its cell raised {error}.", error=what) for cell, what in raised.items() if name in cell.answers and what]
    if not lines and result.stage in ("name missing", "raises"):
        read = {
            read_name
            for cell in raised
            if name in cell.answers
            for statement in split(cell.source)
            for read_name in statement.looks_up
        }
        others = {cell: what for cell, what in raised.items() if not cell.answers and what}
        needed = [cell for cell in others if not read or read & bound_names(cell.source)]
        lines = [
            Message("The cell with `{code}` raised {error}.", code=_beginning(cell), error=others[cell]) for cell in needed
        ]
    if not lines:
        return result
    return msgspec.structs.replace(result, message=f"{result.message} {as_text(lines[:_MAX_SENTENCES])}")


def _beginning(cell: Step) -> str:
    first = next((line for line in cell.source.splitlines() if line.strip()), "")
    return one_line(first.replace("`", "'"), _SHOWN)


def notes_on(session: Session) -> list[str]:
    """Return a sentence for each cell that was left out or of which only the definitions ran, for the feedback page."""
    notes = [
        Message(
            "While {cell} ran: {fault} Only its definitions, imports and constants were used.",
            cell=_named(step),
            fault=ENDED[status],
        )
        for step, status in session.ended.items()
    ]
    if session.too_long:
        cells = ", ".join(str(cell_number) for cell_number in sorted(step.number for step in session.too_long) if cell_number)
        message = Message(
            "Your own cells may take {limit:g} s of processor time together. When that was used up, only the definitions, "
            "imports and constants of the remaining ones were used."
        )
        if cells:
            message = Message(
                "Your own cells may take {limit:g} s of processor time together. When that was used up, only the definitions, "
                "imports and constants of the remaining ones were used (cells {cells})."
            )
        notes.append(message.fill(limit=OWN_SECONDS, cells=cells))
    return [str(note) for note in notes]


def _named(step: Step) -> str:
    return one_line(step.named.replace("\n", " "), 2 * _SHOWN)
