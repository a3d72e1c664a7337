"""What commands print: text without terminal codes, whatever the names in it hold.

A file name may hold codes that move the cursor or change colours, and direction marks that make it read as another name.
"""

from collections.abc import Iterable
from typing import Any

import rich.console
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment
from typer import echo as _echo

from ..submission.plain_file import one_line, printable

_MAX_CHARACTERS = 1000
#: Wider than any table: what goes to a file or another program has no edge at which to cut.
_PIPED_COLUMNS = 10_000


def echo(message: Any = None, *, err: bool = False, **options: Any) -> None:
    """Print a message as `typer.echo` does, without control and direction marks.

    Parameters
    ----------
    message : Any, optional
        Text, or anything else that `typer.echo` prints.
    err : bool, optional
        True if it is printed as an error, in one line: a line break in it came with a name. Other messages keep their lines.
    **options : Any
        Further options of `typer.echo`.
    """
    if isinstance(message, str):
        message = " ".join(printable(message).splitlines()) if err else printable(message)
    _echo(message, err=err, **options)


def shown(name: object) -> str:
    """Return a path, a name, or an error that holds one, as one line of printable text."""
    return one_line(str(name), _MAX_CHARACTERS)


class Console(rich.console.Console):
    """Rich's console, whose own codes are the only ones that reach the terminal, and which cuts nothing that is piped."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        if not self.is_terminal:
            self.width = _PIPED_COLUMNS

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render as rich does, with the text of each segment made printable."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))
