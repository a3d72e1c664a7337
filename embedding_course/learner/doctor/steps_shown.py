"""Show the current step of `doctor` from the start, since running a notebook may take long."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ...checking.render import text_panel
from ...messages import Message

#: A function that is called with a description of each step when it begins.
Tell = Callable[[Message], None]
_EVERY = 1.0


@contextmanager
def steps_shown(notebook: str | Path | None = None, every: float = _EVERY) -> Iterator[Tell]:
    """Show a line at once, and provide a function that announces each step.

    In a notebook it is one line that also counts the seconds; elsewhere each step is printed on a line of its own. An error
    of the display has no effect on the result.
    """
    line = _Line(Message("the open notebook") if notebook is None else str(notebook))
    stop = threading.Event()

    def count() -> None:
        while not stop.wait(every):
            with suppress(Exception):  # The front end may have gone away.
                line.show()

    line.step(Message("starting"))
    counter = threading.Thread(target=count, daemon=True)
    if line.handle is not None:
        counter.start()
    try:
        yield line.step
    finally:
        stop.set()
        if line.handle is not None:
            counter.join()
            line.end()


class _Line:
    """Hold the displayed line and the time when it was first shown."""

    def __init__(self, name: str | Message) -> None:
        self.name, self.began, self.text = name, time.monotonic(), Message("")
        self.handle: Any = None

    def step(self, text: Message) -> None:
        """Begin a step and show it."""
        self.text = text
        self.show()

    def show(self) -> None:
        """Show the step, and in a notebook its duration so far."""
        ipython = sys.modules.get("IPython")
        if not (ipython and ipython.get_ipython()):
            print(Message("doctor: {step}", step=self.text), flush=True)
            return
        from IPython.display import display

        seconds = time.monotonic() - self.began
        text = Message("doctor is at work on {notebook}: {step} …")
        if seconds >= 1:
            text = Message("doctor is at work on {notebook}: {step} · {seconds:.0f} s …")
        panel = text_panel(text.fill(notebook=self.name, step=self.text, seconds=seconds))
        if self.handle is None:
            self.handle = display(panel, display_id=True)
        else:
            self.handle.update(panel)

    def end(self) -> None:
        """Replace the step by the total duration."""
        text = Message("doctor looked at {notebook} for {seconds:.0f} s.", notebook=self.name)
        self.handle.update(text_panel(text.fill(seconds=time.monotonic() - self.began)))
