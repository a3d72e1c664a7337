"""Suggest a next step that a learner can run, if no known mistake and no relation explains the result."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..messages import Code, Message
from ..subject.tensors import TENSORS
from .source.suspects import suspects

if TYPE_CHECKING:
    from .exercise import Case, Exercise
    from .source.answer_tree import Written
    from .trial import Trial

__all__ = ["arguments_of", "next_step", "received_arguments"]

_ALWAYS = {
    "type": Message("Look at what the docstring promises to return, and at what your last line returns."),
    "not finite": Message("Find the first line whose result is nan or inf: usually a large exp, or a division by 0."),
}
#: By the type that was expected.
_TYPES = {
    "bool": Message("True and False come of a comparison such as `a <= b`; `.bool()` makes them of numbers."),
    "int64": Message("Counts, ids and positions are int64, torch's own type for whole numbers: end with `.long()`."),
}
_ANY_TYPE = Message(
    "Results keep the floating type of their input: look for a `.double()`, a `.float()`, or a comparison at the end."
)
#: The same in a course whose numbers are arrays of numpy.
_TYPES_OF_ARRAYS = {
    "bool": Message("True and False come of a comparison such as `a <= b`; `.astype(bool)` makes them of numbers."),
    "int64": Message(
        "Counts, ids and positions are whole numbers: what is divided, or begins with `np.zeros`, is float64; say "
        "`dtype=np.int64` there, or end with `.astype(np.int64)`."
    ),
}
_ANY_TYPE_OF_ARRAYS = Message(
    "Print `.dtype` after every line: a `dtype=` or an `.astype(…)` changes it, and a comparison gives bool."
)
#: By what Python says of a missing attribute.
_ATTRIBUTES = {
    "'tuple' object has no attribute": Message(
        "A function that returns two things gives a tuple: write `first, second = f(...)`, or take one of them with `[0]`."
    ),
    "'NoneType' object has no attribute": Message(
        "Something is None there: a function without a `return`, or an argument that may be left out."
    ),
    "module 'torch": Message(
        "torch has nothing of that name there: mind the spelling. Many functions are in `torch.nn.functional` (`F`)."
    ),
    "module 'numpy": Message(
        "numpy has nothing of that name there: mind the spelling. Some functions are methods of an array, others lie in "
        "`np.linalg` or `np.random`."
    ),
    "before Module.__init__() call": Message(
        "`super().__init__()` comes first in the constructor, before any layer is stored."
    ),
}
_A_TUPLE = Message(
    "A tuple came back, where one tensor is asked. `max`, `min`, `sort` and `topk` along an axis return values and positions: "
    "take one of them, with `[0]` or `.values`."
)
_TENSORS_IN_A_LIST = Message("A list of tensors came back: `torch.stack(…)` makes one tensor of them.")
_NUMBERS_IN_A_LIST = Message("A list of numbers came back: `torch.tensor(…)` makes a tensor of them.")
_NEVER_STORED = Message(
    "What `self.` reads has to be stored before, in `__init__`, and under the same name: compare the two spellings."
)
_DOCSTRING = Message("Read the docstring again with the case “{case}” in mind.")
_PRINT = Message("Put a `print` into it and check again: what it prints is shown below the verdict.")
_BEFORE_IT = Message("Print what that line uses, just before it: values, shapes and types.")
#: What can be done with the arguments of a case: of a function, and of a class.
_OF_FUNCTIONS = {
    "raises": Message("`{call}` returns the arguments of this case."),
    "shape": Message("Print the shape after every line; `{call}` returns the arguments of this case."),
    "values": Message("`{call}` returns the arguments of this case: work a part out by hand and compare line by line."),
}
_OF_CLASSES = {
    "raises": Message("`{call}`, in a cell of its own, shows the lines that build your module as this case does and call it."),
    "shape": Message(
        "`{call}`, in a cell of its own, shows the lines that build your module as this case does and call it. Print the shape "
        "after every line of `forward`."
    ),
    "values": Message(
        "`{call}`, in a cell of its own, shows the lines that build your module as this case does and call it: print what each "
        "line of `forward` makes, and work a part out by hand."
    ),
}


def received_arguments(exercise: Exercise, case: Case) -> dict[str, Any]:
    """Return what of a case the answer itself receives, by the names of its docstring; nothing that only the driver needs."""
    arguments: dict[str, Any] = {}
    for name, value in {**case.args, **case.options}.items():
        if name in exercise.of_driver:
            continue
        together = isinstance(value, dict) and not name.isidentifier()  # "x or mask": the arguments of a call, by name
        arguments |= value if together else {name: value}
    return arguments


def next_step(exercise: Exercise, trial: Trial, which: int | str, written: Written | None = None) -> list[Message]:
    """Return what to do about a trial that fails.

    Parameters
    ----------
    exercise : Exercise
    trial : Trial
        The trial, in which something is wrong.
    which : int or str
        Its case as `case(…)` knows it, by number or name.
    written : Written or None, optional
        The text of the answer, if it is known.
    """
    mismatch = trial.mismatch
    assert mismatch is not None
    if mismatch.stage == "type" and (mismatch.expected, mismatch.received) == ("Tensor", "list"):
        return [_of_a_list(trial)]
    if mismatch.stage in _ALWAYS:
        return [_ALWAYS[mismatch.stage]]
    if mismatch.stage == "dtype":
        types, any_type = (_TYPES, _ANY_TYPE) if TENSORS else (_TYPES_OF_ARRAYS, _ANY_TYPE_OF_ARRAYS)
        if mismatch.expected not in types and written:
            return suspects("type", written)
        return [types.get(mismatch.expected, any_type)]
    if mismatch.stage == "raises" and mismatch.received == "AttributeError" and trial.received.raised:
        hints = {**_ATTRIBUTES, f"'{exercise.name}' object has no attribute": _NEVER_STORED}
        message = trial.received.raised.message
        hint = next((hint for beginning, hint in hints.items() if beginning in message), None)
        if hint:
            return [hint]
    if mismatch.stage == "property":
        return [_DOCSTRING.fill(case=Message(trial.case.name))]
    given = received_arguments(exercise, trial.case)
    if any(isinstance(value, dict) for value in given.values()):  # modules and functions, made from numbers
        return [_PRINT]
    step = (_OF_CLASSES if exercise.is_class else _OF_FUNCTIONS).get(mismatch.stage)
    first = [_BEFORE_IT] if mismatch.stage == "raises" else []
    return [*first, step.fill(call=_call(exercise, which))] if step else []


def _of_a_list(trial: Trial) -> Message:
    """Return what to do about a list, or a tuple, in place of a tensor. A tuple arrives as a list."""
    expected, received = trial.expected.value, trial.received.value
    if not isinstance(received, list) or not received:
        return _A_TUPLE
    if all(isinstance(entry, (int, float, list)) for entry in received):
        return _NUMBERS_IN_A_LIST
    rows = getattr(expected, "shape", ())
    shapes = {tuple(getattr(entry, "shape", (-1,))) for entry in received}
    return _TENSORS_IN_A_LIST if rows and len(received) == rows[0] and shapes == {tuple(rows[1:])} else _A_TUPLE


def arguments_of(exercise: Exercise, which: int | str) -> Message:
    """Return which call gives the arguments of a case, to play with."""
    shows = Message("`{call}` shows how this case builds and calls your module.")
    return (shows if exercise.is_class else _OF_FUNCTIONS["raises"]).fill(call=_call(exercise, which))


def _call(exercise: Exercise, which: int | str) -> Code:
    return Code(f'case("{exercise.id}", {json.dumps(which, ensure_ascii=False)})')
