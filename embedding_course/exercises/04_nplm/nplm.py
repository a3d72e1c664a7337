"""The neural probabilistic language model: layers, forward pass, and what can learn."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, RandomInputs, strided
from ...checking.mismatch import wrong_shape
from ...checking.show import describe
from ...messages import Code, Message
from .nplm_driver import LAYERS, PARAMETERS, run


def _same_layers(expected: dict[str, Any], got: Any, case: Case) -> Mismatch | None:
    held, tables = got["held"], got["tables"]
    for name, wanted in expected["held"].items():
        if wanted is None and (name not in held or held[name] not in (None, False)):
            message = Message("`{name}` should be None or False here, and not {received}.", name=Code(name))
            return Mismatch("shape", message.fill(received=_kind_of(held, name)))
    for name, wanted in expected["tables"].items():
        table = tables.get(name)
        if not isinstance(table, torch.Tensor):
            layer = name.split(".")[0]
            message = Message("`{name}` does not exist; `{layer}` is {received}.", name=Code(name), layer=Code(layer))
            return Mismatch("shape", message.fill(received=_kind_of(held, layer)))
        if table.shape != wanted.shape:
            return wrong_shape(Message("`{name}`", name=Code(name)), wanted.shape, table.shape)
    extra = next((name for name in tables if name not in expected["tables"]), None)
    if extra:
        named_by_us = extra in {f"{layer}.{kind}" for layer in LAYERS for kind in ("weight", "bias")}
        name = Code(extra) if named_by_us else extra
        return Mismatch("shape", Message("There is a `{name}` that should not be there.", name=name))
    return Comparison(dtype="floating").leaf(expected["tables"], tables, Message("the weights as they were set"))


def _kind_of(held: dict[str, Any], name: str) -> Message:
    return describe(held[name], sizes=False) if name in held else Message("missing")


def _arrives(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    if got is None:
        return Mismatch("property", Message("There is a parameter that no gradient reaches: it cannot learn."))
    return Comparison(dtype="floating").leaf(expected, got, Message("the gradient of a parameter"))


def _weights(draw: RandomInputs, sizes: Sequence[int], direct: bool | None) -> dict[str, torch.Tensor]:
    V, C, d, H = sizes
    shapes = {
        "embedding.weight": (V, d), "hidden.weight": (H, C * d), "hidden.bias": (H,),
        "output.weight": (V, H), "output.bias": (V,), "direct.weight": (V, C * d),
    }
    return {name: draw.normal(*shape) for name, shape in shapes.items() if direct or not name.startswith("direct")}


def _cases(draw: RandomInputs) -> Iterator[Case]:
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
            drawn: torch.Tensor = draw.ids((rows, sizes[1]), sizes[0])
            drawn[draw.integer(0, rows - 1), draw.integer(0, sizes[1] - 1)] = 0  # the id that often is padding
            x = drawn
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
        if report == "by name":
            given = ", ".join(f"{name}={size}" for name, size in zip(PARAMETERS, sizes, strict=True))
        call = f"model = NPLM({given}{flag})"
        call += {
            "layers": "",
            "two batches": f"; model(x) and model(x[:1]) with x of shape {tuple(x.shape)}",
            "another table": f"; model(x) with x of shape {tuple(x.shape)}, before and after embedding.weight.mul_(-0.5)",
            "training mode": f"; model.train()(x) with x of shape {tuple(x.shape)}",
            "gradients": f"; model(x) with x of shape {tuple(x.shape)}, and backward",
        }.get(report, f"; model(x) with x of shape {tuple(x.shape)}")
        args = {"sizes": list(sizes), "x": x, "weights": weights, "direct": direct, "report": report}
        return Case(name, args, criterion, call=call, because=because)

    def every_id(sizes: Sequence[int]) -> torch.Tensor:
        """Return all ids of the vocabulary, the first and the last one twice, in rows of the context's length."""
        V, C = sizes[:2]
        ids = torch.cat([torch.arange(V), torch.tensor([0, V - 1])])
        ids = torch.cat([ids, draw.ids(-len(ids) % C, V)])
        return ids[draw.distinct(len(ids), len(ids))].reshape(-1, C)

    def unlike() -> tuple[int, int, int, int]:
        """Return four different sizes, of which the vocabulary is the largest."""
        C, d, spare = draw.shuffled((2, 3, 5))
        return draw.choice((13, 17, 19)), C, d, draw.choice((spare, 7, 11))

    yield case("seven words, all else 2", (7, 2, 2, 2), "layers", "That makes 14 + 10 + 21 = 45 parameters.",
               report="layers").trying("`hidden` and `output`", "There is no dropout")
    yield case("sizes that all differ", unlike(), "layers",
               "Parameters in order: vocab_size, context, embedding_dim, hidden_dim.", report="layers").trying(
        "vocab_size V", "context", "embedding_dim", "hidden_dim", "`hidden` and `output`", "`direct`, an nn.Linear")
    yield case("direct=False", unlike(), "layers", direct=False, report="layers").trying(
        "vocab_size V", "context", "embedding_dim", "hidden_dim", "direct whether", "`direct`, an nn.Linear")

    sizes = V, C, d, H = unlike()
    rows = draw.choice([prime for prime in (2, 3, 5, 7) if prime not in (C, d, H)])
    yield case("several rows", sizes, "forward",
               "Word after word, oldest first, the vectors of a row stand side by side; no row sees another.",
               rows=rows).trying("With e the embeddings")
    yield case("two batches of different size", sizes, "forward", rows=rows, report="two batches").trying("returns the logits")
    yield case("the same batch, another table", sizes, "forward", "The table changes, so each call looks up again.",
               rows=rows, report="another table").trying("Attributes: `embedding`")

    yield case("one row", sizes, "any batch", rows=1).trying("forward(x): x", "returns the logits")
    yield case("a hidden layer of one unit", (V, C, d, 1), "any batch", rows=rows)
    yield case("as many rows as words of context", (V, 3, d, H), "any batch", rows=3)
    yield case("embeddings as wide as the context is long", (V, 3, 3, 5), "any batch", rows=2)
    yield case("as many rows as words in the vocabulary", (5, 2, 3, 5), "any batch", rows=5).trying("forward(x): x")
    yield case("a context of one word", (V, 1, 3, 5), "any batch", rows=rows).trying("forward(x): x")
    yield case("x with gaps in memory", (V, 3, 2, 5), "any batch", x=strided(draw.ids((4, 3), V))).trying("forward(x): x")
    yield case("in training mode", sizes, "any batch", "There is no dropout: the result is the same.",
               rows=rows, report="training mode").trying("There is no dropout")
    yield case("very large hidden sums", sizes, "any batch", "tanh of 500 is 1; exp of 500 is inf.",
               rows=rows, far=True).trying("With e the embeddings")
    yield case("docstring example", (7, 2, 2, 2), "any batch", "The parameters have these names.",
               x=torch.tensor([[0, 3], [3, 6], [1, 1]]), report="by name").trying("returns the logits")

    added = "A linear layer without bias leads from the concatenated vectors straight to the logits."
    yield case("the layers with direct=True", unlike(), "direct", added, direct=True, report="layers").trying(
        "vocab_size V", "context", "embedding_dim", "hidden_dim", "direct whether", "`direct`, an nn.Linear")
    yield case("direct=True", sizes, "direct", added, rows=rows, direct=True).trying("With e the embeddings", "direct whether")
    yield case("direct=True, long vectors", sizes, "direct", "Vectors of any length: nothing is clipped.", rows=rows,
               direct=True, loud=True).trying("Attributes: `embedding`")
    yield case("direct, given by position", sizes, "direct", added, rows=rows, direct=True, report="by position").trying(
        "direct whether")
    yield case("direct, and the hidden layer as wide as its input", (V, 2, 3, 6), "direct", added, rows=2, direct=True)
    yield case("direct, and all widths equal", (6, 2, 3, 6), "direct", added, rows=6, direct=True)

    learns = "The loss must reach every parameter, and every row of the table that was looked up."
    yield case("gradients", sizes, "learning", learns, x=every_id(sizes), report="gradients").trying("Attributes: `embedding`")
    yield case("gradients with direct=True", sizes, "direct", learns, x=every_id(sizes), direct=True,
               report="gradients").trying("Gradients reach")
    yield case("gradients, very large hidden sums", sizes, "learning", learns, x=every_id(sizes), report="gradients",
               far=True)
    yield case("gradients, one row", sizes, "learning", learns, rows=1, report="gradients")
    repeated = draw.ids((rows, 1), V).repeat(1, 3)
    yield case("gradients, one word all along", (V, 3, d, H), "learning", "Each use of a row adds its gradient.",
               x=repeated, report="gradients")


NPLM = Exercise(
    id="04.NPLM",
    title="The neural probabilistic language model",
    why="A word has one vector in all sentences, so what one sentence teaches helps the others.",
    difficulty=3,
    minutes=24,
    criteria=(
        Criterion("layers", 2, "embedding, hidden, output and direct have the right sizes, and there is nothing else"),
        Criterion("forward", 2.5, "embedding, concatenation, linear, tanh, linear"),
        Criterion("any batch", 1, "one row or many, sizes that coincide, large sums, no dropout"),
        Criterion("direct", 1, "direct=True adds a bias-free linear layer from the concatenation to the logits"),
        Criterion("learning", 0.5, "gradients reach every parameter; no id is special", tries=("Gradients reach",)),
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
    of_driver=("sizes", "weights", "report"),
    sizes=("vocab_size", "context", "embedding_dim", "hidden_dim"),
    run=run,
    by_products=("layers", "number of parameters"),
    compare=Comparison(
        dtype="floating",
        rules={
            "layers": _same_layers,
            **{f"gradient of {layer}.{part}": _arrives for layer in LAYERS for part in ("weight", "bias")},
        },
    ),
)
