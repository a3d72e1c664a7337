"""The neural probabilistic language model: layers, forward pass, and what can learn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from ...compare import Fault, Same, article
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts, strided

__all__ = ["NPLM"]

_LAYERS = ("embedding", "hidden", "output", "direct")


def _tables(layer: nn.Module) -> dict[str, torch.Tensor]:
    """A layer's weight and bias, also when it stands in a Sequential with layers that have none."""
    owners = [part for part in layer.modules() if any(True for _ in part.parameters(recurse=False))]
    if len(owners) != 1:
        return {}
    found = {name: getattr(owners[0], name, None) for name in ("weight", "bias")}
    return {name: table for name, table in found.items() if isinstance(table, torch.Tensor)}


def _tables_of(model: nn.Module) -> dict[str, torch.Tensor]:
    layers = {name: getattr(model, name, None) for name in _LAYERS}
    return {
        f"{name}.{part}": table
        for name, layer in layers.items()
        if isinstance(layer, nn.Module)
        for part, table in _tables(layer).items()
    }


def _layers(model: nn.Module) -> dict[str, Any]:
    """The shape of every layer's weight and bias; layers that are no layers by what they are instead."""
    shapes: dict[str, Any] = {name: list(table.shape) for name, table in _tables_of(model).items()}
    for name in _LAYERS:
        layer = getattr(model, name, "missing")
        if layer is None or layer is False:
            shapes[name] = "off"
        elif f"{name}.weight" not in shapes:
            shapes[name] = "missing" if isinstance(layer, str) else f"{article(type(layer).__name__)} without a weight"
    return shapes


def _run(
    candidate: type[nn.Module],
    sizes: Sequence[int],
    x: torch.Tensor,
    weights: Mapping[str, torch.Tensor],
    direct: bool | None,
    report: str,
) -> Parts:
    """Build the model, set its weights, and report what was asked: layers, output, or gradients too.

    A `direct` of None leaves that argument to its default. The seed makes what a model should not have (a layer
    too many, dropout) the same each time, so that it can be recognised.
    """
    flag = {} if direct is None else {"direct": direct}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(20)
        model = candidate(*sizes, *flag.values()) if report == "by position" else candidate(*sizes, **flag)
        if report == "layers":
            count = sum(parameter.numel() for parameter in model.parameters())
            return Parts({"layers": _layers(model), "number of parameters": count})
        return _forward(model, x, weights, report)


def _forward(model: nn.Module, x: torch.Tensor, weights: Mapping[str, torch.Tensor], report: str) -> Parts:
    model.train(report == "training mode")
    tables = _tables_of(model)
    for name, value in weights.items():
        if name not in tables or tables[name].shape != value.shape:
            raise ValueError(f"there is no {name} of shape {tuple(value.shape)} in the model")
        tables[name].data.copy_(value)
    output = model(x)
    parts = Parts({"output": output})
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


def _same_layers(expected: dict[str, Any], got: Any, case: Case) -> Fault | None:
    for name, wanted in expected.items():
        found = got.get(name)
        if wanted == "off" and found != "off":
            return Fault("shape", f"`{name}` should be None or False here; it is {found or 'a layer'}")
        if wanted != found:
            layer = name.split(".")[0]
            there = f"has shape {tuple(found)}" if found else f"does not exist; `{layer}` is {got.get(layer, 'a layer')}"
            return Fault("shape", f"`{name}` should have shape {tuple(wanted)}; it {there}")
    extra = next((name for name in got if name not in expected), None)
    return Fault("shape", f"there is a `{extra}`; none was expected") if extra else None


def _arrives(expected: torch.Tensor, got: Any, case: Case) -> Fault | None:
    if got is None:
        return Fault("property", "there is a parameter that no gradient reaches: it cannot learn")
    return Same(dtype="floating").leaf(expected, got, "the gradient of a parameter")


