"""Run demonstrations that use the learner's own functions, and show a calm message while those are stubs."""

import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..checking.render import show_text
from ..messages import Message
from .cell_facts import raised_by_the_lesson, sections_that_make, where_made
from .progress.record import load
from .recorded_figures import show_recorded


@contextmanager
def waiting_for(*names: str) -> Iterator[None]:
    """Run the block; if it meets a stub or a name that another cell makes, say what it waits for, and show the recorded figure.

    Parameters
    ----------
    *names
        The learner's functions that the block uses.

    Examples
    --------
    >>> with waiting_for("one_hot"):
    ...     raise NotImplementedError
    This waits for your `one_hot`: it appears once the exercise is done.
    """
    try:
        yield
        return
    except NotImplementedError as error:
        _wait(_stub(error, names))
    except NameError as error:
        made_elsewhere = raised_by_the_lesson(error) and sections_that_make(str(error.name)) is not None
        if error.name not in names and not made_elsewhere:
            raise
        _say_missing(str(error.name), names)
    show_recorded()


def _stub(error: NotImplementedError, names: Sequence[str]) -> str:
    """Return which of the names is still a stub: the one that raised the error, else all."""
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        name = frame.f_code.co_qualname.partition(".")[0]
        if name in names:
            return name
    return "`, `".join(names)


def _wait(names: str) -> None:
    show_text(Message("This waits for your `{names}`: it appears once the exercise is done.", names=names))


def _say_missing(name: str, names: Sequence[str]) -> None:
    if name not in names:
        message = Message("This needs `{name}` from a cell above, which waits for an exercise or was not run yet.", name=name)
        show_text(where_made(name) or message)
    elif any(best and done.endswith(f".{name}") for done, best in load().best.items()):
        message = Message("This needs your `{name}`, which this kernel does not know yet: run its cell above, then this one.")
        show_text(message.fill(name=name))
    else:
        _wait(name)
