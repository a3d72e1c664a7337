"""`grader receipt`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from embedding_course.inspection.saved import Saved
    from embedding_course.receipt import Receipt

__all__ = ["receipt"]


def receipt(
    files: Annotated[list[Path], typer.Argument(help="Files that were handed in, or folders of them.")],
    code: Annotated[str, typer.Option(help="The receipt's code that you were sent: is it this file's?")] = "",
    again: Annotated[bool, typer.Option("--again", help="Run the public checks again and compare the scores.")] = False,
) -> None:
    """Hold receipts against the files they stand in. Exit 0 all hold, 1 some do not, 2 nothing to look at.

    A receipt shows that a file is whole and as it was written. It is not signed: it does not show who wrote it, and its
    time is that of the learner's clock. A code that reached you before the deadline does show that this very file
    was there by then.
    """
    chosen = [path for given in files for path in (sorted(given.rglob("*.ipynb")) if given.is_dir() else [given])]
    if not chosen:
        typer.echo(f"There is no notebook in {', '.join(map(str, files))}.", err=True)
        raise typer.Exit(2)
    if code and len(chosen) > 1:
        typer.echo(f"A code belongs to one file, and these are {len(chosen)}: name the one that it came with.", err=True)
        raise typer.Exit(2)
    held = [_told(path, code, again) for path in chosen]
    if len(held) > 1:
        typer.echo(f"{sum(held)} of {len(held)} receipts hold.")
    raise typer.Exit(0 if all(held) else 1)


def _told(path: Path, code: str, again: bool) -> bool:
    """Print what one file's receipt says; does it hold?"""
    from embedding_course.errors import CourseError
    from embedding_course.inspection.saved import read
    from embedding_course.receipt import code_of, verify
    from embedding_course.result import number

    try:
        saved = read(path)
    except CourseError as error:
        typer.echo(f"✘ {path}: {error}")
        return False
    found = verify(saved.tree)
    if found.receipt is None:
        typer.echo(f"✘ {path}: it holds no receipt; it was not written by submit(), or an editor dropped it.")
        return False
    mine = found.receipt
    facts = (
        f"{mine.topic}, {mine.time} by the learner's clock, {number(mine.score)} of {number(mine.max_score)} points in public "
        f"cases and {number(mine.extra)} extra, code {code_of(mine)}"
    )
    if not found.whole:
        what = "outputs, labels or layout, but no cell's text" if found.answers else "the text of cells"
        typer.echo(f"✘ {path}: changed since it was written: {what}. It claims: {facts}.")
        return False
    if code and code.strip().lower().replace("-", "") != code_of(mine).replace("-", ""):
        typer.echo(f"✘ {path}: another file's code. This one: {facts}.")
        return False
    typer.echo(f"✔ {path}: unchanged. {facts}.")
    return _same_again(saved, mine) if again else True


def _same_again(saved: Saved, mine: Receipt) -> bool:
    from embedding_course.result import number

    from ..doctor import examine_as_graded
    from ..engine.learners import Learners, NoSandbox

    try:
        with Learners(topics=[saved.lesson.topic]) as learners:
            report = examine_as_graded(learners, saved)
    except NoSandbox as error:
        typer.echo(f"  {error}.", err=True)
        raise typer.Exit(2) from None
    now = {result.exercise: result.score for result in report.results}
    differing = [name for name in now if now[name] != mine.exercises.get(name)]
    if not differing:
        typer.echo(f"  The public checks give the same scores again: {number(report.score)} of {number(report.max_score)}.")
        return True
    said = ", ".join(f"{name} {number(mine.exercises.get(name, 0.0))} claimed, {number(now[name])} now" for name in differing)
    typer.echo(f"✘ The public checks give other scores: {said}.")
    return False
