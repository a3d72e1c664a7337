"""`grader attack`, of which `grader.cli.attack` is the door: hand in the attacks, and say what came of each."""

import tempfile
from pathlib import Path
from typing import Annotated, Literal

import typer

from grader.cli.platform_needed import needs_linux

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def attack(
    stock: Annotated[bool, typer.Option("--stock", help="Also grade the attacks with plain nbgrader.")] = False,
    only: Annotated[list[str] | None, typer.Option(help="Only attacks with this in their name.")] = None,
    level: Annotated[Literal["full", "partial"], typer.Option(help="The strongest level of the sandbox to use.")] = "full",
    write: Annotated[bool, typer.Option("--write", help="Write the table to docs/attacks.md too.")] = False,
) -> None:
    """Let the red team try: wrong submissions that want marks, secrets or harm. Exit 1 when one succeeds."""
    needs_linux()
    if write and (only or level != "full"):
        raise typer.BadParameter("the page holds all attacks at level full: leave --only and --level out, or --write")
    from rich.table import Table

    from embedding_course.subject.course import course
    from grader.cli.terminal import Console

    from .attack import ATTACKS
    from .ours import grade_attacks, grade_honest
    from .stage import Stage
    from .stock import grade_with_stock
    from .table_page import PAGE, page

    console = Console()
    with tempfile.TemporaryDirectory(prefix="grader-attack-") as folder:
        Path(folder).chmod(0o755)
        chosen = [known_attack for known_attack in ATTACKS if not only or any(word in known_attack.name for word in only)]
        if write and not course().ours:
            raise typer.BadParameter("the page is that of the course on embeddings: leave --write out")
        if not chosen:
            typer.echo(f"No attack has {' or '.join(only or [])} in its name.", err=True)
            raise typer.Exit(2)
        stage = Stage(Path(folder, "class"), chosen)
        stage.write()
        findings = sorted(grade_attacks(stage, level), key=lambda outcome: list(stage.names.values()).index(outcome.attempt))
        theirs = grade_with_stock(Path(folder), chosen, lambda message: typer.echo(message, err=True)) if stock else {}
    table = Table("attack", "tries", "on", *(["stock nbgrader"] if stock else []), "ours")
    for outcome in findings:
        attack, exercise = outcome.attempt.attack, outcome.attempt.exercise.id
        table.add_row(attack.name, attack.tries, exercise, *([theirs.get(attack.name, "")] if stock else []), outcome.said())
    console.print(table)
    honest = grade_honest() if course().ours else []
    variants = Table("honest variant", "lost")
    for name, lost in honest:
        variants.add_row(name, ", ".join(lost) or "nothing")
    if honest:
        console.print(variants)
    if write:
        PAGE.write_text(page(findings, honest), encoding="utf-8")
    gained, leaked, harmed = (
        sum(bool(value) for value in values)
        for values in zip(*((outcome.gained, outcome.leaked, outcome.harmed) for outcome in findings), strict=True)
    )
    lost = sum(bool(lost) for _, lost in honest)
    typer.echo(f"honest variants {len(honest)}, lost marks {lost}")
    typer.echo(f"attacks {len(findings)}, gained {gained}, leaked {leaked}, harmed others {harmed}")
    raise typer.Exit(1 if gained or leaked or harmed or lost or len(findings) < len(stage.names) else 0)


if __name__ == "__main__":
    app()
