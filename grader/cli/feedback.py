"""`grader feedback`."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UserError
from .options import Db, Home, Section, gradebook_at

if TYPE_CHECKING:
    from ..classroom.class_folder import Classroom
    from ..classroom.policy.course import Course


class Packing(StrEnum):
    """How pages are packed for handing back."""

    moodle = "moodle"
    canvas = "canvas"
    plain = "plain"


def feedback(
    notebooks: Annotated[list[str] | None, typer.Argument(help="By number or topic; all by default.")] = None,
    home: Home = Path(),
    student: Annotated[list[str] | None, typer.Option(help="Only this student; may be said several times.")] = None,
    section: Section = "",
    pack: Annotated[Packing | None, typer.Option("--zip", help="Also pack the pages of one notebook for handing back.")] = None,
    to_exchange: Annotated[
        bool, typer.Option("--to-exchange", help="Also put the pages where students' nbgrader fetch_feedback finds them.")
    ] = False,
    term: Annotated[
        bool, typer.Option("--term", help="Also write each student's grade of the term: feedback/{student}/term.html.")
    ] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="How many at a time; as many as cores by default.")] = None,
    db: Db = "",
) -> None:
    """Write a page for each graded submission: feedback/{student}/{notebook}/{notebook}.html. Exit 2 when there is none."""
    from ..classroom.class_folder import Classroom
    from ..classroom.policy.course import load_course
    from ..classroom.sections import students_in
    from .options import chosen_of

    course = load_course(home.resolve())
    chosen = chosen_of(course, notebooks)
    classroom = Classroom(home.resolve(), gradebook_at(db))
    if pack and len(chosen) > 1:
        raise UserError("--zip packs one notebook at a time: say which, for example grader feedback 03 --zip moodle.")
    students = tuple(sorted(students_in(course, section, tuple(student or ())) or ()))
    # First, since the pages of the notebooks lead to them.
    terms = _terms(classroom, course, students) if term else []
    pages = write_with_a_bar(classroom, course, chosen, students, workers)
    if not pages:
        whose = f" of the section {section}" if section else ""
        raise UserError(f"Nothing of {' or '.join(chosen)}{whose} is graded in {classroom.home}: grader grade comes first.")
    noun = "page" if len(pages) == 1 else "pages"
    typer.echo(f"{len(pages)} {noun} in {classroom.home / 'feedback'}; the first: {pages[0]}")
    if to_exchange:
        _to_exchange(classroom, pages)
    if pack:
        for packing in filter(None, (pages, terms)):
            _pack(classroom, chosen[0], pack, packing)


def _pack(classroom: Classroom, topic: str, pack: Packing, pages: Sequence[Path]) -> None:
    from ..feedback.packed import pack_pages

    packed = pack_pages(classroom, topic, pack.value, pages)
    typer.echo(f"{packed.path}: {packed.count} of {len(pages)} pages.")
    for reason in packed.left:
        typer.echo(f"  left out: {reason}")


def _terms(classroom: Classroom, course: Course, students: Sequence[str]) -> list[Path]:
    """Write the pages with the grade of the term and return their paths. Exit 2 when nobody has such a grade."""
    from ..classroom.policy.course import people_of

    if course.term is None:
        raise UserError(
            "course.toml has no [term], so there is no grade of the term; [term] alone gives each notebook weight 1."
        )
    if not classroom.db and not (classroom.home / "gradebook.db").exists():
        raise UserError(f"There is no gradebook in {classroom.home}: run grader grade first.")
    from ..feedback.term_page import write_term_pages

    pages = write_term_pages(classroom, course, people_of(course), students)
    if not pages:
        raise UserError("Nobody of those named has a grade of the term: the roster and the gradebook do not know them.")
    typer.echo(f"{len(pages)} grade{'s' * (len(pages) != 1)} of the term; the first: {pages[0]}")
    return pages


def _to_exchange(classroom: Classroom, pages: Sequence[Path]) -> None:
    """Release what can be fetched and name the rest. Exit 2 when nothing could be released."""
    from ..classroom.exchange.settings import read_settings
    from ..feedback.to_exchange import release_pages

    released = release_pages(read_settings(classroom.home), classroom, pages)
    typer.echo(f"Released {released.count} of {len(pages)} pages: students get theirs by nbgrader fetch_feedback.")
    for reason in released.left:
        typer.echo(f"  left out: {reason}")
    if not released.count:
        raise typer.Exit(2)


def write_with_a_bar(
    classroom: Classroom, course: Course, chosen: Sequence[str], students: Sequence[str] = (), workers: int | None = None
) -> list[Path]:
    """Write the feedback pages with a progress bar, and return their paths in order.

    Parameters
    ----------
    classroom : Classroom
    course : Course
    chosen : sequence of str
        Names of the notebooks.
    students : sequence of str, optional
        Ids of the students; all if empty.
    workers : int, optional
        Number of processes; by default one for each processor.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from ..feedback.write_pages import count_pages, write_pages

    count = count_pages(classroom, chosen, students)
    with Progress(TextColumn("feedback"), BarColumn(), MofNCompleteColumn(), disable=not count) as bar:
        task = bar.add_task("feedback", total=count)
        pages = []
        for page in write_pages(classroom, course, chosen, students, workers):
            pages.append(page)
            bar.advance(task)
    return pages