def _weights(draw: Draw, sizes: Sequence[int], direct: bool | None) -> dict[str, torch.Tensor]:
    V, C, d, H = sizes
    shapes = {
        "embedding.weight": (V, d), "hidden.weight": (H, C * d), "hidden.bias": (H,),
        "output.weight": (V, H), "output.bias": (V,), "direct.weight": (V, C * d),
    }  # fmt: skip
    return {name: draw.normal(*shape) for name, shape in shapes.items() if direct or not name.startswith("direct")}


def _cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str,
        sizes: Sequence[int],
        criterion: str,
        because: str = "",
        *,
        rows: int = 3,
        x: torch.Tensor | None = None,
        direct: bool | None = None,
        report: str = "",
        far: bool = False,
        loud: bool = False,
    ) -> Case:
        if x is None:
            x = draw.ids((rows, sizes[1]), sizes[0])
            x[draw.integer(0, rows - 1), draw.integer(0, sizes[1] - 1)] = 0  # the id that often is padding
        weights = _weights(draw, sizes, direct)
        if loud:
            weights["embedding.weight"] *= 30
            weights["hidden.weight"] /= 30
        elif report == "gradients":  # where all units are saturated, 2 sigmoid(2x) - 1 has lost what tanh still holds
            weights["hidden.weight"] *= 0.3
        if far:  # hidden sums from 150 to 600 on either side, where exp overflows
            weights["hidden.bias"] = torch.where(draw.normal(sizes[3]) < 0, -1.0, 1.0) * draw.uniform(
                sizes[3], low=250, high=500
            )
        given = ", ".join(str(size) for size in sizes)
        flag = "" if direct is None else f", {direct}" if report == "by position" else f", direct={direct}"
        told = f"model = NPLM({given}{flag})"
        told += {
            "layers": "",
            "two batches": f"; model(x) and model(x[:1]) with x of shape {tuple(x.shape)}",
            "another table": f"; model(x) with x of shape {tuple(x.shape)}, before and after embedding.weight.mul_(-0.5)",
            "training mode": f"; model.train()(x) with x of shape {tuple(x.shape)}",
            "gradients": f"; model(x) with x of shape {tuple(x.shape)}, and backward",
        }.get(report, f"; model(x) with x of shape {tuple(x.shape)}")
        args = {"sizes": list(sizes), "x": x, "weights": weights, "direct": direct, "report": report}
        return Case(name, args, criterion, call=told, because=because)

    def every_id(sizes: Sequence[int]) -> torch.Tensor:
        """All ids of the vocabulary, the first and the last twice, spread over rows of the context's length."""
        V, C = sizes[:2]
        ids = torch.cat([torch.arange(V), torch.tensor([0, V - 1])])
        ids = torch.cat([ids, draw.ids(-len(ids) % C, V)])
        return ids[draw.distinct(len(ids), len(ids))].reshape(-1, C)

    V, C, d, H = draw.choice(((11, 2, 3, 5), (11, 3, 5, 7), (13, 3, 2, 5), (11, 5, 2, 3)))
    rows = draw.choice([prime for prime in (2, 3, 5, 7) if prime not in (C, d, H)])
    yield case("seven words, all else 2", (7, 2, 2, 2), "layers", "That makes 14 + 10 + 21 = 45 parameters.",
               report="layers")  # fmt: skip
    yield case("sizes that all differ", (V, C, d, H), "layers",
               "Parameters in order: vocab_size, context, embedding_dim, hidden_dim.", report="layers")  # fmt: skip
    yield case("direct=False", (V, C, d, H), "layers", direct=False, report="layers")

    yield case("one row", (V, C, d, H), "forward", rows=1)
    yield case("several rows", (V, C, d, H), "forward",
               "Word after word, oldest first, the vectors of a row stand side by side; no row sees another.",
               rows=rows)  # fmt: skip
    yield case("a hidden layer of one unit", (V, C, d, 1), "forward", rows=rows)
    yield case("as many rows as words of context", (V, 3, d, H), "forward", rows=3)
    yield case("embeddings as wide as the context is long", (V, 3, 3, 5), "forward", rows=2)
    yield case("as many rows as words in the vocabulary", (5, 2, 3, 5), "forward", rows=5)
    yield case("a context of one word", (V, 1, 3, 5), "forward", rows=rows)
    yield case("x with gaps in memory", (V, 3, 2, 5), "forward", x=strided(draw.ids((4, 3), V)))
    yield case("two batches of different size", (V, C, d, H), "forward", rows=rows, report="two batches")
    yield case("the same batch, another table", (V, C, d, H), "forward", "The table learns; its vectors are looked up anew.",
               rows=rows, report="another table")  # fmt: skip
    yield case("in training mode", (V, C, d, H), "forward", "There is no dropout unless somebody asks for it.",
               rows=rows, report="training mode")  # fmt: skip
    yield case("very large hidden sums", (V, C, d, H), "forward", "tanh of 500 is 1; exp of 500 is inf.",
               rows=rows, far=True)  # fmt: skip

    added = "A linear layer without bias leads from the concatenated vectors straight to the logits."
    yield case("the layers with direct=True", (V, C, d, H), "direct", added, direct=True, report="layers")
    yield case("direct=True", (V, C, d, H), "direct", added, rows=rows, direct=True)
    yield case("direct=True, long vectors", (V, C, d, H), "direct", "Vectors of any length: nothing is clipped.", rows=rows,
               direct=True, loud=True)  # fmt: skip
    yield case("direct, given by position", (V, C, d, H), "direct", added, rows=rows, direct=True, report="by position")
    yield case("direct, and the hidden layer as wide as its input", (V, 2, 3, 6), "direct", added, rows=2, direct=True)
    yield case("direct, and all widths equal", (6, 2, 3, 6), "direct", added, rows=6, direct=True)

    learns = "The loss must reach every parameter, and every row of the table that was looked up."
    sizes = (V, C, d, H)
    yield case("gradients", sizes, "learning", learns, x=every_id(sizes), report="gradients")
    yield case("gradients with direct=True", sizes, "direct", learns, x=every_id(sizes), direct=True,
               report="gradients")  # fmt: skip
    yield case("gradients, very large hidden sums", sizes, "learning", learns, x=every_id(sizes), report="gradients",
               far=True)  # fmt: skip
    repeated = draw.ids((rows, 1), V).repeat(1, 3)
    yield case("gradients, one word all along", (V, 3, d, H), "learning", "Each use of a row adds its gradient.",
               x=repeated, report="gradients")  # fmt: skip


