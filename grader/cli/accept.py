"""`grader accept`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UserError
from .options import Db, Home, gradebook_at

if TYPE_CHECKING:
    from embedding_course.exercises.index import Entry

    from ..classroom.class_folder import Classroom
    from ..classroom.overrides import Override
    from ..marking.decide import Decided

By = Annotated[str, typer.Option(help="Who decides; your name on this machine by default.")]


def accept(
    student: Annotated[str | None, typer.Argument(help="Whose answer. Without one, all decisions are listed.")] = None,
    exercise: Annotated[str | None, typer.Argument(help="For example 03.renorm_rows.")] = None,
    why: Annotated[str, typer.Option(help="The reason, which the student reads.")] = "",
    points: Annotated[float | None, typer.Option(min=0, help="The points that it earns; all by default.")] = None,
    like: Annotated[bool, typer.Option("--like", help="Accept all answers of the class that are like this one.")] = False,
    undo: Annotated[int | None, typer.Option(help="Undo the decision of this number.")] = None,
    by: By = "",
    home: Home = Path(),
    db: Db = "",
) -> None:
    """Give an answer points that the check refused it, with a reason; it survives regrades and can be undone.

    `--like` accepts every answer of the class that returns the same in the public cases, or that makes the same known mistake.
    """
    from ..classroom.class_folder import Classroom
    from ..marking.decide import accept as decide

    classroom = Classroom(home.resolve(), gradebook_at(db))
    if undo is not None:
        if student or exercise or why:
            raise UserError("--undo stands alone: the number says which decision is meant.")
        decided = _undone(classroom, undo, author(by))
        say_decided(decided)
        _say_accepted_requests(classroom, decided.override)
    elif student is None:
        _list(classroom)
    else:
        chosen, worth = counted_exercise(classroom, exercise or "")
        share = share_of_points(points, chosen, worth)
        say_decided(decide(classroom, chosen, student, reason(why), author(by), share, like))


def share_of_points(points: float | None, exercise: Entry, worth: float) -> float:
    """Return the share of its points that `--points` gives an answer; all if it is left out.

    Raises
    ------
    UserError
        If the points are not above 0, or more than the exercise is worth.
    """
    if points is not None and not 0 < points <= worth:
        raise UserError(f"{exercise.id} is worth {worth:g} points in this class: --points is above 0 and at most that.")
    return 1.0 if points is None else points / worth


def counted_exercise(classroom: Classroom, name: str) -> tuple[Entry, float]:
    """Return an exercise that counts in the class, and its points there."""
    from embedding_course.exercises.index import entries
    from embedding_course.subject.errors import closest

    from ..classroom.policy.course import load_course

    course, known = load_course(classroom.home), entries()
    if not name:
        raise UserError("Say which exercise, for example 03.renorm_rows.")
    if name not in known:
        raise UserError(f"There is no exercise {name!r}; {closest(name, known)}")
    topic = known[name].lesson.topic
    terms = course.terms_of(topic)
    if topic not in course.topics or name in terms.dropped:
        raise UserError(f"{name} does not count in this class.")
    return known[name], terms.points.get(name, known[name].points)


def author(by: str) -> str:
    """Return the name that stands with a decision."""
    import getpass

    from ..submission.plain_file import one_line

    return one_line(by.strip() or getpass.getuser(), 80)


def reason(why: str) -> str:
    """Return the reason of a decision, which may not be missing."""
    from ..submission.plain_file import one_line

    if not why.strip():
        raise UserError('A decision needs a reason, which the student reads: --why "the case asks for too much".')
    return one_line(why.strip(), 400)


def say_decided(decided: Decided) -> None:
    """Print a decision and whose points it changed."""
    from rich.markup import escape
    from rich.table import Table

    from embedding_course.checking.result import number

    from .terminal import Console

    table = Table("student", "before", "after")
    for student, (before, after) in sorted(decided.changed.items()):
        table.add_row(escape(student), number(before), number(after))
    if decided.changed:
        Console().print(table)
    override = decided.override
    state = "undone" if not override.holds else "noted"
    typer.echo(f"Decision {override.number} on {override.exercise} is {state}: {_counted(len(decided.changed))}.")
    if override.case and override.holds and not decided.changed:
        typer.echo("No score changes: every student who fails this case also fails another case of the same criterion.")
    if override.holds:
        typer.echo(f"Undo it with: grader accept --undo {override.number}")
    typer.echo(f"Next: grader feedback {override.exercise[:2]}")


def _counted(count: int) -> str:
    return "nobody's points change" if not count else f"the points of {count} student{'s' * (count != 1)} change"


def _say_accepted_requests(classroom: Classroom, undone: Override) -> None:
    """Print whose requests still stand as accepted, with the words that the undone decision has for its reason."""
    from ..classroom.requests import answers_of

    key = (undone.exercise, undone.why, "accepted")
    students = [past.student for past in answers_of(classroom.home) if (past.exercise, past.answer, past.state) == key]
    if students:
        names = ", ".join(students)
        typer.echo(f"Requests on it stay accepted until you answer them anew with grader requests refuse: {names}.")


def _undone(classroom: Classroom, number: int, by: str) -> Decided:
    from embedding_course.exercises.index import entries

    from ..classroom.overrides import read_overrides
    from ..marking.decide import undo

    override = next((known for known in read_overrides(classroom.home) if known.number == number), None)
    if override is None:
        raise UserError(f"There is no decision {number}; grader accept lists them all.")
    return undo(classroom, override, entries()[override.exercise], by)


def _list(classroom: Classroom) -> None:
    from rich.markup import escape
    from rich.table import Table

    from ..classroom.overrides import read_overrides
    from .terminal import Console

    overrides = read_overrides(classroom.home)
    if not overrides:
        typer.echo("Nobody has decided on an answer yet: grader accept STUDENT EXERCISE --why REASON does.")
        return
    table = Table("number", "exercise", "for", "points", "by", "at", "why", "undone")
    for override in overrides:
        share = "the case" if override.case else "all" if override.share == 1 else f"{override.share:.0%}"
        undone = f"by {override.undone_by}, {override.undone_at}" if override.undone_at else ""
        row = [str(override.number), override.exercise, _whom(override), share, override.by, override.at, override.why, undone]
        table.add_row(*map(escape, row))
    Console().print(table)


def _whom(override: Override) -> str:
    if override.case:
        return f"everybody, case “{override.case}”"
    if override.student:
        return override.student
    return f"all answers like {override.computed or override.mistake}"
