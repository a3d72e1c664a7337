"""How much of a file is read: bounds on what it holds, and on the processor time that reading it may take.

The file is a stranger's and the process that reads it is the trusted one, which others wait for.
"""

from __future__ import annotations

import contextlib
import re
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

from embedding_course.checking.intake.statements import split
from embedding_course.messages import Message

if TYPE_CHECKING:
    from nbformat.notebooknode import NotebookNode

#: Nothing honest is near these: the course's own longest notebook has 185 cells with 35,000 characters of code in 640 lines.
MAX_CELLS, MAX_CODE_CHARACTERS, MAX_CODE_LINES, MAX_STATEMENTS = 3_000, 1_000_000, 20_000, 5_000
#: Objects, lists and their members in the file as JSON; large outputs of plotting libraries hold some hundred thousand.
MAX_VALUES = 1_000_000
#: Seconds of processor time for reading one file, and for putting its answers into the instructor's notebook.
SECONDS = 20.0

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


class Unreadable(Exception):
    """The file is no notebook that can be graded; the message says why."""


def check_values(text: str) -> None:
    """Raise Unreadable where JSON holds so many values that reading it would fill the memory."""
    if text.count("{") + text.count("[") + text.count(",") > MAX_VALUES:
        bare = _TEXT.sub("", text)
        if bare.count("{") + bare.count("[") + bare.count(",") > MAX_VALUES:
            raise Unreadable(
                Message("the file holds more than {limit:,} values; clear its outputs and hand it in again", limit=MAX_VALUES)
            )


def check_cells(notebook: NotebookNode) -> None:
    """Raise Unreadable where there are more cells, or there is more code, than anybody writes for one notebook."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    _bound(len(notebook.cells), MAX_CELLS, Message("cells"))
    _bound(sum(map(len, code)), MAX_CODE_CHARACTERS, Message("characters of code"))
    _bound(sum(source.count("\n") + source.count(";") for source in code), MAX_CODE_LINES, Message("lines of code"))
    _bound(sum(len(split(source)) for source in code), MAX_STATEMENTS, Message("statements"))


def _bound(count: int, most: int, what: Message) -> None:
    if count > most:
        message = Message("it has {count:,} {what}, and more than {limit:,} are not read; take out what is no answer")
        raise Unreadable(message.fill(count=count, what=what, limit=most))


@contextlib.contextmanager
def within_time(seconds: float | None = None) -> Iterator[None]:
    """Raise Unreadable once the block has used up its seconds of processor time, by default `SECONDS`.

    A signal tells, which reaches the main thread of a process only: in others the bounds on size must do. A block inside
    another one is under the outer one's time.
    """
    if threading.current_thread() is not threading.main_thread() or signal.getitimer(signal.ITIMER_PROF)[0]:
        yield
        return

    def too_late(number: int, frame: FrameType | None) -> None:
        message = Message("reading its cells took more than {limit:g} s of processor time; take out what is no answer")
        raise Unreadable(message.fill(limit=limit))

    limit = SECONDS if seconds is None else seconds
    before = signal.signal(signal.SIGPROF, too_late)
    signal.setitimer(signal.ITIMER_PROF, limit, 1.0)  # again, where something swallowed it
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
