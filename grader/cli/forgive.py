"""`grader forgive`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .accept import By, author, counted_exercise, reason, say_decided
from .options import Db, Home, gradebook_at


def forgive(
    exercise: Annotated[str, typer.Argument(help="For example 03.renorm_rows.")],
    case: Annotated[str, typer.Argument(help="The name of the hidden case, as verdicts give it.")],
    why: Annotated[str, typer.Option(help="The reason, which students read.")] = "",
    by: By = "",
    home: Home = Path(),
    db: Db = "",
) -> None:
    """Let one hidden case of an exercise fail nobody in the class; `grader accept --undo` takes it back.

    A criterion that fails in this case alone is then passed. Nothing is run again.
    """
    from ..classroom.class_folder import Classroom
    from ..marking.decide import forgive as decide

    classroom = Classroom(home.resolve(), gradebook_at(db))
    chosen, _ = counted_exercise(classroom, exercise)
    say_decided(decide(classroom, chosen, case, reason(why), author(by)))
