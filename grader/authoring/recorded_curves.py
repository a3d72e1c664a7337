"""The experiments whose curves are recorded, and the trainings whose tables are: listed in `solutions/NN_topic/curves.py`
as CURVES and TABLES, name -> function.

A function's parameters are names of exercises of its notebook, and it is called with the reference answers to them.
"""

from __future__ import annotations

import inspect
import runpy
from collections.abc import Callable
from functools import partial
from typing import Any

from ..course_source.catalogue import references
from ..paths import SOLUTIONS

__all__ = ["experiments", "trainings"]


def experiments() -> dict[str, Callable[[], Any]]:
    """Name -> experiment that returns `Curves`, ready to be called, over all notebooks."""
    return _listed("CURVES")


def trainings() -> dict[str, Callable[[], Any]]:
    """Name -> training that returns a `Table`."""
    return _listed("TABLES")


def _listed(kind: str) -> dict[str, Callable[[], Any]]:
    found: dict[str, Callable[[], Any]] = {}
    for path in sorted(SOLUTIONS.glob("*/curves.py")):
        answers = references(path.parent.name)
        for name, function in runpy.run_path(str(path)).get(kind, {}).items():
            found[name] = partial(function, **{wanted: answers[wanted] for wanted in inspect.signature(function).parameters})
    return found
