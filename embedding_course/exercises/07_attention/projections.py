"""Setting the weights of a learner's attention, whichever of the allowed forms it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from ...compare import Fault
from ...draw import Draw
from ...exercise import Case

__all__ = ["Slots", "attention_slots", "draw_attention", "fill", "gradients_at", "judge_module"]

#: Name of a weight -> the parameter that holds it, and the rows of it.
Slots = dict[str, tuple[torch.Tensor, slice]]

_PROBLEMS = {
    "names": "the module has no q_proj, k_proj, v_proj and out_proj (or qkv_proj and out_proj)",
    "linear": "a projection is no nn.Linear",
    "matrix": "a projection is a bare matrix where an nn.Linear is wanted",
    "shape": "a weight has another shape than the sizes ask for",
    "bias missing": "a projection has no bias where all should have one",
    "bias not wanted": "a projection has a bias where none should have one",
    "bias of out_proj missing": "out_proj has no bias where biases are wanted",
    "bias of out_proj not wanted": "out_proj has a bias where none is wanted",
    "attributes": "the attributes attention, norm1, norm2, ff1 and ff2 are not all there",
    "feed-forward": "ff1 or ff2 has no weight or no bias",
    "norm": "norm1 or norm2 is no nn.LayerNorm with weight and bias",
}


def draw_attention(draw: Draw, width: int, bias: bool, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """Weights for the four projections, large enough that attention is far from uniform."""
    weights = {}
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        weights[f"{name}.weight"] = draw.normal(width, width, dtype=dtype, scale=1.2 / width**0.5)
        if bias:
            weights[f"{name}.bias"] = draw.normal(width, dtype=dtype)
    return weights


def attention_slots(attention: Any, width: int, bias: bool) -> tuple[str, Slots]:
    """Where the weights belong, and the name of what is wrong with the module, if anything is."""
    parts = ("q_proj", "k_proj", "v_proj")
    joined = getattr(attention, "qkv_proj", None)
    if joined is not None:
        layers = {name: (joined, slice(at * width, (at + 1) * width), 3 * width) for at, name in enumerate(parts)}
    else:
        layers = {name: (getattr(attention, name, None), slice(None), width) for name in parts}
    layers["out_proj"] = (getattr(attention, "out_proj", None), slice(None), width)
    found: Slots = {}
    for name, (layer, rows, height) in layers.items():
        if layer is None:
            return "names", {}
        if not isinstance(layer, nn.Linear):
            return "matrix" if isinstance(layer, torch.Tensor) else "linear", {}
        if layer.weight.shape != (height, width):
            return "shape", {}
        if (layer.bias is not None) != bias:
            return f"bias{' of out_proj' if name == 'out_proj' else ''} {'missing' if bias else 'not wanted'}", {}
        found[f"{name}.weight"] = (layer.weight, rows)
        if bias:
            found[f"{name}.bias"] = (layer.bias, rows)
    return "", found


def fill(slots: Slots, weights: Mapping[str, torch.Tensor]) -> str:
    """Write the weights into their parameters; names what is wrong, if anything is."""
    for name, value in weights.items():
        parameter, rows = slots[name]
        if parameter[rows].shape != value.shape:
            return "shape"
        parameter.data[rows] = value
    return ""


def gradients_at(slots: Slots) -> dict[str, torch.Tensor | None]:
    """What backward left at each weight. The keys' bias is left out: it moves no weight, its gradient is 0."""
    return {
        f"gradient of {name}": None if parameter.grad is None else parameter.grad[rows]
        for name, (parameter, rows) in slots.items()
        if not name.endswith("k_proj.bias")
    }


def judge_module(_: Any, got: Any, __: Case) -> Fault | None:
    """The rule for the part "module": the name of what is wrong, or nothing."""
    return Fault("property", _PROBLEMS.get(got, "the module cannot be used")) if got else None
