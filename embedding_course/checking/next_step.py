"""What to do where no known mistake and no relation says more: something that a learner can run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..subject.tensors import TENSORS
from .compare import Mismatch

if TYPE_CHECKING:
    from .exercise import Case, Exercise

__all__ = ["arguments_of", "next_step", "received"]

_ALWAYS = {
    "type": "Look at what the docstring promises to return, and at what your last line returns.",
    "not finite": "Find the first line whose result is nan or inf: usually a large exp, or a division by 0.",
}
#: By what was expected, as the fault names it.
_TYPES = {
    "bool": "True and False come of a comparison such as `a <= b`; `.bool()` makes them of numbers.",
    "int64": "Counts, ids and positions are int64, torch's own type for whole numbers: end with `.long()`.",
    "": "Results keep the floating type of their input: look for a `.double()`, a `.float()`, or a comparison at the end.",
}
#: The same in a course whose numbers are arrays of numpy.
_TYPES_OF_ARRAYS = {
    "bool": "True and False come of a comparison such as `a <= b`; `.astype(bool)` makes them of numbers.",
    "int64": "Counts, ids and positions are whole numbers: what is divided, or begins with `np.zeros`, is float64; say "
    "`dtype=np.int64` there, or end with `.astype(np.int64)`.",
    "": "Print `.dtype` after every line: a `dtype=` or an `.astype(…)` changes it, and a comparison gives bool.",
}
#: By what Python says of a missing attribute.
_ATTRIBUTES = {
    "'tuple' object has no attribute": "A function that returns two things gives a tuple: write `first, second = f(...)`, or "
    "take one of them with `[0]`.",
    "'NoneType' object has no attribute": "Something is None there: a function without a `return`, or an argument that "
    "may be left out.",
    "module 'torch": "torch has nothing of that name there: mind the spelling. Many functions are in `torch.nn.functional` "
    "(`F`).",
    "module 'numpy": "numpy has nothing of that name there: mind the spelling. Some functions are methods of an array, "
    "others lie in `np.linalg` or `np.random`.",
    "before Module.__init__() call": "`super().__init__()` comes first in the constructor, before any layer is stored.",
}
_A_TUPLE = (
    "A tuple came back, where one tensor is asked. `max`, `min`, `sort` and `topk` along an axis return values and positions: "
    "take one of them, with `[0]` or `.values`."
)
_NEVER_STORED = "What `self.` reads has to be stored before, in `__init__`, and under the same name: compare the two spellings."
_BEFORE_IT = "Print what that line uses, just before it: values, shapes and types."
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
    if fault.stage == "type" and "list or tuple" in fault.what and " tensor of " in fault.what:
        return _A_TUPLE
    if fault.stage in _ALWAYS:
        return _ALWAYS[fault.stage]
    if fault.stage == "dtype":
        types = _TYPES if TENSORS else _TYPES_OF_ARRAYS
        return next(words for name, words in types.items() if f"; {name}" in fault.what + fault.detail or not name)
    if fault.stage == "raises" and "AttributeError" in fault.what:
        hints = {**_ATTRIBUTES, f"'{exercise.name}' object has no attribute": _NEVER_STORED}
        found = next((words for said, words in hints.items() if said in fault.detail), None)
        if found:
            return found
    if fault.stage == "property":
        return f"Read the docstring again with the case “{case.name}” in mind."
    given = received(exercise, case)
    if any(isinstance(value, dict) for value in given.values()):  # modules and functions, made from numbers
        return _PRINT
    return _with_arguments(exercise, which).get(fault.stage, "")


def arguments_of(exercise: Exercise, which: int | str) -> str:
    """A sentence: which call gives the arguments of a case, to play with."""
    arguments = f'case("{exercise.id}", {json.dumps(which, ensure_ascii=False)})'
    if exercise.is_class:
        return f"`{arguments}` shows how this case builds and calls your module."
    return f"`{arguments}` returns the arguments of this case."


def _with_arguments(exercise: Exercise, which: int | str) -> dict[str, str]:
    """What can be done with the arguments of a case."""
    arguments = f'case("{exercise.id}", {json.dumps(which, ensure_ascii=False)})'
    if exercise.is_class:
        holds = f"`{arguments}`, in a cell of its own, shows the lines that build your module as this case does and call it"
        return {
            "raises": f"{_BEFORE_IT} {holds}.",
            "shape": f"{holds}. Print the shape after every line of `forward`.",
            "values": f"{holds}: print what each line of `forward` makes, and work a part out by hand.",
        }
    return {
        "raises": f"{_BEFORE_IT} `{arguments}` returns the arguments of this case.",
        "shape": f"Print the shape after every line; `{arguments}` returns the arguments of this case.",
        "values": f"`{arguments}` returns the arguments of this case: work a part out by hand and compare line by line.",
    }
