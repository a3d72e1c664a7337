"""Setting the weights of a learner's attention, whichever of the allowed forms it has."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch import nn

from ...checking.exercise import Case, Comparison, Mismatch, NamedParts, Observation, RandomInputs
from ...checking.training_mode import IN_TRAINING, in_training_mode
from ...messages import Code, Listing, Message
from .gradients import backward

#: Name of a weight -> the parameter that holds it, and the rows of it.
Slots = dict[str, tuple[torch.Tensor, slice]]
#: Name of a part of a module -> what sort of layer it is, the shape of its weight, and whether it has a bias.
Facts = dict[str, list[Any]]

_PARTS = ("q_proj", "k_proj", "v_proj")
#: The beginnings of problems that name parts.
_MISSING, _SHAPE = "missing: ", "shape of "
_PROBLEMS = {
    "names": Message("The module has no q_proj, k_proj, v_proj and out_proj (or qkv_proj and out_proj)."),
    "linear": Message("A projection is no nn.Linear."),
    "matrix": Message("A projection is a bare matrix where an nn.Linear is wanted."),
    "shape": Message("A weight has another shape than the sizes ask for."),
    "bias missing": Message("A projection has no bias where all should have one."),
    "bias not wanted": Message("A projection has a bias where none should have one."),
    "bias of out_proj missing": Message("`out_proj` has no bias where biases are wanted."),
    "bias of out_proj not wanted": Message("`out_proj` has a bias where none is wanted."),
    "feed-forward": Message("`ff1` or `ff2` has no weight or no bias."),
    "norm": Message("`norm1` or `norm2` is no nn.LayerNorm with weight and bias."),
}


def draw_attention(draw: RandomInputs, width: int, bias: bool, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """Return random weights for the four projections, large enough that attention is far from uniform."""
    weights = {}
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        weights[f"{name}.weight"] = draw.normal(width, width, dtype=dtype, scale=1.2 / width**0.5)
        if bias:
            weights[f"{name}.bias"] = draw.normal(width, dtype=dtype)
    return weights


def facts_of(module: Any, names: Sequence[str]) -> Facts:
    """Return the facts about the parts with these names: kind, shape of the weight, and whether there is a bias.

    A part that the module does not have is left out.
    """
    facts: Facts = {}
    for name in names:
        part = getattr(module, name, None)
        if part is None:
            continue
        sorts = (("linear", nn.Linear), ("layer norm", nn.LayerNorm), ("matrix", torch.Tensor))
        sort = next((sort for sort, kind in sorts if isinstance(part, kind)), "other")
        weight, bias = getattr(part, "weight", None), getattr(part, "bias", None)
        shape = list(weight.shape) if isinstance(weight, torch.Tensor) else None
        facts[name] = [sort, shape, isinstance(bias, torch.Tensor)]
    return facts


def missing_parts(facts: Facts, names: Sequence[str]) -> str:
    """Return the name of the problem that these parts are not all there, or ""."""
    missing = [name for name in names if name not in facts]
    return _MISSING + " ".join(missing) if missing else ""


def _message(problem: str, messages: Mapping[str, Message]) -> Message:
    """Return the sentence for a problem; some name a part of the module."""
    if problem.startswith(_MISSING):
        names = Listing([Code(f"`self.{name}`") for name in problem.removeprefix(_MISSING).split()])
        return Message("The module has no {names}.", names=names)
    if problem.startswith(_SHAPE):
        says = Message("The weight of `{name}` has another shape than the sizes ask for.")
        return says.fill(name=Code(problem.removeprefix(_SHAPE)))
    return messages[problem]


def attention_facts(attention: Any) -> Facts:
    """Return the facts about the projections of an attention module."""
    return facts_of(attention, ("qkv_proj", *_PARTS, "out_proj"))


def problem_with_attention(facts: Facts, width: int, bias: bool) -> str:
    """Return the name of what is wrong with the projections of an attention module, or ""."""
    joined = "qkv_proj" in facts
    for name in ("qkv_proj", "out_proj") if joined else (*_PARTS, "out_proj"):
        if name not in facts:
            return "names"
        sort, shape, has_bias = facts[name]
        if sort != "linear":
            return "matrix" if sort == "matrix" else "linear"
        if list(shape) != [3 * width if name == "qkv_proj" else width, width]:
            return "shape"
        if has_bias != bias:
            return f"bias{' of out_proj' if name == 'out_proj' else ''} {'missing' if bias else 'not wanted'}"
    return ""


def attention_slots(attention: Any, width: int, bias: bool) -> Slots:
    """Return by name where each weight of an attention module is kept; the module must have all its parts."""
    joined = "qkv_proj" in attention_facts(attention)
    slots: Slots = {}
    for at, name in enumerate((*_PARTS, "out_proj")):
        inside = joined and name in _PARTS
        layer = getattr(attention, "qkv_proj" if inside else name)
        rows = slice(at * width, (at + 1) * width) if inside else slice(None)
        slots[f"{name}.weight"] = (layer.weight, rows)
        if bias:
            slots[f"{name}.bias"] = (layer.bias, rows)
    return slots


def fill(slots: Slots, weights: Mapping[str, torch.Tensor]) -> None:
    """Write the weights into their parameters."""
    for name, value in weights.items():
        parameter, rows = slots[name]
        parameter.data[rows] = value


def gradients_at(slots: Slots) -> dict[str, torch.Tensor | None]:
    """Return the gradient of each weight, None where none arrived.

    The bias of the keys is left out: it does not change the attention weights, so its gradient is 0.
    """
    return {
        f"gradient of {name}": None if parameter.grad is None else parameter.grad[rows]
        for name, (parameter, rows) in slots.items()
        if not name.endswith("k_proj.bias")
    }


def called(
    model: nn.Module,
    slots: Slots,
    weights: Mapping[str, torch.Tensor],
    inputs: Mapping[str, torch.Tensor],
    before: Callable[[], Any],
    leaves: Sequence[str],
    upstream: torch.Tensor | None = None,
    by_position: bool = False,
    training: bool = False,
    result: str = "output",
) -> dict[str, Any]:
    """Set the weights of a module, call `before`, call the module, and return its output under the name `result`.

    With `upstream`, return the gradients of the weights and of the inputs in `leaves` instead. With `training`, also return
    the output in training mode.
    """
    model = model.to(next(iter(weights.values())).dtype).eval()
    fill(slots, weights)
    before()
    given = dict(inputs)
    if upstream is not None:
        given = {name: value.clone().requires_grad_() if value.is_floating_point() else value for name, value in inputs.items()}
    reached = {name: given[name] for name in leaves if name in given}
    output = model(*given.values()) if by_position else model(given.pop("x"), **given)
    if upstream is not None:
        return {**backward([output], [upstream], reached), **gradients_at(slots)}
    mode = {IN_TRAINING: in_training_mode(model, lambda: model(inputs["x"]))} if training else {}
    return {result: output, **mode}


@dataclass(frozen=True)
class WithModule(Comparison):
    """Compare the parts of a module, then what it returned.

    `problem` names what is wrong with the facts of the parts, given the sizes that the case builds the module with. `messages`
    are the sentences for problems that are not in `_PROBLEMS`.
    """

    problem: Callable[[Facts, Mapping[str, Any]], str] = lambda facts, build: ""
    messages: Mapping[str, Message] = field(default_factory=dict)

    def seen(self, observation: Observation, case: Case) -> Observation:
        """Return the observation with the name of the problem in place of the facts, which may differ between right answers."""
        parts = observation.value
        if not isinstance(parts, dict) or "layers" not in parts:
            return observation
        problem = self.problem(parts["layers"], case.args["build"])
        return replace(observation, value=NamedParts({"module": problem, **{k: v for k, v in parts.items() if k != "layers"}}))

    def __call__(self, expected: Observation, got: Observation, case: Case) -> Mismatch | None:
        """Compare the parts of the module, then what it returned."""
        seen = self.seen(got, case).value
        problem = seen.get("module") if isinstance(seen, dict) else None
        if problem and not expected.raised:
            return Mismatch("property", _message(problem, {**_PROBLEMS, **self.messages}))
        return super().__call__(expected, got, case)
