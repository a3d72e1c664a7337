"""Define eight small exercises on tensors: the arguments of each, and the expected result.

The check of a lesson has hidden cases, points and diagnoses. Here a call, its result and one sentence are enough.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from ...checking.render import Panel, code, show_panel
from ...checking.show import show


class Try(NamedTuple):
    """Hold the arguments of one call, the expected result, and what to remember."""

    call: Callable[[], tuple[Any, ...]]
    result: Any
    remember: str


def _table() -> torch.Tensor:
    return torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


TRIES = {
    "empty_table": Try(lambda: (2, 3), torch.zeros(2, 3), "The shape is (rows, columns)."),
    "as_ids": Try(lambda: ([4, 0, 2],), torch.tensor([4, 0, 2]), "Ids are whole numbers: torch.int64."),
    "last_column": Try(
        lambda: (_table(),), torch.tensor([3.0, 6.0]), "An integer index removes its axis; -1 is the last place."
    ),
    "rows_of": Try(
        lambda: (_table(), torch.tensor([[1, 0], [1, 1]])),
        _table()[torch.tensor([[1, 0], [1, 1]])],
        "Indexing with a tensor of ids gives a row for each id, in the ids' shape. Notebook 01 is about this line.",
    ),
    "add_to_rows": Try(
        lambda: (_table(), torch.tensor([10.0, 20.0, 30.0])),
        _table() + torch.tensor([10.0, 20.0, 30.0]),
        "Shapes are lined up on the right: (3,) is added to each row of (2, 3).",
    ),
    "scale_rows": Try(
        lambda: (_table(), torch.tensor([10.0, 100.0])),
        _table() * torch.tensor([[10.0], [100.0]]),
        "An axis of size 1 is stretched: (2, 1) meets every column of (2, 3).",
    ),
    "project": Try(
        lambda: (torch.ones(4, 2, 3), torch.ones(3, 5)),
        torch.full((4, 2, 5), 3.0),
        "The last axis meets the first axis of the matrix; all axes before it stay.",
    ),
    "slope": Try(
        lambda: (torch.tensor([1.0, -2.0, 3.0]),),
        torch.tensor([2.0, -4.0, 6.0]),
        "After backward() the gradient of the sum of squares lies in x.grad: 2x.",
    ),
}


def try_it(function: Callable[..., Any]) -> None:
    """Call the learner's function once and show a sentence on the result. Raise KeyError for an unknown name.

    Examples
    --------
    >>> def empty_table(rows, columns): return torch.zeros(rows, columns)
    >>> try_it(empty_table)
    ✔ empty_table: right. The shape is (rows, columns).
    """
    text = said_of(function)
    show_panel(Panel(text, f"<p>{code(text)}</p>"))


def said_of(function: Callable[..., Any]) -> str:
    """Return the sentence of `try_it`."""
    name = function.__name__
    exercise = TRIES[name]
    called = f"{name}({', '.join(map(_told, exercise.call()))})"
    try:
        got = function(*exercise.call())
    except NotImplementedError:
        return f"○ {name} is not written yet: put your line in place of `raise NotImplementedError()`, and run the cell again."
    except Exception as error:  # Any error of a beginner's code is shown, not raised.
        return f"✘ {called} raised {type(error).__name__}: {error}"
    fault = _fault(got, exercise.result)
    return f"✘ {called}: {fault}" if fault else f"✔ {name}: right. {exercise.remember}"


def _fault(got: Any, wanted: torch.Tensor) -> str:
    if got is None:
        return "it returned None. Is there a `return` before your expression?"
    if not isinstance(got, torch.Tensor):
        return f"it returned a {type(got).__name__}; a tensor is wanted."
    if got.shape != wanted.shape:
        return f"the shape is {tuple(got.shape)}, it should be {tuple(wanted.shape)}."
    if got.dtype != wanted.dtype:
        return f"the dtype is {got.dtype}, it should be {wanted.dtype}."
    if not torch.allclose(got, wanted):
        return f"it returned {_told(got.detach())}, it should be {_told(wanted)}."
    return ""


def _told(value: Any) -> str:
    return str(value.tolist()) if isinstance(value, torch.Tensor) and value.numel() <= 12 else show(value)
