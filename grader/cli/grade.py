"""`grader grade`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["grade"]


def grade(
    notebooks: Annotated[list[str] | None, typer.Argument(help="By number or topic; all unless said.")] = None,
    home: Annotated[Path, typer.Option("--class", help="The folder that holds submitted/.")] = Path(),
    student: Annotated[str | None, typer.Option(help="Only this student.")] = None,
    seed: Annotated[int | None, typer.Option(help="Repeat the hidden cases of an earlier run.")] = None,
    workers: Annotated[int | None, typer.Option(help="How many at a time; as many as cores unless said.")] = None,
) -> None:
    """Grade submitted/{student}/{notebook}/ into the gradebook. Exit 2 when there is nothing to grade."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from embedding_course.lessons import lesson
    from embedding_course.result import number

    from ..build.course import topics
    from ..classroom import Classroom
    from ..grade import grade_class

    chosen = []
    for name in notebooks or topics():
        try:
            chosen.append(lesson(name).topic)
        except KeyError:
            typer.echo(f"There is no notebook {name!r}; there are {', '.join(topics())}.", err=True)
            raise typer.Exit(2) from None
    room = Classroom(home.resolve())
    waiting = len(list(room.submissions(chosen, student)))
    if not waiting:
        typer.echo(
            f"Nothing to grade: {room.submitted} holds no {' or '.join(chosen)}. "
            "Submissions belong in submitted/{student}/{notebook}/{notebook}.ipynb.",
            err=True,
        )
        raise typer.Exit(2)
    unreadable = []
    columns = (TextColumn("grading"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns) as bar:
        task = bar.add_task("grading", total=waiting)
        for graded in grade_class(room, chosen, student=student, seed=seed, workers=workers):
            bar.advance(task)
            record = graded.record
            if record.status == "unreadable":
                unreadable.append(record)
            else:
                extra = f" and {number(record.extra)} extra" if record.extra else ""
                points = f"{number(record.score):>5} of {number(record.max_score)}{extra}"
                bar.console.print(f"{record.student:<16} {record.topic:<24} {points}", highlight=False)
    for record in unreadable:
        typer.echo(f"unreadable: {record.student} {record.topic}: {record.reason}")
    typer.echo(f"{waiting - len(unreadable)} graded, {len(unreadable)} unreadable.")
    typer.echo("Next: grader report, or nbgrader generate_feedback.")
