"""`grader lab`."""

from typing import Annotated

import typer


def lab(
    notebook: Annotated[str, typer.Argument(help="The notebook to open, for example 03.")] = "",
    language: Annotated[str, typer.Option("--language", help="The edition to open: en or zh.")] = "en",
    copy_only: Annotated[bool, typer.Option("--copy-only", help="Make the copies, do not open JupyterLab.")] = False,
) -> None:
    """Open JupyterLab on your own copies of the notebooks in `work/`."""
    from embedding_course.learner.lab.__main__ import main

    from ..paths import ROOT

    arguments = ([notebook] if notebook else []) + (["--copy-only"] if copy_only else []) + ["--language", language]
    raise typer.Exit(main(arguments, ROOT))
