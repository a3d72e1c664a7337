"""The trusted side of lending: the course's own answers, computed for a learner whose earlier ones are wrong."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from embedding_course.checking.codec import decode, encode
from embedding_course.checking.exercise import Exercise
from embedding_course.checking.wire_data import plain, tensors_in
from embedding_course.exercises import exercises_of
from embedding_course.subject.tensors import torch

from ..course_source.catalogue import reference

#: A module that is lent may have this many parameters: what a learner's process asks for must not fill our memory.
_MAX_PARAMETERS = 1_000_000


class Lender:
    """Answers for the exercises that `exercise` builds on.

    A question names one of them. With "given" it wants a call computed: parameters, arguments, options. With "upstream"
    too it wants the gradients of everything given, under the upstream gradients of the outputs. With neither, the
    parameters of a module built as "build" says. Raises ValueError for a name that is not lent here, and whatever the
    course's own answer raises.
    """

    def __init__(self, exercise: Exercise) -> None:
        self._exercise = exercise
        self._by_name = {topic_exercise.name: topic_exercise for topic_exercise in exercises_of(exercise.lesson.topic)}

    def is_module(self, name: str) -> bool:
        """Return True if the answer to the exercise `name` is a class."""
        return isinstance(reference(self._by_name[name]), type)

    def answer(self, asked: dict[str, Any], tensors: Sequence[torch.Tensor]) -> tuple[Any, list[torch.Tensor]]:
        """Return the reply to one question, as a tree beside its tensors."""
        name = str(asked["name"])
        if name not in self._exercise.uses:
            raise ValueError(f"{name} is not lent here")
        function = reference(self._by_name[name])
        if self.is_module(name):
            function = _built(function, *decode(asked["build"], []))
            if "given" not in asked:
                return _parameters(function)
        if "upstream" in asked:
            return _backward(function, asked, tensors)
        return _forward(function, asked, tensors)


def _built(make: Callable[..., torch.nn.Module], args: Sequence[Any], options: dict[str, Any]) -> torch.nn.Module:
    with torch.device("meta"):
        size = sum(math.prod(parameter.shape) for parameter in make(*args, **options).parameters())
    if size > _MAX_PARAMETERS:
        raise ValueError(f"a module of {size} parameters is not lent")
    return make(*args, **options)


def _parameters(module: torch.nn.Module) -> tuple[Any, list[torch.Tensor]]:
    layers: dict[str, dict[str, torch.Tensor]] = {}
    for path, parameter in module.named_parameters():
        layer, _, name = path.rpartition(".")
        layers.setdefault(layer, {})[name] = parameter.detach()
    tensors: list[torch.Tensor] = []
    return encode(layers, tensors), tensors


def _run(function: Any, asked: dict[str, Any], tensors: Sequence[torch.Tensor]) -> tuple[Any, list[Any]]:
    """Return what the function returns, and its arguments afterwards: some functions write to theirs."""
    parameters, args, options = decode(asked["given"], tensors)
    if isinstance(function, torch.nn.Module):
        value = torch.func.functional_call(function, parameters, tuple(args), options)
    else:
        value = function(*args, **options)
    return value, [*args, *options.values()]


def _forward(function: Any, asked: dict[str, Any], question_tensors: Sequence[torch.Tensor]) -> tuple[Any, list[torch.Tensor]]:
    value, afterwards = _run(function, asked, question_tensors)
    tensors: list[torch.Tensor] = []
    answered = encode(plain(value), tensors)
    count = len(tensors)
    behind: list[torch.Tensor] = []
    return [count, answered, encode(plain(afterwards), behind)], tensors + behind


def _backward(function: Any, asked: dict[str, Any], question_tensors: Sequence[torch.Tensor]) -> tuple[Any, list[torch.Tensor]]:
    upstream = decode(asked["upstream"], question_tensors)
    given = list(question_tensors[: len(question_tensors) - sum(tensor is not None for tensor in upstream)])
    wanted = [tensor.requires_grad_() for tensor in given if tensor.is_floating_point()]
    with torch.enable_grad():
        value, _ = _run(function, asked, given)
    pairs = [
        (tensor, g) for tensor, g in zip(tensors_in(value), upstream, strict=True) if tensor.requires_grad and g is not None
    ]
    gradients: list[torch.Tensor | None] = [None] * len(wanted)
    if pairs:
        outputs, arriving = zip(*pairs, strict=True)
        gradients = list(torch.autograd.grad(outputs, wanted, arriving, allow_unused=True))
    each = iter(gradients)
    tensors: list[torch.Tensor] = []
    return encode([next(each) if tensor.is_floating_point() else None for tensor in given], tensors), tensors
