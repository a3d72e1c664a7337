"""`grader package`: an autograder for Gradescope, a repository for GitHub."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UserError
from .options import Seed, check_class

if TYPE_CHECKING:
    from ..classroom.policy.course import Course

_HELP = "Write what a service grades a notebook with: an autograder for Gradescope, a repository for GitHub."
package = typer.Typer(help=_HELP, no_args_is_help=True, add_completion=False)

Notebook = Annotated[str, typer.Argument(help="By number or topic, for example 03.")]
Home = Annotated[Path | None, typer.Option("--class", help="A class: the points of its course.toml.")]
TorchIndex = Annotated[str, typer.Option(help="The address of an index that has a CPU build of torch; smaller by far.")]


@package.callback()
def group() -> None:
    """Write what a service grades a notebook with: an autograder for Gradescope, a repository for GitHub."""


@package.command()
def gradescope(
    notebook: Notebook,
    out: Annotated[Path | None, typer.Option(help="The zip to write; in build/package by default.")] = None,
    home: Home = None,
    seed: Seed = None,
    wheels: Annotated[
        Path | None, typer.Option(help="A folder with the wheels of everything that is needed: then no network is used.")
    ] = None,
    torch_index: TorchIndex = "",
    visibility: Annotated[
        str, typer.Option(help="When students see the results: visible, after_due_date, after_published, hidden.")
    ] = "visible",
    trust_submissions: Annotated[bool, typer.Option("--trust-submissions", help="Grade even without a sandbox.")] = False,
) -> None:
    """Write the zip that Gradescope grades a notebook with. It holds answers: it is for Gradescope, not for learners."""
    from ..marking.hidden_check import fresh_seed
    from ..package.gradescope.zip_file import autograder_zip
    from ..package.settings import VISIBILITIES, Settings, Visibility
    from ..paths import BUILD

    course, topic = _course_and_topic(home, notebook)
    shown: Visibility | None = next((candidate for candidate in VISIBILITIES if candidate == visibility), None)
    if shown is None:
        raise UserError(f"--visibility: there is no {visibility!r}; there are {', '.join(VISIBILITIES)}.")
    _look_at_index(torch_index)
    settings = Settings(
        topic=topic,
        seed=fresh_seed() if seed is None else seed,
        terms=course.terms_of(topic),
        trusted=trust_submissions,
        visibility=shown,
    )
    target = out or BUILD / "package" / f"gradescope_{topic}.zip"
    try:
        written = autograder_zip(target, settings, wheels, torch_index)
    except subprocess.CalledProcessError:
        raise UserError("The wheel could not be built: pip's own words stand above.") from None
    most = sum(_core_points(course, topic))
    typer.echo(
        f"zip    {written}\nseed   {settings.seed}: grader grade {topic[:2]} --seed {settings.seed} gives the same marks"
    )
    typer.echo(f"It holds answers: keep it from learners. In Gradescope, say {most:g} autograder points.")


@package.command()
def github(
    notebook: Notebook,
    into: Annotated[Path, typer.Option(help="An empty or a new folder for the template that students get.")],
    marks_into: Annotated[
        Path | None, typer.Option(help="Another one for a private repository of yours, which grades with hidden cases.")
    ] = None,
    students: Annotated[
        str,
        typer.Option(help="For that one: whose repositories, by organisation and beginning: our-class/max-norm."),
    ] = "",
    home: Home = None,
    seed: Seed = None,
    torch_index: TorchIndex = "",
) -> None:
    """Write the template repository of an assignment on GitHub: notebook, wheel, and a workflow with the public checks.

    A student can change the workflow, so marks come from elsewhere: from grader collect and grader grade, by hand or by
    --marks-into.
    """
    from ..marking.hidden_check import fresh_seed
    from ..package.github.marks_repository import marks_repository
    from ..package.github.template import student_template
    from ..package.settings import Settings

    course, topic = _course_and_topic(home, notebook)
    _look_at_index(torch_index)
    if bool(students) != (marks_into is not None):
        raise UserError("--marks-into and --students go together: where to write, and whose repositories are graded.")
    if marks_into and _one_in_the_other(into, marks_into):
        raise UserError(
            "--marks-into lies in the folder of the template, or around it: students would get the answers. Name another."
        )
    settings = Settings(topic=topic, seed=fresh_seed() if seed is None else seed, terms=course.terms_of(topic))
    try:
        if marks_into:  # first, so that a wrong name leaves nothing behind
            marks_repository(marks_into, students, settings, home, course, torch_index)
        student_template(into, topic, course if home else None, torch_index)
    except subprocess.CalledProcessError:
        raise UserError("The wheel could not be built: pip's own words stand above.") from None
    typer.echo(f"template  {into}\nIts points are those of the public cases. For marks: grader collect, then grader grade.")
    if marks_into:
        typer.echo(f"marks     {marks_into}\nIt holds answers: keep it private. Its README.md says which secret it needs.")


def _one_in_the_other(path: Path, other: Path) -> bool:
    path, other = path.resolve(), other.resolve()
    return path.is_relative_to(other) or other.is_relative_to(path)


def _look_at_index(address: str) -> None:
    """Check the address of an index, since it becomes part of a shell script."""
    if address and not re.fullmatch(r"(https?|file)://[\w.:/~%@+-]+", address):
        raise UserError(f"--torch-index: {address!r} is no address of an index, such as https://example.org/cpu.")


def _core_points(course: Course, topic: str) -> list[float]:
    from embedding_course.exercises.index import entries_of

    terms = course.terms_of(topic)
    counted = [exercise for exercise in entries_of(topic) if exercise.id not in terms.dropped]
    return [
        terms.points.get(counted_exercise.id, counted_exercise.points)
        for counted_exercise in counted
        if terms.core.get(counted_exercise.id, counted_exercise.core)
    ]


def _course_and_topic(home: Path | None, notebook: str) -> tuple[Course, str]:
    from ..classroom.policy.course import load_course
    from .options import chosen_of

    check_class(home)
    if home is None:
        from embedding_course.subject.lessons import topics

        from ..classroom.policy.course import Course

        course = Course(tuple(topics()))
    else:
        course = load_course(home.resolve())
    (topic,) = chosen_of(course, [notebook])
    return course, topic
