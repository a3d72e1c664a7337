"""Demonstrations that use the learner's own functions, and say so calmly while those are still stubs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from ..checking.render import Panel, code, show_panel

__all__ = ["waiting_for"]


@contextmanager
def waiting_for(*names: str, after: Collection[str] = ()) -> Iterator[None]:
    """Run the block; when it meets a stub or a name not yet defined, say what the result is waiting for.

    `after` are names that an earlier block of this kind makes, such as a trained model: they are missing while that waits.

    >>> with waiting_for("one_hot"):
    ...     raise NotImplementedError
    This waits for your `one_hot`: it appears once the exercise is done.
    """
    missing = None
    try:
        yield
    except NotImplementedError:
        pass
    except NameError as error:
        if error.name not in {*names, *after}:
            raise
        missing = error.name
    else:
        return
    wanted = ", ".join(f"`{name}`" for name in names)
    text = f"This waits for your {wanted}: it appears once the exercise is done."
    if missing in after:
        text = f"This needs `{missing}` from a cell above, which waits for an exercise or was not run yet."
    show_panel(Panel(text, f"<p>{code(text)}</p>"))
