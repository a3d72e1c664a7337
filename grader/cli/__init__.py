"""The commands, one module each."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported: a grade must not depend on the machine

import typer  # noqa: E402

from .audit import audit  # noqa: E402
from .build import build  # noqa: E402
from .grade import grade  # noqa: E402
from .lab import lab  # noqa: E402
from .release import release  # noqa: E402
from .try_ import try_  # noqa: E402

__all__ = ["app"]

app = typer.Typer(
    help="Build, grade and examine the embeddings course.", no_args_is_help=True, add_completion=False,
    pretty_exceptions_enable=False,
)  # fmt: skip
app.command()(build)
app.command("try")(try_)
app.command()(audit)
app.command()(grade)
app.command()(lab)
app.command()(release)
