"""Embeddings, from lookup table to sentence search: what the notebooks import.

Each name is fetched when it is first asked for, so that a command which judges nothing need not wait for torch.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .messages import say, set_language
from .subject.errors import CourseError

if TYPE_CHECKING:
    from .learner.check import check
    from .learner.doctor import doctor
    from .learner.glossary import glossary, ledger
    from .learner.hint import hint
    from .learner.predict import predict, reveal
    from .learner.progress.show_progress import progress
    from .learner.public_case import case
    from .learner.show_table import show_table
    from .learner.submit import submit
    from .learner.waiting import waiting_for
    from .learner.worked_solutions import compare_with_solution, solution

__all__ = [
    "CourseError", "case", "check", "compare_with_solution", "doctor", "glossary", "hint", "ledger", "predict", "progress",
    "reveal", "say", "set_language", "show_table", "solution", "submit", "waiting_for",
]  # fmt: skip

_FROM = {
    "case": "public_case",
    "check": "check",
    "compare_with_solution": "worked_solutions",
    "doctor": "doctor",
    "glossary": "glossary",
    "hint": "hint",
    "ledger": "glossary",
    "predict": "predict",
    "progress": "progress.show_progress",
    "reveal": "predict",
    "show_table": "show_table",
    "solution": "worked_solutions",
    "submit": "submit",
    "waiting_for": "waiting",
}

if (_ipython := sys.modules.get("IPython")) and _ipython.get_ipython():  # a notebook: elsewhere importing stays quick
    from .learner.failed_cells import watch_cells

    watch_cells()


def __getattr__(name: str) -> Any:
    if name not in _FROM:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.learner.{_FROM[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
