"""Which notebook is open, as far as a kernel can know."""

from __future__ import annotations

import re
import sys

from ..exercises import known
from ..subject.lessons import topics

__all__ = ["this_notebook"]

_NAMED = re.compile(r"""(?:check|predict|hint)\(\s*["'](\d\d)[.-]""")


def this_notebook() -> str | None:
    """The topic of the notebook whose cells ran last, by what they check and define; None where nothing tells.

    Of two notebooks in one kernel, the one of which a cell ran last counts.
    """
    scope = vars(sys.modules["__main__"])
    numbers = [found for cell in scope.get("In", ()) for found in _NAMED.findall(str(cell))]
    names = [entry.id[:2] for entry in known().values() if callable(scope.get(entry.name))]
    for number in reversed(numbers or names):
        for topic in topics():
            if topic.startswith(number):
                return topic
    return None
