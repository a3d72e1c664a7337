"""`grader curves`."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["curves"]


def curves(names: Annotated[list[str] | None, typer.Argument(help="Only these, for example 04_window.")] = None) -> None:
    """Run the long experiments of the lessons with the reference answers and record their curves in data/curves."""
    from embedding_course.demo.curves import record

    from ..curves import experiments
    from ..paths import ROOT

    known = experiments()
    for name in names or known:
        if name not in known:
            raise typer.BadParameter(f"no curves {name!r}: there are {', '.join(known)}")
        typer.echo(f"{name}: {record(known[name], ROOT / 'data' / 'curves' / f'{name}.json').source()}")
