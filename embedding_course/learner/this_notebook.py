"""Determine which notebook is open, as far as a kernel can know."""

import re
import sys

from ..exercises import known
from ..subject.lessons import topics

_NAMED = re.compile(r"""(?:check|predict|hint)\(\s*["'](\d\d)[.-]""")


def this_notebook() -> str | None:
    """Return the topic of the notebook whose cells ran last, by what they check and define; None if that is unknown.

    If two notebooks share a kernel, the one that ran a cell last counts.
    """
    scope = vars(sys.modules["__main__"])
    numbers = [mention for cell in scope.get("In", ()) for mention in _NAMED.findall(str(cell))]
    names = [exercise.id[:2] for exercise in known().values() if callable(scope.get(exercise.name))]
    for number in reversed(numbers or names):
        for topic in topics():
            if topic.startswith(number):
                return topic
    return None
