"""The parts of a learner's block: what they are, what is wrong with them, and where their weights belong."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from ...checking.exercise import RandomInputs
from .projections import (
    Facts,
    Slots,
    attention_facts,
    attention_slots,
    draw_attention,
    facts_of,
    missing_parts,
    problem_with_attention,
)

LAYERS = ("norm1", "norm2", "ff1", "ff2")
#: The names of the weights of a block.
NAMES = [f"attention.{name}_proj.{kind}" for name in ("q", "k", "v", "out") for kind in ("weight", "bias")]
NAMES += [f"{name}.{kind}" for name in LAYERS for kind in ("weight", "bias")]


def block_facts(block: Any) -> Facts:
    """Return the facts about the parts of a block; the names of its attention's parts begin with "attention."."""
    attention = getattr(block, "attention", None)
    inside = {"in_proj": _torchs_own(attention)} if hasattr(attention, "in_proj_weight") else attention_facts(attention)
    named = {f"attention.{name}": fact for name, fact in inside.items()}
    return {**facts_of(block, ("attention", *LAYERS)), **named}


def _torchs_own(attention: Any) -> list[Any]:
    """Return the facts about the input projection of an nn.MultiheadAttention.

    Such a module is accepted as well, but its weights have other names.
    """
    biases = attention.in_proj_bias is not None and attention.out_proj.bias is not None
    return ["linear", list(attention.in_proj_weight.shape), biases]


def problem_with_block(facts: Facts, build: Mapping[str, Any]) -> str:
    """Return the name of what is wrong with the parts of a block, or ""."""
    width, hidden = build["d_model"], build["d_ff"]
    missing = missing_parts(facts, ("attention", *LAYERS))
    if missing:
        return missing
    inside = {name.removeprefix("attention."): fact for name, fact in facts.items() if name.startswith("attention.")}
    if "in_proj" in inside:
        problem = "" if inside["in_proj"][2] else "bias missing"
    else:
        problem = problem_with_attention(inside, width, bias=True)
    if problem:
        return problem
    if any(facts[name][0] != "layer norm" or not facts[name][2] for name in ("norm1", "norm2")):
        return "norm"
    if any(facts[name][1] is None or not facts[name][2] for name in ("ff1", "ff2")):
        return "feed-forward"
    shapes = {"norm1": [width], "norm2": [width], "ff1": [hidden, width], "ff2": [width, hidden]}
    return next((f"shape of {name}" for name, shape in shapes.items() if list(facts[name][1]) != shape), "")


def block_slots(block: Any, width: int) -> Slots:
    """Return by name where each weight of a block is kept; the block must have all its parts."""
    attention = block.attention
    inside = (
        _slots_in_torchs_own(attention) if hasattr(attention, "in_proj_weight") else attention_slots(attention, width, True)
    )
    slots = {f"attention.{name}": slot for name, slot in inside.items()}
    for name in LAYERS:
        for kind in ("weight", "bias"):
            slots[f"{name}.{kind}"] = (getattr(getattr(block, name), kind), slice(None))
    return slots


def _slots_in_torchs_own(attention: nn.MultiheadAttention) -> Slots:
    weight, bias, out = attention.in_proj_weight, attention.in_proj_bias, attention.out_proj
    slots: Slots = {"out_proj.weight": (out.weight, slice(None)), "out_proj.bias": (out.bias, slice(None))}
    width = len(weight) // 3
    for at, name in enumerate(("q_proj", "k_proj", "v_proj")):
        rows = slice(at * width, (at + 1) * width)
        slots |= {f"{name}.weight": (weight, rows), f"{name}.bias": (bias, rows)}
    return slots


def draw_block(draw: RandomInputs, width: int, hidden: int, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """Return random weights for every parameter of a block, by name."""
    weights = {f"attention.{name}": value for name, value in draw_attention(draw, width, True, dtype).items()}
    for name in ("norm1", "norm2"):
        weights[f"{name}.weight"] = draw.uniform(width, low=0.5, high=1.5, dtype=dtype)
        weights[f"{name}.bias"] = draw.normal(width, dtype=dtype, scale=0.5)
    weights["ff1.weight"] = draw.normal(hidden, width, dtype=dtype, scale=width**-0.5)
    weights["ff1.bias"] = draw.normal(hidden, dtype=dtype, scale=0.5)
    weights["ff2.weight"] = draw.normal(width, hidden, dtype=dtype, scale=1.5 * hidden**-0.5)
    weights["ff2.bias"] = draw.normal(width, dtype=dtype)
    return weights
