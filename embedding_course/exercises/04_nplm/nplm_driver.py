"""How `04.NPLM` is tried: built from plain sizes, its weights set by name, and run."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn

from ...checking.exercise import NamedParts

LAYERS = ("embedding", "hidden", "output", "direct")
PARAMETERS = ("vocab_size", "context", "embedding_dim", "hidden_dim")


def _tables(layer: nn.Module) -> dict[str, torch.Tensor]:
    """Return a layer's weight and bias, also if the layer is in a Sequential with layers that have no parameters."""
    owners = [part for part in layer.modules() if any(True for _ in part.parameters(recurse=False))]
    if len(owners) != 1:
        return {}
    tables = {name: getattr(owners[0], name, None) for name in ("weight", "bias")}
    return {name: table for name, table in tables.items() if isinstance(table, torch.Tensor)}


def _tables_of(model: nn.Module) -> dict[str, torch.Tensor]:
    layers = {name: getattr(model, name, None) for name in LAYERS}
    return {
        f"{name}.{part}": table
        for name, layer in layers.items()
        if isinstance(layer, nn.Module)
        for part, table in _tables(layer).items()
    }


def _layers(model: nn.Module) -> dict[str, Any]:
    """Return what the model holds under each layer's name, as plain data, and the weights and biases of these layers."""
    held = {name: getattr(model, name) for name in LAYERS if hasattr(model, name)}
    return {"held": held, "tables": _tables_of(model)}


def run(
    candidate: type[nn.Module],
    sizes: Sequence[int],
    x: torch.Tensor,
    weights: Mapping[str, torch.Tensor],
    direct: bool | None,
    report: str,
) -> NamedParts:
    """Build the model, set its weights, and report what was asked: layers with their tables, output, or gradients too.

    A `direct` of None leaves that argument to its default. The seed makes what a model should not have (a layer
    too many, dropout) the same each time, so that it can be recognised.
    """
    flag = {} if direct is None else {"direct": direct}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(20)
        if report == "by name":
            model = candidate(**dict(zip(PARAMETERS, sizes, strict=True)), **flag)
        else:
            model = candidate(*sizes, *flag.values()) if report == "by position" else candidate(*sizes, **flag)
        if report == "layers":
            for name, table in _tables_of(model).items():
                if name in weights and table.shape == weights[name].shape:
                    table.data.copy_(weights[name])
            count = sum(parameter.numel() for parameter in model.parameters())
            return NamedParts({"layers": _layers(model), "number of parameters": count})
        return _forward(model, x, weights, report)


def _forward(model: nn.Module, x: torch.Tensor, weights: Mapping[str, torch.Tensor], report: str) -> NamedParts:
    model.train(report == "training mode")
    tables = _tables_of(model)
    for name, value in weights.items():
        if name not in tables or tables[name].shape != value.shape:
            raise ValueError(f"there is no {name} of shape {tuple(value.shape)} in the model")
        tables[name].data.copy_(value)
    output = model(x)
    parts = NamedParts({"output": output})
    if report == "two batches":
        parts["output for the first row alone"] = model(x[:1])
    if report == "another table":
        with torch.no_grad():
            tables["embedding.weight"].mul_(-0.5)
        parts["output with another table"] = model(x)
    if report == "gradients":
        steps = torch.arange(output.numel(), dtype=output.dtype)
        output.backward((0.5 + 0.37 * steps).sin().reshape(output.shape))
        parts.update({f"gradient of {name}": tables[name].grad for name in weights})
    return parts
