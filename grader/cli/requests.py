"""`grader requests`: what students ask to be graded again, and the answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UserError
from .accept import By, author, counted_exercise, say_decided
from .options import Db, chosen_of, gradebook_at

if TYPE_CHECKING:
    from ..classroom.class_folder import Classroom
    from ..classroom.requests import Request, State

requests = typer.Typer(add_completion=False, help="List, look into and answer regrade requests.", no_args_is_help=True)

Student = Annotated[str, typer.Argument(help="Who asks.")]
Exercise = Annotated[str, typer.Argument(help="For example 03.renorm_rows.")]
Home = Annotated[Path, typer.Option("--class", help="The folder of the class.")]
Answer = Annotated[str, typer.Option("--answer", help="What the student reads.")]


@requests.command("list")
def list_(
    notebooks: Annotated[list[str] | None, typer.Argument(help="Notebooks, by number; all unless named.")] = None,
    answered: Annotated[bool, typer.Option("--answered", help="List those that were answered as well.")] = False,
    home: Home = Path(),
) -> None:
    """List the open requests, with the verdict that each is about."""
    from rich.markup import escape
    from rich.table import Table

    from ..classroom import records
    from ..classroom.class_folder import Classroom
    from ..classroom.policy.course import load_course
    from ..classroom.requests import requests_of
    from .terminal import Console

    classroom = Classroom(home.resolve())
    topics = chosen_of(load_course(classroom.home), notebooks)
    everything = list(requests_of(classroom, topics))
    shown = [request for request in everything if answered or request.state == "open"]
    table = Table("student", "exercise", "state", "verdict", "request", "answer")
    for request in shown:
        record = records.load(classroom.home, request.topic, request.student)
        verdict = next((result for result in record.results if result.exercise == request.exercise), None) if record else None
        said = f"{verdict.status}, {verdict.score:g} of {verdict.max_score:g}" if verdict else "none"
        about = request.exercise or request.topic
        answer = f"{request.answer} ({request.by})" if request.answer else ""
        table.add_row(*map(escape, (request.student, about, request.state, said, request.text, answer)))
    if shown:
        Console().print(table)
    count = sum(request.state == "open" for request in everything)
    typer.echo(f"{count} open, {len(everything) - count} answered.")


@requests.command()
def show(
    context: typer.Context,
    student: Student,
    exercise: Exercise,
    home: Home = Path(),
    run: Annotated[bool, typer.Option("--try/--no-try", help="Run the answer through the hidden check once more.")] = True,
) -> None:
    """Show a request with the code, the verdict, and what the hidden check says of the file now."""
    from embedding_course.checking.render import as_text

    from ..classroom.attempts import Attempts
    from ..classroom.class_folder import Classroom
    from ..classroom.policy.course import load_course
    from ..marking.decide import verdict_on
    from ..report.answers import Answers

    classroom = Classroom(home.resolve())
    chosen, _ = counted_exercise(classroom, exercise)
    request = _the_request(classroom, student, chosen.id)
    verdict = verdict_on(classroom, chosen, student)
    typer.echo(f"{student} on {chosen.id}, {request.state}: {request.text}")
    typer.echo(f"\nThe answer:\n{Answers(classroom).code(student, chosen.id) or '(no definition to show)'}")
    typer.echo(f"\nThe verdict:\n{as_text(verdict)}")
    if request.answer:
        typer.echo(f"\nThe answer to the request, by {request.by}: {request.answer}")
    if not run:
        return
    from ..quality.try_file import CannotTry, try_file
    from .platform_needed import needs_linux

    needs_linux()
    file = Attempts(classroom, load_course(classroom.home)).present(student, request.topic).path
    try:
        typer.echo(
            f"\nThe same file now, on the same hidden cases:\n{as_text(try_file(chosen.id, file, verdict.seed, context.obj))}"
        )
    except CannotTry as error:
        typer.echo(f"\nThe file cannot be tried now: {error}")


@requests.command()
def accept(
    student: Student,
    exercise: Exercise,
    answer: Answer = "",
    points: Annotated[float | None, typer.Option(min=0, help="The points that the answer earns; all unless said.")] = None,
    by: By = "",
    home: Home = Path(),
    db: Db = "",
) -> None:
    """Accept a request: the answer earns its points, as with `grader accept`, and the student reads why."""
    from ..classroom.class_folder import Classroom
    from ..marking.decide import accept as decide

    classroom = Classroom(home.resolve(), gradebook_at(db))
    chosen, worth = counted_exercise(classroom, exercise)
    request, words = _the_request(classroom, student, chosen.id), _words(answer)
    if points is not None and not 0 < points <= worth:
        raise UserError(f"{chosen.id} is worth {worth:g} points in this class: --points is above 0 and at most that.")
    say_decided(decide(classroom, chosen, student, words, author(by), 1.0 if points is None else points / worth))
    _keep(classroom, request, "accepted", words, author(by))


@requests.command()
def refuse(student: Student, exercise: Exercise, answer: Answer = "", by: By = "", home: Home = Path()) -> None:
    """Refuse a request: the points stay, and the student reads why."""
    from ..classroom.class_folder import Classroom

    classroom = Classroom(home.resolve())
    chosen, _ = counted_exercise(classroom, exercise)
    request = _the_request(classroom, student, chosen.id)
    _keep(classroom, request, "refused", _words(answer), author(by))


def _the_request(classroom: Classroom, student: str, exercise: str) -> Request:
    """Return the newest open request of a student on an exercise, else the newest answered one."""
    from embedding_course.subject.lessons import lesson

    from ..classroom.requests import requests_of

    topic = lesson(exercise[:2]).topic
    mine = [request for request in requests_of(classroom, [topic]) if request.student == student]
    about = [request for request in mine if request.exercise in (exercise, "")]
    if not about:
        others = ", ".join(request.exercise for request in mine)
        raise UserError(f"{student} has no request on {exercise}" + (f"; there are some on {others}." if others else "."))
    return next((request for request in reversed(about) if request.state == "open"), about[-1])


def _words(answer: str) -> str:
    from ..submission.plain_file import one_line

    if not answer.strip():
        raise UserError('A request is answered in words that the student reads: --answer "you are right".')
    return one_line(answer.strip(), 400)


def _keep(classroom: Classroom, request: Request, state: State, answer: str, by: str) -> None:
    from ..classroom.only_writer import only_writer
    from ..classroom.requests import answer_request

    with only_writer(classroom.home):
        answer_request(classroom.home, request, state, answer, by)
    typer.echo(f"The request of {request.student} on {request.exercise or request.topic} is {state}.")
    typer.echo(f"Next: grader feedback {request.topic[:2]}")
