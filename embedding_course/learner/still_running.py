"""Print a line after ten seconds, so that nobody wonders whether anything happens."""

import contextlib
import threading
from collections.abc import Iterator

from ..checking.render import Panel, code, show_panel

_AFTER = 10.0


@contextlib.contextmanager
def still_running(what: str, after: float = _AFTER) -> Iterator[None]:
    """Print that `what` is still running if the block takes longer than `after` seconds. Errors of the display are ignored."""
    text = f"{what} is still running. Is there a loop that never ends? ■ (Kernel, Interrupt) stops it."
    timer = threading.Timer(after, show_panel, [Panel(text, f"<p>{code(text)}</p>")])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
