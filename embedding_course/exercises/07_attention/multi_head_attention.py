"""Multi-head attention: cases and comparison."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, NamedParts, RandomInputs, strided
from ...checking.training_mode import IN_TRAINING, no_dropout, whatever_was_dropped
from .gradients import compare_with_gradients
from .heads import some_mask
from .projections import (
    Facts,
    WithModule,
    attention_facts,
    attention_slots,
    called,
    draw_attention,
    problem_with_attention,
)

_NAMES = [f"{name}_proj.{kind}" for name in ("q", "k", "v", "out") for kind in ("weight", "bias")]


def _run(
    candidate: Callable[..., Any],
    build: Mapping[str, Any],
    weights: Mapping[str, torch.Tensor] | None = None,
    inputs: Mapping[str, torch.Tensor] | None = None,
    upstream: torch.Tensor | None = None,
    first: Mapping[str, torch.Tensor] | None = None,
    by_position: bool = False,
    by_name: bool = False,
    training: bool = False,
) -> NamedParts:
    """Construct the module, set its weights and call it.

    `first` holds the inputs of a call before the one that counts. `by_position` and `by_name` say how the arguments are given;
    by default, the sizes are given by position and the rest by name.
    """
    rest = {name: value for name, value in build.items() if name == "bias"}
    sizes = [value for name, value in build.items() if name not in rest]
    model = candidate(**build) if by_name else candidate(*build.values()) if by_position else candidate(*sizes, **rest)
    facts = attention_facts(model)
    parts, bias = NamedParts({"layers": facts}), rest.get("bias", True)
    if weights is None or inputs is None or problem_with_attention(facts, build["d_model"], bias):
        return parts
    slots = attention_slots(model, build["d_model"], bias)
    before = (lambda: model(**first)) if first else (lambda: None)
    results = called(model, slots, weights, inputs, before, ("x", "context"), upstream, by_position, training)
    return NamedParts({**parts, **results})


def _problem(facts: Facts, build: Mapping[str, Any]) -> str:
    return problem_with_attention(facts, build["d_model"], build.get("bias", True))


def _cases(draw: RandomInputs) -> Iterator[Case]:
    batch, time, keys = draw.shuffled((2, 3, 5))
    heads, slice_width = draw.choice(((2, 3), (3, 2), (2, 5)))

    def case(
        name: str,
        sizes: tuple[int, ...],
        criterion: str,
        because: str = "",
        mask: torch.Tensor | None = None,
        bias: bool = True,
        dtype: torch.dtype = torch.float32,
        scale: float = 1.0,
        **options: Any,
    ) -> Case:
        """Return a case; `sizes` are B, T, h and d / h, followed by S if there is a context."""
        b, t, h, w = sizes[:4]
        build: dict[str, Any] = {"d_model": h * w, "heads": h, **({} if bias else {"bias": False})}
        inputs = {"x": draw.normal(b, t, h * w, dtype=dtype, scale=scale)}
        if len(sizes) > 4:
            inputs["context"] = draw.normal(b, sizes[4], h * w, dtype=dtype, scale=scale)
        if mask is not None:
            inputs["mask"] = mask
        if options.pop("gaps", False):
            inputs = {key: strided(value) for key, value in inputs.items()}
        if options.pop("gradients", False):
            options["upstream"] = draw.normal(b, t, h * w, dtype=dtype)
        args = {"build": build, "weights": draw_attention(draw, h * w, bias, dtype), "x, context or mask": inputs}
        return Case(name, args, criterion, options, _call(build, inputs, options), because)

    itself = "Without a context, queries, keys and values are all made of x."
    sizes, five = (batch, time, heads, slice_width), (batch, 5, heads, slice_width)
    yield case("one sentence, one head", (1, 2, 1, 3), "self-attention", itself).trying("heads", "Attend from x")
    yield case("a batch with heads", sizes, "self-attention", "Each head attends in its own slice of the width.").trying(
        "d_model d", "heads", "context tensor", "None stands")
    yield case("as many heads as positions", (2, 3, 3, 2), "self-attention")
    yield case("as many positions as columns in each head", (2, 3, 2, 3), "self-attention")
    yield case("sizes that are all equal", (3, 3, 3, 3), "self-attention")
    yield case("heads of one column", (batch, time, 5, 1), "any sizes", "The scale is the square root of d / h: 1.").trying(
        "d_model d")
    yield case("one position", (batch, 1, heads, slice_width), "any sizes").trying("x tensor")
    yield case("memory with gaps", sizes, "any sizes", gaps=True)
    yield case("large scores, float64", sizes, "any sizes", dtype=torch.float64, scale=15.0)
    yield case("a second call", sizes, "mask", "Each call stands for itself: nothing is kept of the one before.",
               first={"x": draw.normal(batch, time, heads * slice_width), "mask": some_mask(draw, time, time)})
    yield case("in training mode", (2, 7, heads, slice_width), "any sizes", "There is no dropout unless one asks for it.",
               training=True)

    yield case("docstring example", (1, 3, 2, 3), "any sizes", "Zeros leave the biases: those of v_proj, and out_proj's.",
               scale=0.0).trying("d_model d")

    other = "With a context, queries are made of x, keys and values of the context."
    across = (*sizes, keys)
    yield case("another sentence to attend to", across, "context", other).trying(
        "Attend from x", "x tensor", "context tensor", "None stands")
    yield case("a context as long as x", (*sizes, time), "context", other).trying("Attend from x")
    yield case("a second call, another context", across, "context", "Each call stands for itself: its context counts.",
               first=_across(draw, across))
    yield case("a second call, without a context", sizes, "context", "Each call stands for itself: without a context it is x.",
               first=_across(draw, (*sizes, time))).trying("Attend from x")
    yield case("a context by position", across, "context", other, by_position=True).trying("context tensor", "None stands")
    yield case("a context of one position", (*sizes, 1), "context", other).trying("context tensor", "None stands")
    yield case("a context, float64", across, "context", other, dtype=torch.float64)

    reads = "The mask broadcasts to (B, h, T, S); True means may attend."
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    yield case("a causal mask", five, "mask", reads, causal).trying("mask")
    for name, shape in (
        ("a mask of shape (B, 1, 1, T)", (batch, 1, 1, 5)),
        ("a mask of shape (B, 1, T, T)", (batch, 1, 5, 5)),
        ("a mask of shape (1, heads, T, T)", (1, heads, 5, 5)),
        ("a mask of shape (B, heads, T, T)", (batch, heads, 5, 5)),
        ("a mask of shape (T,)", (5,)),
    ):
        yield case(name, five, "mask", reads, some_mask(draw, *shape)).trying("mask")
    yield case("a mask with as many sentences as heads", (2, 5, 2, 3), "mask", reads, some_mask(draw, 2, 1, 5, 5))
    yield case("a mask of shape (heads, T, T), as many sentences", (2, 5, 2, 3), "mask", reads, some_mask(draw, 2, 5, 5))
    yield case("a causal mask, as many sentences as positions", (3, 3, 2, 3), "mask", reads, causal[:3, :3].clone())
    yield case("a context and a mask", (batch, time, heads, slice_width, 7), "mask", reads, some_mask(draw, batch, 1, 1, 7))
    for name, sizes_and_keys, shape in (
        ("a context and a mask of shape (S,)", (batch, time, heads, slice_width, 7), (7,)),
        ("a context and a mask of shape (T, S)", (batch, time, heads, slice_width, 7), (time, 7)),
        ("the same, as many sentences as positions", (3, 3, heads, slice_width, 7), (3, 7)),
        ("a context and a mask of shape (heads, T, S), as many sentences", (2, 5, 2, 3, 7), (2, 5, 7)),
    ):
        yield case(name, sizes_and_keys, "mask", reads, some_mask(draw, *shape)).trying("mask")
    alone = torch.eye(7, dtype=torch.bool)[draw.distinct(7, 7)]
    yield case("large scores and a mask, float64", (3, 7, heads, slice_width), "mask",
               "Forbidden scores may be hundreds above the allowed ones, and must not show at all.", alone,
               dtype=torch.float64, scale=15.0)
    bare = "What may attend to nothing gets out_proj's bias alone."
    empty = some_mask(draw, batch, 1, 5, 5)
    empty[0, 0, 1] = False
    empty[-1] = False
    yield case("a position without keys, a sentence of padding", five, "mask", bare, empty).trying("returns", "a position")
    square = some_mask(draw, 5, 5)
    square[3] = False
    yield case("a position without keys, a mask of shape (T, T)", five, "mask", bare, square)
    yield case("a context of padding alone", (batch, 5, heads, slice_width, 3), "mask", bare,
               torch.zeros(batch, 1, 1, 3, dtype=torch.bool)).trying("returns", "a position")
    yield case("a context of one position, padding in one sentence", (batch, time, heads, slice_width, 1), "mask", bare,
               (torch.arange(batch) > 0).reshape(batch, 1, 1, 1))
    partly = some_mask(draw, batch, heads, 5, 5)
    partly[0, 0, 1] = False
    yield case("a position without keys in one head", five, "mask",
               "That head gives zeros there, the other heads what they see.", partly)
    yield case("without keys and without biases", five, "mask", bare, empty, bias=False).trying("returns", "a position")

    yield case("bias=False", sizes, "constructor", "None of the four projections has a bias then.", bias=False).trying(
        "bias True if")
    yield case("bias=False, a context", across, "constructor", bias=False).trying("bias True if")
    yield case("bias=False by position", sizes, "constructor", bias=False, by_position=True).trying("bias True if")
    yield case("all sizes by name", sizes, "constructor", by_name=True).trying("heads")
    for h, width in ((2, 7), (4, 6), (draw.choice((7, 11)), 5)):
        yield Case(f"{'many' if h > 4 else h} heads, a width of {width}", {"build": {"d_model": width, "heads": h}},
                   "constructor", call=f"MultiHeadAttention({width}, {h})",
                   because="The heads do not divide the width: the constructor raises ValueError.").trying("it divides")

    flows = "A backward pass reaches x, the context and all projections."
    yield case("gradients", sizes, "gradients", flows, gradients=True).trying("Attributes: the nn.Linear", "or one qkv_proj")
    yield case("gradients, a context and a mask", (batch, time, heads, slice_width, 5), "gradients", flows,
               some_mask(draw, batch, 1, time, 5), gradients=True)
    yield case("gradients, a position without keys", five, "gradients",
               "They stay finite where there is nothing to attend to.", empty, gradients=True).trying("returns", "a position")
    yield case("gradients, large scores and a mask, float64", (3, 7, heads, slice_width), "gradients",
               "Forbidden scores may be hundreds above the allowed ones; no gradient may show it.", alone,
               dtype=torch.float64, scale=15.0, gradients=True)
    yield case("gradients, float64, no biases", (2, 3, 3, 2), "gradients", flows, dtype=torch.float64, bias=False,
               gradients=True)


def _across(draw: RandomInputs, sizes: tuple[int, ...]) -> dict[str, torch.Tensor]:
    """Return x and a context for a call before the one that counts."""
    b, t, h, w, s = sizes
    return {"x": draw.normal(b, t, h * w), "context": draw.normal(b, s, h * w)}


def _call(build: Mapping[str, Any], inputs: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    by_position, by_name = options.get("by_position", False), options.get("by_name", False)
    made = ", ".join(
        f"{name}={value}" if by_name or (name == "bias" and not by_position) else str(value) for name, value in build.items()
    )
    given = ", ".join(name if by_position or name == "x" else f"{name}={name}" for name in inputs)
    shapes = ", ".join(f"{name} of shape {tuple(value.shape)}" for name, value in inputs.items())
    call = f"MultiHeadAttention({made})({given}) with {shapes}"
    return call + (" and then .backward(...)" if "upstream" in options else "")


MultiHeadAttention = Exercise(
    id="07.MultiHeadAttention",
    title="Many heads, one module",
    why="Several small attentions attend to several things at once; this is the module that every Transformer is built of.",
    difficulty=3,
    minutes=30,
    criteria=(
        Criterion("self-attention", 2.5, "project, attend in every head by itself, join the heads, project",
                  tries=("Attributes: the nn.Linear", "or one qkv_proj")),
        Criterion("any sizes", 0.5, "one position, heads of one column, any layout in memory, large scores, training mode"),
        Criterion("context", 1, "with a context, keys and values come from there"),
        Criterion("mask", 1, "masks of every shape that broadcasts; out_proj's bias where there is nothing to attend to"),
        Criterion("constructor", 1, "bias=False, and ValueError when the heads do not divide the width"),
        Criterion("gradients", 1, "a backward pass reaches the inputs and all projections"),
    ),
    hints=(
        "Write the shape behind every line, with B, T, S, h and d / h. Your attention function is one of the lines.",
        "Project first, then cut into heads: queries from x, keys and values from the context, or from x where there is none. "
        "Cut only the last axis in two, (B, T, h, d / h), and then swap two axes.",
        "Attention on (B, h, T, d / h) keeps the heads apart, and divides by the root of d / h. Hand the mask to "
        "it as it is.",
        "The last two steps: merge the heads, then out_proj. To merge, swap the axes back first, and join two axes then. "
        "Hand `bias` to all four nn.Linear.",
    ),
    cases=_cases,
    of_driver=("build", "weights", "first", "training", "by_position", "by_name", "upstream"),
    run=_run,
    by_products=("layers", "module"),
    compare=compare_with_gradients(
        "x",
        "context",
        *_NAMES,
        kind=WithModule,
        problem=_problem,
        tolerances=whatever_was_dropped,
        rules={IN_TRAINING: no_dropout("property")},
    ),
    uses=("scaled_dot_product_attention", "split_heads", "merge_heads"),
)
