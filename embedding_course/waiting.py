"""Demonstrations that use the learner's own functions, and say so calmly while those are still stubs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .render import Panel, code, show_panel

__all__ = ["waiting_for"]


@contextmanager
def waiting_for(*names: str) -> Iterator[None]:
    """Run the block; when it meets a stub or a name not yet defined, say what the result is waiting for.

    >>> with waiting_for("one_hot"):
    ...     raise NotImplementedError
    This waits for your `one_hot`: it appears once the exercise is done.
    """
    try:
        yield
    except NotImplementedError:
        pass
    except NameError as error:
        if error.name not in names:
            raise
    else:
        return
    wanted = ", ".join(f"`{name}`" for name in names)
    text = f"This waits for your {wanted}: it appears once the exercise is done."
    show_panel(Panel(text, f"<p>{code(text)}</p>"))
