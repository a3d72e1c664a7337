"""A line after ten seconds: nobody should wonder whether anything happens."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from ..checking.render import Panel, code, show_panel

__all__ = ["still_running"]

_AFTER = 10.0


@contextlib.contextmanager
def still_running(what: str, after: float = _AFTER) -> Iterator[None]:
    """Say so if the block takes longer than this many seconds. What is said never decides over anything."""
    text = f"{what} is still running. Is there a loop that never ends? ■ (Kernel, Interrupt) stops it."
    timer = threading.Timer(after, show_panel, [Panel(text, f"<p>{code(text)}</p>")])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
