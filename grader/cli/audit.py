"""`grader audit`."""

from typing import Annotated

import typer

from .platform_needed import needs_linux

FIGURES = ("mistakes caught", "named", "right forms accepted", "stubs not attempted")


def audit(
    exercises: Annotated[list[str] | None, typer.Argument(help="Only these: 01.one_hot, or 01 for a notebook.")] = None,
    seeds: Annotated[int, typer.Option(help="How many sets of fresh hidden cases each candidate meets.")] = 20,
    jobs: Annotated[int | None, typer.Option(help="Processes; as many as cores by default.")] = None,
    mutants: Annotated[bool, typer.Option(help="Also try automatic mutants of the references.")] = True,
) -> None:
    """Examine the checks: mistakes caught and named, right forms accepted, forgers unpaid. Exit 1 when one is not."""
    needs_linux()
    from rich.table import Column, Table

    from ..quality.audit import audit as run
    from .terminal import Console

    audits = run(exercises or [], seeds, jobs, mutants)
    table = Table(Column("exercise", no_wrap=True), *FIGURES, "explained", "forgers paid", "mutants killed")
    totals = {figure: [0, 0] for figure in FIGURES}
    for audit in audits:
        cells = []
        for figure in FIGURES:
            done, whole = audit.counts.get(figure, (0, 0))
            totals[figure] = [totals[figure][0] + done, totals[figure][1] + whole]
            cells.append(f"{done}/{whole}" + ("" if done == whole else " ✘"))
        paid = f"{audit.paid}/{audit.forgers}" + (" ✘" if audit.paid else "")
        text = f"{audit.explained}/{audit.mistakes}"
        table.add_row(audit.exercise, *cells, text, paid, f"{audit.mutants - len(audit.survivors)}/{audit.mutants}")
    console = Console()
    console.print(table)
    for audit in audits:
        for change, reason in audit.survivors:
            typer.echo(f"mutant of {audit.exercise} survives: {change}  ({reason or 'no reason written down'})")
    faults = [fault for audit in audits for fault in audit.faults]
    for fault in faults:
        typer.echo(f"✘ {fault}")
    closing = [f"{figure} {totals[figure][0]}/{totals[figure][1]}" for figure in FIGURES]
    closing.append(f"explained {sum(audit.explained for audit in audits)}/{sum(audit.mistakes for audit in audits)}")
    closing.append(f"forgers paid {sum(audit.paid for audit in audits)}/{sum(audit.forgers for audit in audits)}")
    typer.echo(", ".join(closing))
    raise typer.Exit(1 if faults or any(done < whole for done, whole in totals.values()) else 0)
