"""`grader collect`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..classroom.name_list import first_names
from ..errors import UserError
from .options import Db, Home, gradebook_at, topic_named

if TYPE_CHECKING:
    from ..classroom.class_folder import Classroom
    from ..classroom.collect.handed_in_file import Item
    from ..classroom.collect.plan import Plan, Wish
    from ..classroom.policy.course import Course
    from ..classroom.roster import Roster

_WORDS = {
    "new": "✔ collected",
    "replaces": "✔ collected",
    "unchanged": "= there already",
    "aside": "○ put aside",
    "beside": "· not needed",
    "left": "✘ not collected",
}
_SHOWN = 120
_NAMED = 6


def collect(
    source: Annotated[
        Path | None,
        typer.Argument(help="A zip file, tar archive or folder, as Moodle, Canvas or GitHub Classroom give it."),
    ] = None,
    home: Home = Path(),
    notebook: Annotated[str, typer.Option(help="Which notebook files are that do not say it, as 03.")] = "",
    roster: Annotated[Path | None, typer.Option(help="A CSV file that lists the students; course.toml may name it.")] = None,
    times: Annotated[Path | None, typer.Option(help="A CSV file with times of submission (Moodle's worksheet).")] = None,
    file_times: Annotated[bool, typer.Option("--file-times", help="Believe the files' own times.")] = False,
    layout: Annotated[
        str,
        typer.Option(
            help="moodle, canvas, blackboard, brightspace, sakai, gradescope, ilias, google, github, nbgrader or plain."
        ),
    ] = "",
    encoding: Annotated[str, typer.Option(help="Of file names in an old archive, such as gb18030.")] = "",
    exchange: Annotated[bool, typer.Option("--exchange", help="From nbgrader's exchange, without a SOURCE.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would happen.")] = False,
    db: Db = "",
) -> None:
    """Put submissions into submitted/{student}/{notebook}/, and say what became of every file, and from whom nothing came.

    Nothing is lost: what is replaced goes to earlier/. Exit 0 when everything was taken, 3 when something was not, 2 when
    nothing could be read.
    """
    from ..classroom.class_folder import Classroom
    from ..classroom.collect.archive import BadArchive, look_into
    from ..classroom.collect.plan import make_plan
    from ..classroom.collect.store_files import carry_out
    from ..classroom.policy.course import load_course, people_of

    classroom = Classroom(home.resolve(), gradebook_at(db))
    course = load_course(classroom.home)
    people = people_of(course, roster)
    rosters = (roster,) if roster else course.rosters
    wish = _wish(course, notebook, layout, times, file_times, people, rosters)
    if exchange == (source is not None):
        raise UserError("Give a zip file, a tar archive or a folder, or say --exchange: one of them.")
    if exchange and (layout or file_times or encoding or notebook):
        raise UserError(
            "--exchange goes without --layout, --file-times, --encoding and --notebook: nbgrader's names say it all."
        )
    try:
        if source is None:
            plan = _from_exchange(classroom, course, people, wish, dry_run)
        else:
            with look_into(source, encoding) as contents:
                plan = make_plan(contents, classroom, course, people, wish)
                if not dry_run:
                    carry_out(plan, classroom)
    except BadArchive as error:
        raise UserError(str(error)) from None
    except OSError as error:
        raise UserError(
            f"A submission cannot be written ({error}); what was collected before it stays, run it again."
        ) from None
    if not plan.items:
        raise UserError(f"There is no file in {source}." if source else "Nothing of this class is in nbgrader's exchange yet.")
    _show(plan, dry_run)
    if people.people and not dry_run and classroom.home.is_dir():
        _enter(people, classroom)
    raise typer.Exit(3 if any(item.action == "left" for item in plan.items) else 0)


def _from_exchange(classroom: Classroom, course: Course, people: Roster, wish: Wish, dry_run: bool) -> Plan:
    from ..classroom.exchange.collect import collect_exchange
    from ..classroom.exchange.settings import read_settings

    return collect_exchange(read_settings(classroom.home), classroom, course, people, wish, dry_run=dry_run)[0]


def _wish(
    course: Course, notebook: str, layout: str, times: Path | None, file_times: bool, people: Roster, rosters: Sequence[Path]
) -> Wish:
    from ..classroom.collect.handin_times import read_times
    from ..classroom.collect.layouts import LAYOUTS
    from ..classroom.collect.people import read_tables
    from ..classroom.collect.plan import Wish

    if layout and layout not in LAYOUTS:
        raise UserError(f"There is no layout {layout!r}; there are {', '.join(LAYOUTS)}.")
    topic = topic_named(course, notebook)
    tables = read_tables([*rosters, *([times] if times else [])], people)
    return Wish(layout, topic, read_times(times, course.zone) if times else {}, file_times, tables)


def _enter(people: Roster, classroom: Classroom) -> None:
    """Enter the class's people into its gradebook. What was collected stays collected, whatever becomes of that."""
    from ..classroom.gradebook.book import Book, BookClosed, Refused

    try:
        with Book(classroom.db_url) as book:
            book.enter_people(people)
    except (BookClosed, Refused) as error:
        typer.echo(f"The roster is not in the gradebook yet ({error}); grader grade enters it.", err=True)


