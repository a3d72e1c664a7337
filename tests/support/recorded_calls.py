"""The calls that an example or a driver makes of an exercise's answer, written down as plain data."""

import doctest
import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from embedding_course.checking.exercise import Case, Exercise
from embedding_course.checking.observe import fresh
from embedding_course.checking.wire_data import OtherObject, plain

#: Parameters by name, with plain values; what is no plain data is left out.
Call = dict[str, Any]


def _bound(function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> Call:
    bound = inspect.signature(function).bind(*args, **options)
    bound.apply_defaults()
    return {name: plain(fresh(value) if not callable(value) else value) for name, value in bound.arguments.items()}


def _recorder(answer: Any, calls: list[Call]) -> Any:
    """The answer itself, which writes down how it is called: a class both how it is built and what goes through it."""
    if isinstance(answer, type) and issubclass(answer, nn.Module):

        class Recorded(answer):  # type: ignore[misc, valid-type]
            def __init__(self, *args: Any, **options: Any) -> None:
                calls.append(_bound(answer, args, options))
                super().__init__(*args, **options)

            def forward(self, *args: Any, **options: Any) -> Any:
                calls.append(_bound(super().forward, args, options))
                return super().forward(*args, **options)

        return Recorded

    def recorded(*args: Any, **options: Any) -> Any:
        calls.append(_bound(answer, args, options))
        return answer(*args, **options)

    return recorded


def _scope_of(answer: Any) -> dict[str, Any]:
    """The names that the answer's file has."""
    function = (
        next(entry for entry in vars(answer).values() if inspect.isfunction(entry)) if isinstance(answer, type) else answer
    )
    return function.__globals__


def calls_in_docstring(exercise: Exercise, answer: Any) -> list[Call]:
    """What the examples of the answer's docstring call it with."""
    calls: list[Call] = []
    scope = {**_scope_of(answer), exercise.name: _recorder(answer, calls)}
    torch.manual_seed(0)
    for example in doctest.DocTestParser().get_examples(inspect.getdoc(answer) or ""):
        exec(compile(example.source, exercise.id, "exec"), scope)
    return calls


def calls_in_case(exercise: Exercise, answer: Any, case: Case) -> list[Call]:
    """What the exercise's driver calls the answer with in one case."""
    calls: list[Call] = []
    exercise.run(_recorder(answer, calls), *fresh(dict(case.args)).values(), **fresh(dict(case.options)))
    return calls


def same_call(one: Call, other: Call) -> bool:
    """Equal values under equal names; modules, functions and generators cannot be compared and are not."""
    return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, OtherObject) or isinstance(other, OtherObject):
        return isinstance(one, OtherObject) == isinstance(other, OtherObject)
    if isinstance(one, torch.Tensor) and isinstance(other, torch.Tensor):
        return one.shape == other.shape and torch.equal(one.double(), other.double())
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return bool(one == other)
