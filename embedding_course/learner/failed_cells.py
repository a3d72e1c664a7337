"""Explain cells that failed because of a sign or of a missing name: below the cell, and in `check`.

In `check` a name is then missing, or the kernel holds an older definition than the cell shows.
"""

import difflib
import inspect
import re
import sys
from collections.abc import Callable, Collection, Sequence
from types import FunctionType
from typing import Any

from ..checking.render import show_text
from ..checking.source.not_python import describe_signs, unreadable_signs, why_not_python
from ..messages import Message, capitalised
from .cell_facts import how_long, raised_by_the_lesson, where_made


def watch_cells() -> None:
    """Announce a cell that runs for long, and explain a cell that fails because of a sign such as `，` or ran too early.

    The first says how long it takes on this machine. The second names the character and its line and says what to type, or
    names the section that makes the missing name. Nothing happens outside a notebook or when this is called again.
    """
    shell = _shell()
    if shell is not None and _explain not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("pre_run_cell", _announce)
        shell.events.register("post_run_cell", _explain)


def _announce(info: Any) -> None:
    """Show how long a cell will run. IPython calls it before each cell."""
    source = getattr(info, "raw_cell", None)
    sentence = how_long(source) if isinstance(source, str) else None
    if sentence is not None:
        show_text(sentence)


def _explain(result: Any) -> None:
    """Show the explanation below a cell. IPython calls it with the result of each cell."""
    source = getattr(result.info, "raw_cell", None)
    if isinstance(result.error_before_exec, SyntaxError) and isinstance(source, str):
        signs = unreadable_signs(source)
        if signs:
            show_text(capitalised(Message("{signs}.", signs=describe_signs(signs))))
    if isinstance(result.error_in_exec, NameError) and raised_by_the_lesson(result.error_in_exec):
        sentence = where_made(str(result.error_in_exec.name))
        if sentence is not None:
            show_text(sentence)


def why_undefined(name: str) -> str:
    """Return a sentence about the last cell that should have defined `name`; empty if there was none."""
    define = re.compile(rf"^[ \t]*(?:def|class)\s+{re.escape(name)}\b", re.MULTILINE)
    cell = next((cell for cell in reversed(_cells_as_typed()) if define.search(cell)), None)
    if cell is None:
        return ""
    reason = why_not_python(cell)
    if reason:
        return str(Message("The cell that defines `{name}` is no valid Python: {reason}.", name=name, reason=reason))
    return str(Message("Its cell stopped before it defined `{name}`: the error stands below that cell.", name=name))


def misspelt(name: str, scope: Collection[str]) -> str:
    """Return the name in `scope` that is probably meant by `name`; empty if none is similar.

    Examples
    --------
    >>> misspelt("renorm_rows", ["renorm_row", "torch"])
    'renorm_row'
    """
    return next(iter(difflib.get_close_matches(name, [candidate for candidate in scope if candidate != name], 1, 0.85)), "")


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


def _shell() -> Any:
    """Return the notebook's shell; None outside a notebook. IPython is not imported for it."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def _cells_as_typed() -> Sequence[str]:
    """Return the text of each cell that was run in this kernel, whether or not it succeeded."""
    history = getattr(_shell(), "history_manager", None)
    return () if history is None else history.input_hist_raw
