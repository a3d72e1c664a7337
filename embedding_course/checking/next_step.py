"""What to do where no known mistake and no relation says more: something that a learner can run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .compare import Mismatch

if TYPE_CHECKING:
    from .exercise import Case, Exercise

__all__ = ["next_step", "received"]

_ALWAYS = {
    "type": "Look at what the docstring promises to return, and at what your last line returns.",
    "dtype": "Results keep the floating type of their input; ids are int64.",
    "not finite": "Find the first line whose result is nan or inf: usually a large exp, or a division by 0.",
}
_PRINT = "Put a `print` into it and check again: what it prints is shown below the verdict."


def received(exercise: Exercise, case: Case) -> dict[str, Any]:
    """What of a case the answer itself receives, by the names that its docstring uses: nothing that only the driver needs."""
    found: dict[str, Any] = {}
    for name, value in {**case.args, **case.options}.items():
        if name in exercise.of_driver:
            continue
        together = isinstance(value, dict) and not name.isidentifier()  # "x or mask": the arguments of a call, by name
        found |= value if together else {name: value}
    return found


def next_step(exercise: Exercise, fault: Mismatch, case: Case, which: int | str) -> str:
    """A sentence; `which` is the case as `case(…)` knows it, by number or name."""
    if fault.stage in _ALWAYS:
        return _ALWAYS[fault.stage]
    if fault.stage == "property":
        return f"Read the docstring again with the case “{case.name}” in mind."
    given = received(exercise, case)
    if any(isinstance(value, dict) for value in given.values()):  # modules and functions, made from numbers
        return _PRINT
    return _with_arguments(exercise, given, which).get(fault.stage, "")


def _with_arguments(exercise: Exercise, given: Mapping[str, Any], which: int | str) -> dict[str, str]:
    """What can be done with the arguments of a case."""
    arguments = f'case("{exercise.id}", {json.dumps(which, ensure_ascii=False)})'
    by_name = exercise.name.islower() and all(name.isidentifier() for name in given)
    call = f"`{exercise.name}(**{arguments})`" if by_name else f"it with what `{arguments}` returns,"
    return {
        "raises": f"Call {call} in a cell of its own and read the last line of the traceback.",
        "shape": f"Print the shape after every line; `{arguments}` returns the arguments of this case.",
        "values": f"`{arguments}` returns the arguments of this case: work a part out by hand and compare line by line.",
    }
