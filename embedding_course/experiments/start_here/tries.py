"""Define eight small exercises on tensors: the arguments of each, and the expected result.

The check of a lesson has hidden cases, points and diagnoses. Here a call, its result and one sentence are enough.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from ...checking.render import Panel, code, show_panel
from ...checking.show import show
from ...messages import Message


class Try(NamedTuple):
    """Hold the arguments of one call, the expected result, and what to remember."""

    call: Callable[[], tuple[Any, ...]]
    result: Any
    remember: Message


def _table() -> torch.Tensor:
    return torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


TRIES = {
    "empty_table": Try(lambda: (2, 3), torch.zeros(2, 3), Message("The shape is (rows, columns).")),
    "as_ids": Try(lambda: ([4, 0, 2],), torch.tensor([4, 0, 2]), Message("Ids are whole numbers: torch.int64.")),
    "last_column": Try(
        lambda: (_table(),), torch.tensor([3.0, 6.0]), Message("An integer index removes its axis; -1 is the last place.")
    ),
    "rows_of": Try(
        lambda: (_table(), torch.tensor([[1, 0], [1, 1]])),
        _table()[torch.tensor([[1, 0], [1, 1]])],
        Message("Indexing with a tensor of ids gives a row for each id, in the ids' shape. Notebook 01 is about this line."),
    ),
    "add_to_rows": Try(
        lambda: (_table(), torch.tensor([10.0, 20.0, 30.0])),
        _table() + torch.tensor([10.0, 20.0, 30.0]),
        Message("Shapes are lined up on the right: (3,) is added to each row of (2, 3)."),
    ),
    "scale_rows": Try(
        lambda: (_table(), torch.tensor([10.0, 100.0])),
        _table() * torch.tensor([[10.0], [100.0]]),
        Message("An axis of size 1 is stretched: (2, 1) meets every column of (2, 3)."),
    ),
    "project": Try(
        lambda: (torch.ones(4, 2, 3), torch.ones(3, 5)),
        torch.full((4, 2, 5), 3.0),
        Message("The last axis meets the first axis of the matrix; all axes before it stay."),
    ),
    "slope": Try(
        lambda: (torch.tensor([1.0, -2.0, 3.0]),),
        torch.tensor([2.0, -4.0, 6.0]),
        Message("After backward() the gradient of the sum of squares lies in x.grad: 2x."),
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
    text = str(said_of(function))
    show_panel(Panel(text, f"<p>{code(text)}</p>"))


def said_of(function: Callable[..., Any]) -> Message:
    """Return the sentence of `try_it`."""
    name = function.__name__
    exercise = TRIES[name]
    called = f"{name}({', '.join(map(_describe, exercise.call()))})"
    try:
        got = function(*exercise.call())
    except NotImplementedError:
        message = Message(
            "○ {name} is not written yet: put your line in place of `raise NotImplementedError()`, and run the cell again."
        )
        return message.fill(name=name)
    except Exception as error:  # Any error of a beginner's code is shown, not raised.
        return Message("✘ {call} raised {kind}: {error}", call=called, kind=type(error).__name__, error=error)
    fault = _fault(got, exercise.result)
    if fault:
        return Message("✘ {call}: {fault}", call=called, fault=fault)
    return Message("✔ {name}: right. {remember}", name=name, remember=exercise.remember)


def _fault(got: Any, wanted: torch.Tensor) -> Message | None:
    if got is None:
        return Message("it returned None. Is there a `return` before your expression?")
    if not isinstance(got, torch.Tensor):
        return Message("it returned a {kind}; a tensor is wanted.", kind=type(got).__name__)
    if got.shape != wanted.shape:
        return Message("the shape is {shape}, it should be {right}.", shape=tuple(got.shape), right=tuple(wanted.shape))
    if got.dtype != wanted.dtype:
        return Message("the dtype is {dtype}, it should be {right}.", dtype=got.dtype, right=wanted.dtype)
    if not torch.allclose(got, wanted):
        return Message("it returned {value}, it should be {right}.", value=_describe(got.detach()), right=_describe(wanted))
    return None


def _describe(value: Any) -> str:
    return str(value.tolist()) if isinstance(value, torch.Tensor) and value.numel() <= 12 else show(value)
