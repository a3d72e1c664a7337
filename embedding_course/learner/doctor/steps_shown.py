"""Show the current step of `doctor` from the start, since running a notebook may take long."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ...checking.render import Panel, code

#: A function that is called with a description of each step when it begins.
Tell = Callable[[str], None]
_EVERY = 1.0


@contextmanager
def steps_shown(notebook: str | Path | None = None, every: float = _EVERY) -> Iterator[Tell]:
    """Show a line at once, and provide a function that announces each step.

    In a notebook it is one line that also counts the seconds; elsewhere each step is printed on a line of its own. An error
    of the display has no effect on the result.
    """
    line = _Line("the open notebook" if notebook is None else str(notebook))
    stop = threading.Event()

    def count() -> None:
        while not stop.wait(every):
            with suppress(Exception):  # The front end may have gone away.
                line.show()

    line.step("starts")
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

    def __init__(self, name: str) -> None:
        self.name, self.began, self.text = name, time.monotonic(), ""
        self.handle: Any = None

    def step(self, text: str) -> None:
        """Begin a step and show it."""
        self.text = text
        self.show()

    def show(self) -> None:
        """Show the step, and in a notebook its duration so far."""
        ipython = sys.modules.get("IPython")
        if not (ipython and ipython.get_ipython()):
            print(f"doctor: {self.text}", flush=True)
            return
        from IPython.display import display

        seconds = time.monotonic() - self.began
        text = f"doctor is at work on {self.name}: it {self.text}" + (f" · {seconds:.0f} s" if seconds >= 1 else "") + " …"
        panel = Panel(text, f"<p>{code(text)}</p>")
        if self.handle is None:
            self.handle = display(panel, display_id=True)
        else:
            self.handle.update(panel)

    def end(self) -> None:
        """Replace the step by the total duration."""
        text = f"doctor looked at {self.name} for {time.monotonic() - self.began:.0f} s."
        self.handle.update(Panel(text, f"<p><small>{code(text)}</small></p>"))
