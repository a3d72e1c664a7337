"""The parts of a learner's language model: what they are, what is wrong with them, and where their weights belong."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from ...checking.exercise import RandomInputs
from ...messages import Message
from .block_parts import block_facts, block_slots, draw_block, problem_with_block
from .projections import Facts, Slots, facts_of, missing_parts

_TABLES = ("token_table", "position_table")

PROBLEMS = {
    "last norm missing": Message("The model has no attribute norm."),
    "last norm": Message("The model's norm is no nn.LayerNorm of width d with weight and bias."),
    "token table": Message("`token_table` has not V rows of width d."),
    "position table": Message("`position_table` has not max_length rows of width d."),
    "token table of another kind": Message("`token_table` is no nn.Embedding."),
    "position table of another kind": Message("`position_table` is no nn.Embedding."),
    "blocks unknown to torch": Message("`blocks` is no nn.ModuleList: the parameters inside it are not the model's."),
    "number of blocks": Message("There is another number of blocks than asked for."),
    "parts of a block": Message("The parts of a block are not those of a TransformerBlock of these sizes."),
    "output matrix": Message("There are V times d parameters too many, as many as an output of its own has."),
    "output layer": Message("There are V times d and V parameters too many, as many as an output of its own with a bias has."),
    "output bias": Message("There are V parameters too many, as many as a bias of the output has."),
    "more parameters": Message("There are more parameters than asked for."),
    "fewer parameters": Message("There are fewer parameters than asked for."),
}


def model_facts(model: Any) -> Facts:
    """Return the facts about the parts of a model and of each of its blocks, and its number of parameters."""
    facts = facts_of(model, (*_TABLES, "norm"))
    for name in set(_TABLES) & set(facts):
        facts[name][0] = "table" if isinstance(getattr(model, name), nn.Embedding) else "other"
    blocks = getattr(model, "blocks", None)
    if blocks is not None:
        known = isinstance(blocks, (nn.ModuleList, nn.Sequential))
        facts["blocks"] = [known, [block_facts(block) for block in blocks] if known else None]
    facts["parameters"] = [sum(parameter.numel() for parameter in model.parameters())]
    return facts


def problem_with_model(facts: Facts, build: Mapping[str, Any]) -> str:
    """Return the name of what is wrong with the parts of a model, or ""."""
    missing = missing_parts(facts, (*_TABLES, "blocks"))
    if missing:
        return missing
    width = build["d_model"]
    for name, rows in (("token table", build["vocab_size"]), ("position table", build["max_length"])):
        sort, shape, _ = facts[name.replace(" ", "_")]
        if sort != "table":
            return f"{name} of another kind"
        if list(shape) != [rows, width]:
            return name
    if "norm" not in facts:
        return "last norm missing"
    sort, shape, has_bias = facts["norm"]
    if sort != "layer norm" or shape is None or list(shape) != [width] or not has_bias:
        return "last norm"
    return _problem_with_blocks(facts["blocks"], build) or _problem_with_count(facts["parameters"][0], build)


def _problem_with_blocks(fact: list[Any], build: Mapping[str, Any]) -> str:
    known, blocks = fact
    if not known:
        return "blocks unknown to torch"
    if len(blocks) != build["layers"]:
        return "number of blocks"
    return "parts of a block" if any(problem_with_block(block, build) for block in blocks) else ""


def _problem_with_count(count: int, build: Mapping[str, Any]) -> str:
    words, width, hidden = build["vocab_size"], build["d_model"], build["d_ff"]
    block = 4 * (width * width + width) + 4 * width + 2 * width * hidden + hidden + width
    extra = count - ((words + build["max_length"]) * width + build["layers"] * block + 2 * width)
    usual = {0: "", words * width: "output matrix", words * (width + 1): "output layer", words: "output bias"}
    return usual.get(extra, "more parameters" if extra > 0 else "fewer parameters")


def model_slots(model: Any, width: int) -> Slots:
    """Return by name where each weight of a model is kept; the model must have all its parts."""
    slots: Slots = {f"{name}.weight": (getattr(model, name).weight, slice(None)) for name in _TABLES}
    slots |= {f"norm.{kind}": (getattr(model.norm, kind), slice(None)) for kind in ("weight", "bias")}
    for at, block in enumerate(model.blocks):
        slots |= {f"blocks.{at}.{name}": slot for name, slot in block_slots(block, width).items()}
    return slots


def draw_model(draw: RandomInputs, build: Mapping[str, int], dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """Return random weights for every parameter.

    Both tables are as large as the results of the blocks, so that each part shows in the logits.
    """
    width = build["d_model"]
    weights = {
        "token_table.weight": draw.normal(build["vocab_size"], width, dtype=dtype),
        "position_table.weight": draw.normal(build["max_length"], width, dtype=dtype),
        "norm.weight": draw.uniform(width, low=0.5, high=1.5, dtype=dtype),
        "norm.bias": draw.normal(width, dtype=dtype, scale=0.5),
    }
    for at in range(build["layers"]):
        block = draw_block(draw, width, build["d_ff"], dtype)
        # An exact GELU and its tanh form are both right: the feed-forward nets are kept small, so that they differ little.
        block["ff2.weight"] *= 0.5
        weights |= {f"blocks.{at}.{name}": value for name, value in block.items()}
    return weights
