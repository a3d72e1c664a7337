"""Find the name that was meant where Python does not know one: a variable, a function, an attribute or a keyword."""

from __future__ import annotations

import ast
import builtins
import difflib
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...messages import Code, Count, Message
from ...subject.tensors import TENSORS, torch
from .answer_tree import Written, as_name, calls_in
from .slip import Slip

if TYPE_CHECKING:
    from ..exercise import Exercise


_MODULES = {"np": "import numpy as np", "math": "import math"}
if TENSORS:
    _MODULES |= {"torch": "import torch", "nn": "import torch.nn as nn", "F": "import torch.nn.functional as F"}
_USUAL = ("dim", "keepdim", "dtype")
_NEAR = 0.6


def name_that_was_meant(exercise: Exercise, message: str, written: Written | None, given: Mapping[str, Any]) -> Iterator[Slip]:
    """Yield what an exception says about an unknown name, with the nearest known name.

    Only names that stand in the answer are repeated.

    Parameters
    ----------
    exercise : Exercise
    message : str
        The message of the exception.
    written : Written or None
        The text of the answer, if it is known.
    given : mapping of str to Any
        What the answer receives in the case that is shown, by name.
    """
    for look in (_unknown_name, _not_bound_yet, _unknown_attribute, _unknown_keyword):
        yield from look(exercise, message, written, given)


