"""`grader package`: an autograder for Gradescope, a repository for GitHub Classroom."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from ..classroom.policy.course import Course

__all__ = ["package"]

_SAID = "Write what a service grades a notebook with: an autograder for Gradescope, a repository for GitHub Classroom."
package = typer.Typer(help=_SAID, no_args_is_help=True)

Notebook = Annotated[str, typer.Argument(help="By number or topic, for example 03.")]
Home = Annotated[Path | None, typer.Option("--class", help="A class: the points of its course.toml.")]
Seed = Annotated[int | None, typer.Option(help="Of the hidden cases; drawn unless said.")]
TorchIndex = Annotated[str, typer.Option(help="The address of an index that has a CPU build of torch; smaller by far.")]


@package.callback()
def group() -> None:
    """Write what a service grades a notebook with: an autograder for Gradescope, a repository for GitHub Classroom."""


@package.command()
def gradescope(
    notebook: Notebook,
    out: Annotated[Path | None, typer.Option(help="The zip to write; in build/package unless said.")] = None,
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
    from ..package.cannot_package import CannotPackage
    from ..package.gradescope.zip_file import autograder_zip
    from ..package.settings import VISIBILITIES, Settings
    from ..paths import BUILD

    course, topic = _course_and_topic(home, notebook)
    shown = next((one for one in VISIBILITIES if one == visibility), None)
    if shown is None:
        _stop(f"--visibility: there is no {visibility!r}; there are {', '.join(VISIBILITIES)}.")
    settings = Settings(
        topic=topic, seed=fresh_seed() if seed is None else seed, terms=course.terms_of(topic), trusted=trust_submissions,
        visibility=shown,
    )  # fmt: skip
    target = out or BUILD / "package" / f"gradescope_{topic}.zip"
    try:
        written = autograder_zip(target, settings, wheels, torch_index)
    except CannotPackage as error:
        _stop(str(error))
    except subprocess.CalledProcessError:
        _stop("The wheel could not be built: pip's own words stand above.")
    most = sum(_core_points(course, topic))
    typer.echo(
        f"zip    {written}\nseed   {settings.seed}: grader grade {topic[:2]} --seed {settings.seed} gives the same marks"
    )
    typer.echo(f"It holds answers: keep it from learners. In Gradescope, say {most:g} autograder points.")


def _core_points(course: Course, topic: str) -> list[float]:
    from embedding_course.exercises.index import entries_of

    terms = course.terms_of(topic)
    counted = [entry for entry in entries_of(topic) if entry.id not in terms.dropped]
    return [terms.points.get(entry.id, entry.points) for entry in counted if terms.core.get(entry.id, entry.core)]


def _course_and_topic(home: Path | None, notebook: str) -> tuple[Course, str]:
    from .course import chosen_of, course_of

    if home is not None and not home.is_dir():
        _stop(f"There is no folder {home}: grader class new {home} makes a class.")
    if home is None:
        from embedding_course.lessons import topics

        from ..classroom.policy.course import Course

        course = Course(tuple(topics()))
    else:
        course = course_of(home.resolve())
    (topic,) = chosen_of(course, [notebook])
    return course, topic


def _stop(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(2)
