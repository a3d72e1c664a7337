"""`grader requests`: what students ask to be graded again, and the answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UserError
from .accept import By, author, counted_exercise, say_decided, share_of_points
from .options import Db, Home, chosen_of, gradebook_at

if TYPE_CHECKING:
    from embedding_course.checking.result import Result
    from embedding_course.exercises.index import Entry

    from ..classroom.class_folder import Classroom
    from ..classroom.requests import Request, State
    from ..engine.fork_server import Learners

requests = typer.Typer(add_completion=False, help="List, look into and answer regrade requests.", no_args_is_help=True)

Student = Annotated[str, typer.Argument(help="Who asks.")]
Exercise = Annotated[str, typer.Argument(help="For example 03.renorm_rows.")]
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
        verdict_text = f"{verdict.status}, {verdict.score:g} of {verdict.max_score:g}" if verdict else "none"
        about = request.exercise or request.topic
        verdict_text = "no exercise is named" if not request.exercise else verdict_text
        verdict_text = f"there is no such exercise in {request.topic}" if request.is_strange else verdict_text
        answer = f"{request.answer} ({request.by})" if request.answer else ""
        table.add_row(*map(escape, (request.student, about, request.state, verdict_text, request.text, answer)))
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
    run: Annotated[bool, typer.Option("--try", help="Run the answer through the hidden check once more.")] = False,
) -> None:
    """Show a request with the code, the verdict and its case; with --try also what the hidden check says of the file now."""
    from embedding_course.checking.render import as_text

    from ..classroom.class_folder import Classroom
    from ..marking.decide import verdict_on
    from ..report.answers import Answers

    classroom = Classroom(home.resolve())
    request = _the_request(classroom, student, exercise)
    typer.echo(f"{student} on {request.exercise or request.topic}, {request.state}: {request.text}")
    if request.answer:
        typer.echo(f"\nThe answer to the request, by {request.by}: {request.answer}")
    if request.is_strange:
        typer.echo(f"\n{_strange(request)}")
        return
    if not request.exercise and len(exercise) <= len("03"):
        typer.echo(f"\nThe request names no exercise. Say which one: grader requests show {student} {exercise}.NAME")
        return
    chosen, _ = counted_exercise(classroom, exercise)
    verdict = verdict_on(classroom, chosen, student)
    typer.echo(f"\nThe answer:\n{Answers(classroom).code(student, chosen.id) or '(no definition to show)'}")
    typer.echo(f"\nThe verdict:\n{as_text(verdict)}")
    if run:
        typer.echo(_again(classroom, chosen, student, verdict, context.obj))
    else:
        typer.echo(f"\nTo run it once more: grader requests show {student} {exercise} --try")


def _again(classroom: Classroom, exercise: Entry, student: str, verdict: Result, shared: Learners | None) -> str:
    """Return what the hidden check says now of the file that counts, on the cases of its grading."""
    from embedding_course.checking.render import as_text

    from ..classroom import records
    from ..classroom.attempts import Attempts
    from ..classroom.policy.course import load_course
    from ..quality.try_file import CannotTry, try_file
    from .platform_needed import needs_linux

    needs_linux()
    came, topic = Attempts(classroom, load_course(classroom.home)), exercise.lesson.topic
    record = records.load(classroom.home, topic, student)
    file = (came.file_of(record) if record else None) or came.present(student, topic)
    try:
        result = try_file(exercise.id, file.path, verdict.seed, shared)
        return f"\nThe same file now, on the same hidden cases:\n{as_text(result)}"
    except CannotTry as error:
        return f"\nThe file cannot be tried now: {error}"


@requests.command()
def accept(
    student: Student,
    exercise: Exercise,
    answer: Answer = "",
    points: Annotated[float | None, typer.Option(min=0, help="The points that the answer earns; all by default.")] = None,
    like: Annotated[bool, typer.Option("--like", help="Accept all answers like this one, and the requests on them.")] = False,
    by: By = "",
    home: Home = Path(),
    db: Db = "",
) -> None:
    """Accept a request: the answer earns its points, as with `grader accept`, and the student reads why."""
    from ..classroom.class_folder import Classroom
    from ..marking.decide import accept_request

    classroom = Classroom(home.resolve(), gradebook_at(db))
    request = _the_request(classroom, student, exercise)
    if request.is_strange:
        raise UserError(_strange(request))
    words = _words(answer)
    chosen, worth = counted_exercise(classroom, exercise)
    share = share_of_points(points, chosen, worth)
    others = _requests_like(classroom, chosen, request) if like else None
    decided = accept_request(classroom, chosen, request, words, author(by), share, others)
    if decided is None:
        typer.echo(f"{student}'s {chosen.id} earns these points already, so only the request is answered.")
    else:
        say_decided(decided)
    for accepted in (request, *(others or ())):
        _say_answered(accepted, "accepted")
    if decided is None:
        _say_next(request)


@requests.command()
def refuse(student: Student, exercise: Exercise, answer: Answer = "", by: By = "", home: Home = Path()) -> None:
    """Refuse a request: the points stay, and the student reads why."""
    from ..classroom.class_folder import Classroom
    from ..classroom.only_writer import only_writer
    from ..classroom.requests import answer_request

    classroom = Classroom(home.resolve())
    request, words = _the_request(classroom, student, exercise), _words(answer)
    with only_writer(classroom.home):
        answer_request(classroom.home, request, "refused", words, author(by))
    _say_answered(request, "refused")
    _say_next(request)


def _requests_like(classroom: Classroom, exercise: Entry, request: Request) -> list[Request]:
    """Return the other open requests on this exercise whose answers are like this student's."""
    from ..classroom import records
    from ..classroom.requests import requests_of
    from ..marking.decide import is_like, verdict_on

    verdict = verdict_on(classroom, exercise, request.student)
    alike = {
        record.student
        for record in records.load_topic(classroom.home, request.topic)
        if any(other.exercise == exercise.id and is_like(verdict, other) for other in record.verdicts)
    }
    asked = (other for other in requests_of(classroom, [request.topic]) if other.exercise == exercise.id)
    return [other for other in asked if other.state == "open" and other != request and other.student in alike]


