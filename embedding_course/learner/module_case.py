"""Give out a public case of a class: its constructor arguments, its weights, and the arguments of a call."""

from collections.abc import Mapping
from typing import Any

from ..checking.exercise import Case, Exercise
from ..checking.next_step import received_arguments
from ..checking.observe import fresh
from ..checking.show import kind
from ..subject.tensors import torch

#: Further items of a case that are arguments of the constructor.
_OPTIONS = ("direct",)


class ModuleCase(dict[str, Any]):
    """Hold the three parts of a case, shown as the lines of code that use them.

    `build` are the constructor's arguments by name; `weights` is a state dict, if the check sets the weights; `inputs` are the
    arguments of a call.
    """

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
            + ", ".join(
                f"{name} = {value!r}" if part == "build" and not isinstance(value, list) else f"{name}: {kind(value)}"
                for name, value in given.items()
            )
            for part, given in self.items()
        ]


def module_case(exercise: Exercise, case: Case, call: str) -> ModuleCase:
    """Return copies of the parts of a class's case; `call` is the line of code that asks for it."""
    given = {**case.args, **case.options}
    parts: dict[str, Any] = {"build": _build(exercise, given)}
    modules = exercise.built_of(given)
    weights = given.get("weights")
    if isinstance(weights, dict) and weights:
        parts["weights"] = weights | {
            f"{name}.{index}.{key}": value
            for name, listed in modules.items()
            for index, module in enumerate(listed)
            for key, value in module.state_dict().items()
        }
    inputs = {name: value for name, value in received_arguments(exercise, case).items() if name not in (*_OPTIONS, "table")}
    if case.criterion != "refused" and (inputs or "weights" in parts):  # Some cases try the constructor alone.
        parts["inputs"] = inputs
    parts = fresh(parts)
    parts["build"] |= modules
    return ModuleCase(exercise.name, call, parts)


def _build(exercise: Exercise, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the constructor's arguments by name, in whichever form the case holds them."""
    build = given.get("build", {})
    if "by_position" in build:
        arguments = {**dict(zip(exercise.sizes, build["by_position"], strict=False)), **build["by_name"]}
    elif exercise.sizes and isinstance(given.get("sizes"), (list, tuple)):
        arguments = {**dict(zip(exercise.sizes, given["sizes"], strict=False)), **given.get("options", {})}
    else:
        arguments = dict(build)
    if "poolings" in given:
        arguments["pooling"] = given["poolings"][0]
    return {**arguments, **{name: given[name] for name in _OPTIONS if given.get(name) is not None}}
