"""The name that was meant where Python does not know one: of a variable, a function, an attribute, a keyword."""

from __future__ import annotations

import ast
import builtins
import difflib
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...subject.tensors import TENSORS, torch
from .slip import Slip
from .written import Written, as_name, calls_in

if TYPE_CHECKING:
    from ..exercise import Exercise

__all__ = ["name_that_was_meant"]

_MODULES = {"np": "import numpy as np", "math": "import math"}
if TENSORS:
    _MODULES |= {
        "torch": "import torch", "nn": "import torch.nn as nn", "F": "import torch.nn.functional as F",
    }  # fmt: skip
_USUAL = ("dim", "keepdim", "dtype")
_NEAR = 0.6


def name_that_was_meant(exercise: Exercise, message: str, written: Written | None, given: Mapping[str, Any]) -> Iterator[Slip]:
    """What an exception says of a name that is not known, with the nearest that is. Only names that stand in the answer are
    repeated."""
    for look in (_unknown_name, _not_bound_yet, _unknown_attribute, _unknown_keyword):
        yield from look(exercise, message, written, given)


def _unknown_name(exercise: Exercise, message: str, written: Written | None, given: Mapping[str, Any]) -> Iterator[Slip]:
    found = re.search(r"^name '(\w+)' is not defined", message)
    if not found or not written or found[1] not in written.words:
        return
    name = found[1]
    where = f"Line {written.words[name]}: nothing is called `{name}` here"
    if name in exercise.uses:
        says = f"`{name}` is your own answer to {exercise.number}.{name}, and it is not defined in this kernel."
        step = f"Run the cell of `{name}` first, or all cells above this one (Run, Run All Above Selected Cell)."
        yield Slip("name", says, step, instead=True)
    elif name in _MODULES:
        yield Slip("name", f"`{name}` is not imported.", f"Put `{_MODULES[name]}` in front.", instead=True)
    else:
        stored = {one.id for one in ast.walk(written.node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        arguments = {one.arg for one in ast.walk(written.node) if isinstance(one, ast.arg)}
        yield _nearest(where, name, {*stored, *arguments, *given, *exercise.uses, *dir(builtins), *_MODULES}, kind="name")


def _not_bound_yet(exercise: Exercise, message: str, written: Written | None, given: Mapping[str, Any]) -> Iterator[Slip]:
    found = re.search(r"local variable '(\w+)'", message)
    if found and written and found[1] in written.words:
        says = f"`{found[1]}` is read before it has a value: the line that gives it one was not reached in this case."
        yield Slip("name", says, f"Give `{found[1]}` a value above the loop or the `if`.", instead=True)


def _unknown_attribute(exercise: Exercise, message: str, written: Written | None, given: Mapping[str, Any]) -> Iterator[Slip]:
    found = re.search(r"(?:module '([\w.]+)'|'(\w+)' object) has no attribute '(\w+)'", message)
    if not found or not written or found[3] not in written.words:
        return
    module, kind, name = found[1], found[2], found[3]
    where = f"Line {written.words[name]}:"
    if module:
        home = (
            {"torch": torch, "torch.nn": torch.nn, "torch.nn.functional": torch.nn.functional, "numpy": np}
            if TENSORS
            else {"numpy": np}
        )
        if module in home:
            yield _nearest(f"{where} `{module}` has nothing called `{name}`", name, dir(home[module]))
    elif kind == "Tensor":
        yield _nearest(f"{where} a tensor has nothing called `{name}`", name, dir(torch.Tensor))
    elif kind == "ndarray":
        yield _nearest(f"{where} an array has nothing called `{name}`", name, dir(np.ndarray))
    elif kind == exercise.name:
        kept = {
            one.attr
            for one in ast.walk(written.node)
            if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store) and as_name(one.value) == "self"
        }
        yield _nearest(f"{where} nothing is stored as `self.{name}`", name, kept, "self.")
    elif kind in ("list", "str", "dict", "int", "float", "set"):
        names = [one for one in dir(getattr(builtins, kind)) if not one.startswith("_")]
        article = "an" if kind == "int" else "a"
        yield _nearest(f"{where} {article} {kind} has nothing called `{name}`", name, names)


def _unknown_keyword(exercise: Exercise, message: str, written: Written | None, given: Mapping[str, Any]) -> Iterator[Slip]:
    found = re.search(r"got an unexpected keyword argument '(\w+)'", message)
    if not found or not written:
        return
    name = str(found[1])
    call = next((one for one in calls_in(written.node) if name in [word.arg for word in one.keywords]), None)
    if call is not None:
        names = _parameters(as_name(call.func))
        yield _nearest(f"Line {call.lineno}: `{as_name(call.func)}` has no argument `{name}`", name, names, kind="name")
    elif name in given:
        own = [one.arg for one in ast.walk(written.node) if isinstance(one, ast.arg) and one.arg not in (*given, "self")]
        near = difflib.get_close_matches(name, own, n=1, cutoff=_NEAR)
        instead = f"; your first line says `{near[0]}`" if near else ""
        says = f"`{exercise.name}` is called with the argument `{name}`, which it does not take{instead}."
        yield Slip("name", says, "Keep the names of the stub's first line: others call your answer by them.", instead=True)


def _parameters(function: str) -> list[str]:
    """The names of the arguments of a function of torch or numpy."""
    home, _, name = function.rpartition(".")
    homes = [np]
    if TENSORS:
        homes = {"F": [torch.nn.functional], "nn": [torch.nn], "np": [np]}.get(home, [torch, torch.nn.functional, torch.nn])
    for one in homes:
        thing = getattr(one, name, None)
        try:
            return list(inspect.signature(thing).parameters) if thing else []
        except (TypeError, ValueError):  # compiled functions tell it in their docstrings
            return [*re.findall(r"\b([a-z]\w*)=", (thing.__doc__ or "")[:400]), *_USUAL]
    return list(_USUAL)


def _nearest(where: str, name: str, names: Iterable[str], before: str = "", kind: str = "attribute") -> Slip:
    near = difflib.get_close_matches(name, sorted(set(names) - {name}), n=1, cutoff=_NEAR)
    if not near:  # a known mistake that raises the same tells more
        return Slip("raised", f"{where}.", f"Where should `{name}` come from? Mind its spelling.")
    says = f"{where}; did you mean `{before}{near[0]}`?"
    return Slip(kind, says, f"Write `{before}{near[0]}`, if that is meant.", instead=True)