def _the_request(classroom: Classroom, student: str, exercise: str) -> Request:
    """Return the newest open request of a student on an exercise, else the newest answered one.

    A request that names no exercise is about each of its notebook.
    """
    from ..classroom.policy.course import load_course
    from ..classroom.requests import requests_of

    topics = list(load_course(classroom.home).topics)
    mine = [request for request in requests_of(classroom, topics) if request.student == student]
    about = [request for request in mine if request.exercise == exercise]
    about = about or [request for request in mine if not request.exercise and request.topic[:2] == exercise[:2]]
    if not about:
        counted_exercise(classroom, exercise)  # says so if there is no such exercise
        others = ", ".join(dict.fromkeys(request.exercise or request.topic for request in mine))
        raise UserError(f"{student} has no request on {exercise}" + (f"; there are some on {others}." if others else "."))
    return next((request for request in reversed(about) if request.state == "open"), about[-1])


def _strange(request: Request) -> str:
    return (
        f"There is no exercise {request.exercise} in {request.topic}, so there are no points to give: answer with grader "
        f"requests refuse {request.student} {request.exercise}, or accept the exercise that is meant with grader accept."
    )


def _words(answer: str) -> str:
    from ..submission.plain_file import one_line

    if not answer.strip():
        raise UserError('A request is answered in words that the student reads: --answer "you are right".')
    return one_line(answer.strip(), 400)


def _say_answered(request: Request, state: State) -> None:
    typer.echo(f"The request of {request.student} on {request.exercise or request.topic} is {state}.")


def _say_next(request: Request) -> None:
    typer.echo(f"Next: grader feedback {request.topic[:2]}")
