"""`grader curves`."""

from typing import Annotated

import typer


def curves(names: Annotated[list[str] | None, typer.Argument(help="Only these, for example 04_window.")] = None) -> None:
    """Run the long experiments of the lessons with the reference answers; record curves and trained tables in data/."""
    from embedding_course.experiments.curves import record
    from embedding_course.learner.own_tables import write_table

    from ..authoring.recorded_curves import experiments, trainings
    from ..paths import ROOT

    curved, trained = experiments(), trainings()
    for name in names or [*curved, *trained]:
        if name in curved:
            typer.echo(f"{name}: {record(curved[name], ROOT / 'data' / 'curves' / f'{name}.json').source()}")
        elif name in trained:
            table = trained[name]()
            write_table(table, ROOT / "data" / "tables" / f"{name}.safetensors")
            typer.echo(f"{name}: {len(table.words):,} words, {table.vectors.shape[1]} numbers each")
        else:
            raise typer.BadParameter(f"no curves or table {name!r}: there are {', '.join([*curved, *trained])}")
