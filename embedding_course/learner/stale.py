"""Detect that the kernel holds an older definition than the cell shows, because the cell failed when it was run last."""

import inspect
import re
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any


def is_older_than_its_cell(candidate: Callable[..., Any], name: str) -> bool:
    """Return whether a cell with another definition of `name` was run after the one that defined `candidate`.

    Return False if that is unknown: outside a notebook, or if it was not written as `def` or `class` under that name.
    """
    texts = [f"{text.strip()}\n" for text in _written(candidate, name)]
    define = re.compile(rf"^(?:def|class)\s+{re.escape(name)}\b", re.MULTILINE)
    for cell in reversed(_cells_that_ran() if texts else ()):
        if all(text in f"{cell}\n" for text in texts):
            return False
        if define.search(cell):
            return True
    return False


def _cells_that_ran() -> Sequence[str]:
    """Return the text of each cell as IPython rewrote it."""
    try:
        from IPython.core.getipython import get_ipython
    except ImportError:
        return ()
    history = getattr(get_ipython(), "history_manager", None)
    return () if history is None else history.input_hist_parsed


def _written(candidate: Callable[..., Any], name: str) -> list[str]:
    """Return the text of a function, or of a class's methods: Python does not keep where a notebook's class came from."""
    if getattr(candidate, "__module__", None) != "__main__" or getattr(candidate, "__name__", None) != name:
        return []
    parts = vars(candidate).values() if isinstance(candidate, type) else [candidate]
    try:
        return [inspect.getsource(part) for part in parts if isinstance(part, FunctionType) and part.__module__ == "__main__"]
    except (OSError, SyntaxError):
        return []
