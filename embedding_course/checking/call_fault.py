"""Say what is wrong with a call itself: it raised, it did not raise where it should, or it changed its arguments."""

from __future__ import annotations

import builtins
from dataclasses import replace

from ..messages import Code, Listing, Message
from .mismatch import Mismatch
from .observation import Observation
from .show import show
from .wire_data import NamedParts

__all__ = ["modified_fault", "raised_fault", "refusal_fault"]


def raised_fault(got: Observation) -> Mismatch:
    """Return the fault of an answer that raised; a bare NotImplementedError of its own is an untouched stub."""
    raised = got.raised
    assert raised is not None
    if raised.of_a_stub and raised.own_cell:
        return Mismatch("not attempted", Message("The stub is still there."))
    location = raised.place.message
    if raised.of_a_stub:
        hidden = Message("The answer met a stub in which nothing is written yet.")
        message = (
            Message("The answer met a stub in which nothing is written yet ({place}).", place=location) if location else hidden
        )
        return Mismatch("raises", message, hidden)
    hidden = Message("The answer raised {type}.", type=raised.type)
    if not _is_python_exception(raised.type):
        hidden = Message("The answer raised an exception.")
    message = hidden
    if raised.message and location:
        message = Message("The answer raised {type}: {text} ({place}).")
    elif raised.message:
        message = Message("The answer raised {type}: {text}.")
    elif location:
        message = Message("The answer raised {type} ({place}).")
    message = message.fill(type=raised.type, text=raised.message.rstrip("."), place=location)
    return Mismatch("raises", message, hidden, received=raised.type)


def modified_fault(got: Observation) -> Mismatch:
    """Return the fault of an answer that changed arguments which it should not."""
    names = [Message("`{name}`", name=name) for name in got.modified]
    if len(names) == 1:
        message = Message("The call changed the argument {names}, which belongs to the caller.", names=names[0])
    else:
        message = Message("The call changed the arguments {names}, which belong to the caller.", names=Listing(names))
    return Mismatch("property", message)


def _is_python_exception(name: str) -> bool:
    """Return True for the name of an exception type of Python's own: a made-up name could carry hidden inputs."""
    known = getattr(builtins, name, None)
    return isinstance(known, type) and issubclass(known, BaseException)


def refusal_fault(expected: Observation, got: Observation) -> Mismatch | None:
    """Return the fault of an answer that should have raised; None if it raised the right type and changed no argument."""
    assert expected.raised is not None
    wanted = Code(expected.raised.type)
    if got.raised is None:
        hidden = Message("A {type} was asked for, and the answer returned something.", type=wanted)
        message = Message(
            "A {type} was asked for, and the answer returned something: {value}.", type=wanted, value=show(got.value)
        )
        if isinstance(got.value, NamedParts):  # what the exercise's own code made of the answer
            message = hidden = Message("A {type} was asked for, and no error was raised.", type=wanted)
        return Mismatch("property", message, hidden, expected=wanted)
    if wanted in got.raised.types:
        return modified_fault(got) if got.modified else None
    fault = raised_fault(got)
    if fault.stage != "raises":
        return fault
    instead = Message("A {type} was asked for. {fault}", type=wanted)
    return replace(
        fault,
        message=instead.fill(fault=fault.message),
        hidden=instead.fill(fault=fault.hidden or fault.message),
        expected=wanted,
    )
