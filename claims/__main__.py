"""`python -m claims`, which `make claims` runs: compute the entries again and write the page."""

from typing import Annotated

import typer


def claims(
    names: Annotated[list[str] | None, typer.Argument(help="Only show these, for example S4.size-of-the-table.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 when docs/claims.md is out of step.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the entries as JSON, with what they quote, and write nothing.")
    ] = False,
) -> None:
    """Compute every claim of the source tutorials again and write docs/claims.md. Exit 1 for a verdict nobody expected."""
    import msgspec

    from . import ledger_page as page
    from .ledger import LEDGER

    chosen = tuple(claim for claim in LEDGER if not names or claim.id in names)
    missing = set(names or ()) - {claim.id for claim in chosen}
    if missing:
        raise typer.BadParameter(f"no claim {', '.join(sorted(missing))}; docs/claims.md lists them")
    findings = page.recompute(chosen)
    surprises = [claim for claim in chosen if findings[claim.id].verdict != claim.expected]
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(page.listed(findings, chosen))).decode())
        raise typer.Exit(1 if surprises else 0)
    for claim in chosen if names else ():
        finding = findings[claim.id]
        where = f"  “{claim.quote.words}” ({claim.quote.heading})\n" if claim.quote else ""
        typer.echo(
            f"{claim.says}\n{where}  {finding.computed}\n  {finding.verdict}{f': {finding.truth}' if finding.truth else ''}"
        )
    for claim in surprises:
        typer.echo(f"{claim.id}: {findings[claim.id].verdict}, expected: {claim.expected}", err=True)
    if not names:
        fresh, written = page.page(findings), page.PAGE.read_text(encoding="utf-8") if page.PAGE.exists() else ""
        differing = page.out_of_step(written, fresh)
        if check:
            for line in differing:
                typer.echo(f"out of step: {line}", err=True)
        elif differing:
            page.PAGE.write_text(fresh, encoding="utf-8")
        done = "out of step" if check and differing else "written" if differing else "in step"
        typer.echo(f"{len(chosen)} claims, {len(surprises)} with an unexpected verdict; docs/claims.md is {done}.")
    raise typer.Exit(1 if surprises or (check and not names and differing) else 0)


if __name__ == "__main__":
    typer.run(claims)
