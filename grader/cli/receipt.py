"""`grader receipt`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UserError
from .platform_needed import needs_linux
from .terminal import shown

if TYPE_CHECKING:
    from embedding_course.learner.receipt import Receipt

    from ..classroom.policy.teams import Team


def receipt(
    files: Annotated[list[Path], typer.Argument(help="Notebooks that submit() wrote, or folders of them.")],
    code: Annotated[str, typer.Option(help="The receipt's code that you were sent: is it this file's?")] = "",
    again: Annotated[bool, typer.Option("--again", help="Run the public checks again and compare the scores.")] = False,
) -> None:
    """Hold receipts against the files they stand in. Exit 0 all fit, 1 some do not, 2 nothing to look at.

    A receipt that fits speaks of just this file. It is not signed: anybody can write one by hand or copy one with its file, so
    it shows neither who wrote either of them nor when, nor that a check ever gave the points it claims, nor that the file was
    handed in. A code that reached you before the deadline does show that this very file was there by then.
    """
    chosen = [path for given in files for path in (sorted(given.rglob("*.ipynb")) if given.is_dir() else [given])]
    if not chosen:
        raise UserError(f"There is no notebook in {', '.join(map(shown, files))}.")
    if code and len(chosen) > 1:
        raise UserError(f"A code belongs to one file, and these are {len(chosen)}: name the one that it came with.")
    checked_files = [_checked(path, code, again) for path in chosen]
    _tell_copies(checked_files)
    fitting = sum(checked_file.fits for checked_file in checked_files)
    if len(checked_files) > 1:
        typer.echo(f"{fitting} of {len(checked_files)} receipts fit their files.")
    if fitting:
        typer.echo("That a receipt fits does not say who wrote it, or when: nothing in it is signed.")
    raise typer.Exit(0 if fitting == len(checked_files) else 1)


@dataclass(frozen=True)
class _CheckedFile:
    """A file, whether its receipt fits, and the receipt's code; empty where there is none."""

    path: Path
    fits: bool
    code: str = ""

    @property
    def student(self) -> str:
        """Return the student of submitted/{student}/{notebook}/{notebook}.ipynb, or for any other path the path itself."""
        folder = self.path.resolve().parent
        if folder.name != self.path.stem:
            return str(self.path)
        team = _team_of(folder, folder.parent.name)
        return f"{team.name} ({', '.join(team.members)})" if team else folder.parent.name


def _team_of(folder: Path, student: str) -> Team | None:
    """Return the team that handed in the submission of this folder: equal files of its members are no copies."""
    from ..classroom.attempts import Attempts
    from ..classroom.class_folder import Classroom, Submission
    from ..classroom.policy.course import load_course
    from ..classroom.policy.toml_file import WrongCourse

    home = folder.parent.parent.parent
    if folder.parent.parent.name != "submitted":
        return None
    try:
        return Attempts(Classroom(home), load_course(home)).team(Submission(student, folder.name, folder))
    except WrongCourse:
        return None


def _tell_copies(checked_files: list[_CheckedFile]) -> None:
    by_code: dict[str, list[_CheckedFile]] = {}
    for checked_file in checked_files:
        if checked_file.code:
            by_code.setdefault(checked_file.code, []).append(checked_file)
    for code, same in by_code.items():
        if len({checked_file.student for checked_file in same}) > 1:
            who = ", ".join(sorted({shown(checked_file.student) for checked_file in same}))
            typer.echo(f"! {code} stands in files of {who}: a copy, or equal files that were written in the same second.")


def _checked(path: Path, code: str, again: bool) -> _CheckedFile:
    """Print what one file's receipt says."""
    from embedding_course.checking.result import number
    from embedding_course.learner.notebook_tree import read_tree
    from embedding_course.learner.receipt import code_of, verify
    from embedding_course.subject.errors import CourseError

    from ..submission.plain_file import one_line

    try:
        verification = verify(read_tree(path))
    except CourseError as error:
        typer.echo(f"✘ {shown(path)}: {shown(error)}")
        return _CheckedFile(path, False)
    if verification.receipt is None:
        gone = "there is no receipt in it: submit() did not write it, or it was taken out since, as some editors do"
        typer.echo(f"✘ {shown(path)}: {gone}.")
        return _CheckedFile(path, False)
    mine = verification.receipt
    facts = (
        f"{one_line(mine.topic, 60)}, {one_line(mine.time, 40)} by the learner's clock, {number(mine.score)} of "
        f"{number(mine.max_score)} points in public cases and {number(mine.extra)} extra, code {code_of(mine)}"
    )
    if not verification.whole:
        what = "in outputs, labels or layout, but in no cell's text" if verification.answers else "in the text of cells"
        typer.echo(f"✘ {shown(path)}: its receipt speaks of another file, which differs {what}. It claims: {facts}.")
        return _CheckedFile(path, False, code_of(mine))
    if code and code.strip().lower().replace("-", "") != code_of(mine).replace("-", ""):
        typer.echo(f"✘ {shown(path)}: that is not the code of its receipt. This one claims: {facts}.")
        return _CheckedFile(path, False, code_of(mine))
    typer.echo(f"✔ {shown(path)}: its receipt speaks of just this file. It claims: {facts}.")
    return _CheckedFile(path, _same_again(path, mine) if again else True, code_of(mine))


def _same_again(path: Path, mine: Receipt) -> bool:
    needs_linux()
    from embedding_course.checking.result import number
    from embedding_course.learner.doctor.saved import read
    from embedding_course.subject.errors import CourseError

    from ..engine.fork_server import Learners, NoSandbox
    from ..marking.rehearsal import examine_as_graded

    try:
        saved = read(path)
        with Learners(topics=[saved.lesson.topic]) as learners:
            report = examine_as_graded(learners, saved)
    except CourseError as error:
        typer.echo(f"✘ {shown(error)}")
        return False
    except NoSandbox as error:
        raise UserError(f"  {error}.") from None
    now = {result.exercise: result.score for result in report.results}
    differing = [name for name in now if now[name] != mine.exercises.get(name)]
    if not differing:
        typer.echo(f"  The public checks give the same scores again: {number(report.score)} of {number(report.max_score)}.")
        return True
    text = ", ".join(f"{name} {number(mine.exercises.get(name, 0.0))} claimed, {number(now[name])} now" for name in differing)
    typer.echo(f"✘ The public checks give other scores: {text}.")
    return False
