"""Cells that stopped before they defined anything: what is said below them, and by `check` where a name is missing."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Collection, Sequence
from typing import Any

from ..checking.render import Panel, code, show_panel
from ..checking.source.not_python import said_of_signs, unreadable_signs, why_not_python

__all__ = ["explain_signs", "misspelt", "why_undefined"]


def explain_signs() -> None:
    """From now on, say below a cell that fails over a sign such as `，` which sign it is, in which line, and what to type.

    Does nothing outside of a notebook, and nothing when called again.
    """
    shell = _shell()
    if shell is not None and _explain not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _explain)


def _explain(result: Any) -> None:
    """Show the line below a cell. IPython calls it after each cell, with what became of it."""
    source = getattr(result.info, "raw_cell", None)
    if isinstance(result.error_before_exec, SyntaxError) and isinstance(source, str):
        signs = unreadable_signs(source)
        if signs:
            text = said_of_signs(signs)
            text = f"{text[0].upper()}{text[1:]}."
            show_panel(Panel(text, f"<p>{code(text)}</p>"))


def why_undefined(name: str) -> str:
    """Return a sentence on the cell that was to define `name`, the one that ran last; nothing where no cell was."""
    define = re.compile(rf"^[ \t]*(?:def|class)\s+{re.escape(name)}\b", re.MULTILINE)
    cell = next((cell for cell in reversed(_cells_as_typed()) if define.search(cell)), None)
    if cell is None:
        return ""
    reason = why_not_python(cell)
    if reason:
        return f"The cell that defines `{name}` is no valid Python: {reason}."
    return f"Its cell stopped before it defined `{name}`: the error stands below that cell."


def misspelt(name: str, scope: Collection[str]) -> str:
    """Return the name in `scope` that may be meant for `name`; nothing where none is near.

    >>> misspelt("renorm_rows", ["renorm_row", "torch"])
    'renorm_row'
    """
    return next(iter(difflib.get_close_matches(name, [entry for entry in scope if entry != name], 1, 0.85)), "")


def _shell() -> Any:
    """Return the notebook's shell; None outside of one. IPython is not imported for it."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def _cells_as_typed() -> Sequence[str]:
    """Return the text of each cell that was run in this kernel, whatever became of it."""
    history = getattr(_shell(), "history_manager", None)
    return () if history is None else history.input_hist_raw
