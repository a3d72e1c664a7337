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
        next(member for member in vars(answer).values() if inspect.isfunction(member)) if isinstance(answer, type) else answer
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


def same_call(first: Call, second: Call) -> bool:
    """Equal values under equal names; modules, functions and generators cannot be compared and are not."""
    return first.keys() == second.keys() and all(_same(first[name], second[name]) for name in first)


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, OtherObject) or isinstance(second, OtherObject):
        return isinstance(first, OtherObject) == isinstance(second, OtherObject)
    if isinstance(first, torch.Tensor) and isinstance(second, torch.Tensor):
        return first.shape == second.shape and torch.equal(first.double(), second.double())
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        return len(first) == len(second) and all(map(_same, first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(_same(first[key], second[key]) for key in first)
    return bool(first == second)
