"""Time demonstrations by the fastest of several runs, which other work on the machine disturbs least."""

import time
from collections.abc import Callable, Sequence
from typing import Any


def fastest(function: Callable[[Any], Any], inputs: Sequence[Any]) -> float:
    """Return the seconds of the fastest call, over one call for each of `inputs`, after a warm-up call."""
    function(inputs[0])
    spent = []
    for value in inputs:
        begin = time.perf_counter()
        function(value)
        spent.append(time.perf_counter() - begin)
    return min(spent)
