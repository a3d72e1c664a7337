"""Ungraded questions with an instant answer, for a reader to see whether the ground is firm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...checking.render import Panel, code, show_panel
from ...checking.show import show

__all__ = ["ask"]


def ask(question: str, run: Callable[[], Any], mine: Any = None, why: str = "") -> None:
    """Compare `mine` with what `run()` really gives. With None the question waits; nothing is graded.

    >>> ask("How long is `'ab'`?", lambda: len("ab"), mine=2)
    Right: `2`.
    """
    if mine is None:
        _say(f"{question} Write your answer in place of `None` and run the cell again.")
        return
    real = _plain(run())
    right = _plain(mine) == real
    verdict = f"Right: `{_text(real)}`." if right else f"You said `{_text(_plain(mine))}`; it is `{_text(real)}`."
    _say(f"{verdict} {why}".strip())


def _plain(value: Any) -> Any:
    """Lists and sizes as tuples, tensors as numbers: (2, 3), [2, 3] and torch.Size([2, 3]) are one answer."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    return tuple(_plain(entry) for entry in value) if isinstance(value, (list, tuple)) else value


def _text(value: Any) -> str:
    return repr(value) if isinstance(value, tuple) else show(value)


def _say(text: str) -> None:
    show_panel(Panel(text, f"<p>{code(text)}</p>"))