def _unknown_name(exercise: Exercise, message: str, written: Written | None, given: Mapping[str, Any]) -> Iterator[Slip]:
    match = re.search(r"^name '(\w+)' is not defined", message)
    if not match or not written or match[1] not in written.words:
        return
    name = match[1]
    where = Message("Line {line}: nothing is called `{name}` here.", line=Count(written.words[name]), name=Code(name))
    if name in exercise.uses:
        says = Message("`{name}` is your own answer to {exercise}, and it is not defined in this kernel.", name=Code(name))
        step = Message("Run the cell of `{name}` first, or all cells above this one (Run, Run All Above Selected Cell).")
        says, step = says.fill(exercise=Code(f"{exercise.number}.{name}")), step.fill(name=Code(name))
        yield Slip("name", says, step, instead=True)
    elif name in _MODULES:
        says = Message("`{name}` is not imported.", name=Code(name))
        yield Slip("name", says, Message("Put `{code}` in front.", code=Code(_MODULES[name])), instead=True)
    elif line := _read_outside_the_constructor(written, name):
        says = Message("Line {line}: `{name}` is an argument of `__init__`, and other methods do not know it.")
        kept = any(as_name(node) == f"self.{name}" for node in ast.walk(written.functions["__init__"]))
        step = Message("Use `self.{name}` there.") if kept else Message("Keep it in `__init__`: `self.{name} = {name}`.")
        yield Slip("name", says.fill(line=Count(line), name=Code(name)), step.fill(name=Code(name)), instead=True)
    else:
        stored = {node.id for node in ast.walk(written.node) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        arguments = {node.arg for node in ast.walk(written.node) if isinstance(node, ast.arg)}
        yield _nearest(where, name, {*stored, *arguments, *given, *exercise.uses, *dir(builtins), *_MODULES}, kind="name")


def _read_outside_the_constructor(written: Written, name: str) -> int:
    """Return the first line outside `__init__` that reads the name of one of its arguments; 0 if there is none."""
    making = written.functions.get("__init__")
    if making is None or name not in [node.arg for node in ast.walk(making) if isinstance(node, ast.arg)]:
        return 0
    others = [function for function in written.functions.values() if function is not making]
    read = (node for function in others for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name)
    return min((node.lineno for node in read), default=0)


def _not_bound_yet(exercise: Exercise, message: str, written: Written | None, given: Mapping[str, Any]) -> Iterator[Slip]:
    match = re.search(r"local variable '(\w+)'", message)
    if match and written and match[1] in written.words:
        name = Code(match[1])
        says = Message("`{name}` is read before it has a value: the line that gives it one was not reached in this case.")
        yield Slip(
            "name", says.fill(name=name), Message("Give `{name}` a value above the loop or the `if`.", name=name), instead=True
        )


def _unknown_attribute(exercise: Exercise, message: str, written: Written | None, given: Mapping[str, Any]) -> Iterator[Slip]:
    match = re.search(r"(?:module '([\w.]+)'|'(\w+)' object) has no attribute '(\w+)'", message)
    if not match or not written or match[3] not in written.words:
        return
    module, kind, name = match[1], match[2], match[3]
    slots = {"line": Count(written.words[name]), "name": Code(name)}
    if module:
        home = (
            {"torch": torch, "torch.nn": torch.nn, "torch.nn.functional": torch.nn.functional, "numpy": np}
            if TENSORS
            else {"numpy": np}
        )
        if module in home:
            yield _nearest(
                Message("Line {line}: `{module}` has nothing called `{name}`.", module=Code(module), **slots),
                name,
                dir(home[module]),
            )
    elif kind == "Tensor":
        yield _nearest(Message("Line {line}: a tensor has nothing called `{name}`.", **slots), name, dir(torch.Tensor))
    elif kind == "ndarray":
        yield _nearest(Message("Line {line}: an array has nothing called `{name}`.", **slots), name, dir(np.ndarray))
    elif kind == exercise.name:
        kept = {
            node.attr
            for node in ast.walk(written.node)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and as_name(node.value) == "self"
        }
        yield _nearest(Message("Line {line}: nothing is stored as `self.{name}`.", **slots), name, kept, "self.")
    elif (
        kind in ("list", "int", "float")
        and TENSORS
        and hasattr(torch.Tensor, name)
        and not hasattr(getattr(builtins, kind), name)
    ):
        says = Message("Line {line}: `{name}` belongs to tensors, and this is a Python number.", **slots)
        step = Message("`.item()` and `float(…)` make a number of a tensor: use them last.")
        if kind == "list":
            says = Message("Line {line}: `{name}` belongs to tensors, and this is a list.", **slots)
            step = Message("Make a tensor of it first (`torch.stack`, `torch.tensor`), or leave `.tolist()` out.")
        yield Slip("raised", says, step)
    elif kind in ("list", "str", "dict", "int", "float", "set"):
        names = [attribute for attribute in dir(getattr(builtins, kind)) if not attribute.startswith("_")]
        yield _nearest(Message("Line {line}: `{kind}` has nothing called `{name}`.", kind=Code(kind), **slots), name, names)


def _unknown_keyword(exercise: Exercise, message: str, written: Written | None, given: Mapping[str, Any]) -> Iterator[Slip]:
    match = re.search(r"got an unexpected keyword argument '(\w+)'", message)
    if not match or not written:
        return
    name = str(match[1])
    call = next((node for node in calls_in(written.node) if name in [word.arg for word in node.keywords]), None)
    if call is not None:
        names = _parameters(as_name(call.func))
        says = Message(
            "Line {line}: `{function}` has no argument `{name}`.", function=Code(as_name(call.func)), name=Code(name)
        )
        yield _nearest(says.fill(line=Count(call.lineno)), name, names, kind="name")
    elif name in given:
        own = [node.arg for node in ast.walk(written.node) if isinstance(node, ast.arg) and node.arg not in (*given, "self")]
        near = difflib.get_close_matches(name, own, n=1, cutoff=_NEAR)
        says = Message("`{function}` is called with the argument `{name}`, which it does not take.")
        if near:
            says = Message(
                "`{function}` is called with the argument `{name}`, which it does not take; your first line has `{near}`."
            )
            says = says.fill(near=Code(near[0]))
        step = Message("Keep the names of the stub's first line: others call your answer by them.")
        yield Slip("name", says.fill(function=Code(exercise.name), name=Code(name)), step, instead=True)


def _parameters(function: str) -> list[str]:
    """Return the names of the arguments of a function of torch or numpy."""
    home, _, name = function.rpartition(".")
    homes = [np]
    if TENSORS:
        homes = {"F": [torch.nn.functional], "nn": [torch.nn], "np": [np]}.get(home, [torch, torch.nn.functional, torch.nn])
    for module in homes:
        thing = getattr(module, name, None)
        try:
            return list(inspect.signature(thing).parameters) if thing else []
        except (TypeError, ValueError):  # compiled functions tell it in their docstrings
            return [*re.findall(r"\b([a-z]\w*)=", (thing.__doc__ or "")[:400]), *_USUAL]
    return list(_USUAL)


def _nearest(says: Message, name: str, names: Iterable[str], before: str = "", kind: str = "attribute") -> Slip:
    near = difflib.get_close_matches(name, sorted(set(names) - {name}), n=1, cutoff=_NEAR)
    if not near:  # a known mistake that raises the same tells more
        step = Message("Where should `{name}` come from? Mind its spelling.", name=Code(name))
        return Slip("raised", says, step)
    meant = Code(f"{before}{near[0]}")
    asked = Message("{fact} Did you mean `{meant}`?", fact=says, meant=meant)
    return Slip(kind, asked, Message("Write `{meant}`, if that is meant.", meant=meant), instead=True)