def _show(plan: Plan, dry_run: bool) -> None:
    from rich.markup import escape
    from rich.table import Table

    from ..submission.plain_file import one_line
    from .terminal import Console

    def short(text: str) -> str:
        return escape(one_line(text, _SHOWN))

    table = Table("student", "notebook", "handed in (UTC)", "file", "what happens" if dry_run else "what happened")
    for item in plan.items:
        if item.action != "beside":
            message = "; ".join(filter(None, (item.why, _where(item))))
            when = f"{item.timestamp:%Y-%m-%d %H:%M}" if item.timestamp else ""
            what = _WORDS[item.action] + (f": {one_line(message, 400)}" if message else "")
            table.add_row(short(item.student), item.topic, when, short(str(item.file.path)), escape(what))
    for student, files in _beside(plan).items():
        table.add_row(short(student), "", "", first_names([short(file) for file in files], _NAMED), _WORDS["beside"])
    for student in plan.silent:
        table.add_row(short(student), "", "", "", "– nothing came")
    Console().print(table)
    counts = {word: sum(item.action == word for item in plan.items) for word in _WORDS}
    taken = counts["new"] + counts["replaces"]
    named = {"plain": "by file names", "github": "GitHub Classroom's layout", "exchange": "from nbgrader's exchange"}
    layout = named.get(plan.layout, f"{plan.layout}'s layout")
    typer.echo(
        f"{'Would collect' if dry_run else 'Collected'} {taken} ({layout}); {counts['unchanged']} were there already, "
        f"{counts['aside']} put aside, {counts['left']} not collected."
    )
    if plan.silent:
        names = first_names([one_line(name, 40) for name in plan.silent], _NAMED)
        typer.echo(f"Nothing came from {len(plan.silent)} of the roster: {names}.")
    if plan.passed:
        passed = ", ".join(one_line(name, 40) for name in sorted(plan.passed)[:_NAMED])
        typer.echo(f"{plan.passed.total()} files of operating systems and tools were passed over ({passed}).")
    late = sum(item.taken and item.claim.late and item.timestamp is None for item in plan.items)
    if late:
        typer.echo(
            f"{late} {'submission is' if late == 1 else 'submissions are'} late, says Canvas (LATE_ in the name), but not how "
            "late, so nobody loses points for it: collect again with --times and a CSV file of student_id and timestamp."
        )
    if plan.progress:
        typer.echo(f"{len(plan.progress)} came with a progress file: the report shows how many tries the exercises took.")
    if plan.requests:
        typer.echo(f"{len(plan.requests)} came with a regrade request: grader requests list shows them.")
    if taken and not dry_run:
        typer.echo("Next: grader grade.")


def _where(item: Item) -> str:
    """Return where a file lies that was not put into submitted/, or that was moved from there."""
    return "" if not item.kept else f"kept in {item.kept}" if item.action == "aside" else f"the earlier one is in {item.kept}"


def _beside(plan: Plan) -> dict[str, list[str]]:
    """Return the files that lie beside work which was taken, by its student."""
    files_by_student: dict[str, list[str]] = {}
    for item in plan.items:
        if item.action == "beside":
            files_by_student.setdefault(item.student, []).append(str(item.file.path))
    return files_by_student
