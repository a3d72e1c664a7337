"""Options and arguments that several commands share: the course, the gradebook, the seed, the notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from embedding_course.checking.seed import SEED_BITS
from embedding_course.subject.course import VARIABLE, course, read_course
from embedding_course.subject.errors import CourseError

from ..errors import UserError

if TYPE_CHECKING:
    from ..classroom.policy.course import Course


def chosen_of(course: Course, notebooks: list[str] | None) -> list[str]:
    """Return the notebooks of the class that are meant, by number or topic; all if none is named.

    Raises
    ------
    UserError
        If the class has no such notebook.
    """
    from embedding_course.subject.lessons import lesson

    counted, chosen = list(course.topics), []
    for name in notebooks or counted:
        try:
            chosen.append(lesson(name.zfill(2)).topic)
        except KeyError:
            raise UserError(f"There is no notebook {name!r}; there are {', '.join(counted)}.") from None
        if chosen[-1] not in counted:
            raise UserError(f"{chosen[-1]} is not a notebook of this class; its course.toml has {', '.join(counted)}.")
    return chosen


def topic_named(course: Course, notebook: str) -> str:
    """Return the notebook of the class that is called so, by number or topic; "" if none is named.

    Raises
    ------
    UserError
        If the class has no such notebook.
    """
    topic = next((name for name in course.topics if notebook and notebook.zfill(2) in (name, name[:2])), "")
    if notebook and not topic:
        raise UserError(f"There is no notebook {notebook!r} in this class; there are {', '.join(course.topics)}.")
    return topic


def check_class(home: Path | None) -> None:
    """Raise UserError if a class is named whose folder does not exist."""
    if home is not None and not home.is_dir():
        raise UserError(f"There is no folder {home}: grader class new {home} makes a class.")


def chosen_lessons(names: list[str] | None) -> list[str]:
    """Return the notebooks of the course that are meant, by number or topic, in order; all if none is named.

    Raises
    ------
    UserError
        If the course has no such notebook.
    """
    from embedding_course.subject.lessons import lesson, topics

    chosen = set()
    for name in names or topics():
        try:
            chosen.add(lesson(name.zfill(2)).topic)
        except KeyError:
            raise UserError(f"There is no notebook {name!r}; there are {', '.join(topics())}.") from None
    return sorted(chosen)


Db = Annotated[
    str,
    typer.Option(help="The gradebook, as postgresql://... without a password, or env:NAME; gradebook.db by default."),
]

Home = Annotated[Path, typer.Option("--class", help="The folder of the class.")]

Section = Annotated[str, typer.Option(help="Only students of this section, as the roster names it.")]


def gradebook_at(database_option: str) -> str:
    """Return the address given by `--db`, or raise BadAddress if it is none."""
    from ..classroom.gradebook.address import address_of

    return address_of(database_option)


def _read(text: str) -> int:
    """Read a seed as it is printed or stored: a whole number, or hexadecimal with 0x in front."""
    from embedding_course.checking.expected import PUBLIC_SEED

    try:
        seed = int(text, 0)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no whole number; a seed is one as 7, or as 0x1f.") from None
    if not 0 <= seed < 2**SEED_BITS:
        raise typer.BadParameter(f"A seed is between 0 and 2 to the power of {SEED_BITS}; {text} is not.")
    if seed == PUBLIC_SEED:
        raise typer.BadParameter(f"{seed} is the seed of the public cases, whose inputs every learner has: choose another one.")
    return seed


Seed = Annotated[
    int | None,
    typer.Option(
        parser=_read, metavar="NUMBER", help="The seed of the hidden cases, to repeat an earlier run; drawn by default."
    ),
]


#: Commands about things that the course on embeddings alone has: its ledger, its figures, its site, its project.
_OURS_ALONE = ("curves", "figures", "project", "site")


def course_option(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Option("--course", help=f"The folder of another course; or say it by the variable {VARIABLE}.", metavar="FOLDER"),
    ] = None,
) -> None:
    """Check that `--course` names the course that this process serves, and that the course has the command."""
    # `grader.__main__` has read the option already; here it is only compared with the course that this process serves.
    if folder is not None and read_course(folder).home != course().home:
        raise CourseError(f"This process serves the course “{course().subject.title}” already: --course comes first.")
    if context.invoked_subcommand in _OURS_ALONE and not course().ours:
        raise CourseError(f"grader {context.invoked_subcommand} serves the course on embeddings alone: leave --course out.")
