"""`grader attack`: the door to the red team, which lies in the tests and is not installed."""

import sys

import typer

from ..errors import UserError
from ..paths import ENGINE
from .platform_needed import needs_linux

attack = typer.Typer(add_completion=False)


@attack.command(add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def run(context: typer.Context) -> None:
    """Let the red team try: wrong submissions that want marks, secrets or harm. Needs the source checkout."""
    needs_linux()
    if not (ENGINE / "tests" / "redteam").is_dir():
        raise UserError("grader attack needs the source checkout: the red team is not installed.")
    sys.path.insert(0, str(ENGINE))
    from tests.redteam.__main__ import app

    app(context.args, prog_name="grader attack")