NPLM = Exercise(
    id="04.NPLM",
    title="The neural probabilistic language model",
    why="Here words share what is learned: a vector that gets better for one sentence is better in all of them.",
    difficulty=3,
    minutes=18,
    criteria=(
        Criterion("layers", 1, "embedding, hidden, output and direct have the right sizes, and there is nothing else"),
        Criterion("forward", 2, "embedding, concatenation, linear, tanh, linear, for any batch"),
        Criterion("direct", 1, "direct=True adds a bias-free linear layer from the concatenation to the logits"),
        Criterion("learning", 1, "gradients reach every parameter; no id is special"),
    ),
    hints=(
        "Write the shape behind every line: (B, C), then (B, C, d), then (B, C * d), then (B, H), then (B, V).",
        "45 parameters for sizes 7, 2, 2, 2: a table of 14, a hidden layer of 2 x 4 and its bias, an output of 7 x 2 and "
        "its bias. How wide must the input of the hidden layer be?",
        "Concatenating C vectors of width d keeps the memory as it is: merge the last two axes, and leave the batch axis.",
        "`direct` is a layer without bias from width C * d to V, or None. In forward its result is added to the logits "
        "only when there is one.",
    ),
    cases=_cases,
    run=_run,
    compare=Same(
        dtype="floating",
        rules={
            "layers": _same_layers,
            **{
                f"gradient of {layer}.{part}": _arrives for layer in _LAYERS for part in ("weight", "bias")
            },
        },
    ),
)  # fmt: skip
