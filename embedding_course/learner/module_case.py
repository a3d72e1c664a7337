"""A public case of a class: what it is built with, the weights that the check sets, and what it is called with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..checking.exercise import Case, Exercise
from ..checking.next_step import received
from ..checking.observe import fresh
from ..checking.show import kind
from ..subject.tensors import torch

__all__ = ["ModuleCase", "module_case"]

#: What a case may hold beside, which the constructor takes.
_OPTIONS = ("direct",)


class ModuleCase(dict[str, Any]):
    """Three parts, shown as the lines that use them: `build`, the constructor's arguments by name; `weights`, a state dict,
    where the check sets the weights; `inputs`, the arguments of a call."""

    def __init__(self, name: str, call: str, parts: Mapping[str, Any]) -> None:
        super().__init__(parts)
        self._name, self._call = name, call

    def __repr__(self) -> str:
        return "\n".join([f"given = {self._call}", *self._use(), "", *self._contents()])

    def _use(self) -> list[str]:
        double = ".double()" if any(value.dtype == torch.float64 for value in self.get("weights", {}).values()) else ""
        lines = [f'model = {self._name}(**given["build"]){double}']
        if "weights" in self:
            lines.append('model.load_state_dict(given["weights"])')
        return [*lines, 'model(**given["inputs"])'] if "inputs" in self else lines

    def _contents(self) -> list[str]:
        return [
            f"{part}: "
            + ", ".join(f"{name} = {value!r}" if part == "build" else f"{name}: {kind(value)}" for name, value in held.items())
            for part, held in self.items()
        ]


def module_case(exercise: Exercise, case: Case, call: str) -> ModuleCase:
    """The parts of a class's case, as copies of your own; `call` is the line that asks for it."""
    held = {**case.args, **case.options}
    parts: dict[str, Any] = {"build": _build(exercise, held)}
    weights = held.get("weights")
    if isinstance(weights, dict) and weights:
        parts["weights"] = weights
    inputs = {name: value for name, value in received(exercise, case).items() if name not in (*_OPTIONS, "table")}
    if case.criterion != "refused":  # what the constructor refuses is never called
        parts["inputs"] = inputs
    return ModuleCase(exercise.name, call, fresh(parts))


def _build(exercise: Exercise, held: Mapping[str, Any]) -> dict[str, Any]:
    """The constructor's arguments by name, however the case holds them."""
    build = held.get("build", {})
    if "by_position" in build:
        found = {**dict(zip(exercise.sizes, build["by_position"], strict=False)), **build["by_name"]}
    elif exercise.sizes and isinstance(held.get("sizes"), (list, tuple)):
        found = {**dict(zip(exercise.sizes, held["sizes"], strict=False)), **held.get("options", {})}
    else:
        found = dict(build)
    if "poolings" in held:
        found["pooling"] = held["poolings"][0]
    return {**found, **{name: held[name] for name in _OPTIONS if held.get(name) is not None}}
