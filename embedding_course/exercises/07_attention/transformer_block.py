"""The Transformer block: cases and comparison."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, strided
from ...checking.training_mode import IN_TRAINING, no_dropout, whatever_was_dropped
from ...messages import Message
from .block_parts import NAMES, block_facts, block_slots, draw_block, problem_with_block
from .gradients import compare_with_gradients
from .heads import some_mask
from .projections import WithModule, called


def _run(
    candidate: Callable[..., Any],
    build: Mapping[str, Any],
    weights: Mapping[str, torch.Tensor] | None = None,
    inputs: Mapping[str, torch.Tensor] | None = None,
    upstream: torch.Tensor | None = None,
    first: Mapping[str, torch.Tensor] | None = None,
    by_position: bool = False,
    training: bool = False,
) -> NamedParts:
    """Construct the block, set its weights and call it; with `upstream`, report the gradients of the input and the weights.

    `first` holds the inputs of a call before the one that counts.
    """
    rest = {name: value for name, value in build.items() if name == "norm" and not by_position}
    sizes = [value for name, value in build.items() if name not in rest]
    model = candidate(*sizes, **rest)
    if weights is None or inputs is None:
        return NamedParts({"shape of a result": list(model(torch.zeros(1, 2, build["d_model"])).shape)})
    parts = NamedParts({"layers": block_facts(model)})
    if problem_with_block(parts["layers"], build):
        return parts
    slots = block_slots(model, build["d_model"])
    before = (lambda: model(**first)) if first else (lambda: None)
    results = called(model, slots, weights, inputs, before, ("x",), upstream, by_position, training)
    return NamedParts({**parts, **results})


def _cases(draw: RandomInputs) -> Iterator[Case]:
    batch, time = draw.shuffled((2, 3))
    heads, slice_width = draw.choice(((2, 3), (3, 2), (2, 5)))
    width, hidden = heads * slice_width, draw.choice((11, 13))

    def case(
        name: str,
        sizes: tuple[int, int, int, int, int],
        criterion: str,
        because: str = "",
        norm: str | None = None,
        mask: torch.Tensor | None = None,
        dtype: torch.dtype = torch.float32,
        scale: float = 1.0,
        **options: Any,
    ) -> Case:
        """Return a case; `sizes` are B, T, d, heads and d_ff."""
        b, t, d, h, f = sizes
        build: dict[str, Any] = {"d_model": d, "heads": h, "d_ff": f, **({"norm": norm} if norm else {})}
        inputs = {"x": draw.normal(b, t, d, dtype=dtype, scale=scale)}
        if mask is not None:
            inputs["mask"] = mask
        if options.pop("gaps", False):
            inputs = {key: strided(value) for key, value in inputs.items()}
        if options.pop("gradients", False):
            options["upstream"] = draw.normal(b, t, d, dtype=dtype)
        args = {"build": build, "weights": draw_block(draw, d, f, dtype), "x or mask": inputs}
        return Case(name, args, criterion, options, _call(build, inputs, options), because)

    first = "Pre-norm: each half is normalised before it is computed, and added to what came in."
    usual, five = (batch, time, width, heads, hidden), (batch, 5, width, heads, hidden)
    yield case("one sentence", (1, 2, 4, 1, 5), "pre", first).trying("heads")
    yield case("a batch", usual, "pre", first).trying(
        '"pre": x', "d_model", "heads", "d_ff the width", "Attributes: attention", "GELU may be the exact",
        "There is no dropout", "One layer of the encoder")
    yield case("as many positions as columns", (2, 6, 6, 2, 7), "pre", first).trying('"pre": x')
    yield case("as wide inside as outside", (batch, time, width, heads, width), "pre", first).trying("d_ff the width")
    yield case("norm by name", usual, "pre", first, norm="pre").trying('norm "pre"', "anything else")
    yield case("one position", (batch, 1, width, heads, hidden), "any input").trying("x tensor", "returns")
    yield case("memory with gaps", usual, "any input", gaps=True).trying("x tensor", "returns")
    yield case("float64", usual, "any input", dtype=torch.float64).trying("x tensor", "returns")
    yield case("large values, float64", usual, "any input", dtype=torch.float64, scale=1e3).trying("GELU may be the exact")
    yield case("in training mode", (2, 7, width, heads, hidden), "any input", "There is no dropout unless one asks for it.",
               training=True).trying("There is no dropout")

    yield case("docstring example", (1, 3, 6, 2, 24), "any input", scale=0.0).trying("d_model")

    last = "Post-norm: each half is added to what came in, and the sum is normalised."
    yield case("post-norm", usual, "post", last, norm="post").trying('"pre": x', 'norm "pre"', "anything else")
    # Five and not three: of three numbers some are nearly equal, and then the norm shows little but rounding.
    yield case("post-norm, sizes that are all equal", (5, 5, 5, 5, 5), "post", last, norm="post").trying('"pre": x')
    yield case("post-norm by position", usual, "post", last, norm="post", by_position=True).trying(
        'norm "pre"', "anything else")
    yield case("post-norm, float64", usual, "post", last, norm="post", dtype=torch.float64)
    yield case("post-norm, large values, float64", usual, "post", last, norm="post", dtype=torch.float64, scale=1e3)

    yield case("post-norm in training mode", (2, 7, width, heads, hidden), "post",
               "There is no dropout unless one asks for it.", norm="post", training=True).trying("There is no dropout")

    reads = "The mask goes to the attention as it is: True means may attend."
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    yield case("a causal mask", five, "mask", reads, mask=causal)
    yield case("a mask of shape (B, 1, 1, T)", five, "mask", reads, mask=some_mask(draw, batch, 1, 1, 5))
    yield case("a mask of shape (B, heads, T, T)", five, "mask", reads, norm="post", mask=some_mask(draw, batch, heads, 5, 5))
    yield case("a mask by position", five, "mask", reads, norm="pre", mask=causal, by_position=True)
    yield case("a second call", usual, "mask", "Each call stands for itself: no mask is kept of the one before.",
               first={"x": draw.normal(batch, time, width), "mask": some_mask(draw, time, time)}).trying(
        "One layer of the encoder")

    empty = some_mask(draw, batch, 1, 5, 5)
    empty[0, 0, 1] = False
    empty[-1] = False
    bare = "A position that may attend to nothing keeps its own numbers, and they stay finite."
    yield case("a position without keys, a sentence of padding", five, "mask", bare, mask=empty)

    for norm in ("none", "prenorm", "post-norm", "Pre", "Post", "p", "", "pre ", None):
        build = {"d_model": width, "heads": heads, "d_ff": hidden, "norm": norm}
        shown = "None" if norm is None else f'"{norm}"'
        yield Case(f"norm={shown}", {"build": build}, "refused",
                   call=f"TransformerBlock({width}, {heads}, {hidden}, norm={shown})",
                   because='Anything but "pre" and "post" raises ValueError.')

    flows = "A backward pass reaches x and every weight, through both residual connections."
    yield case("gradients", usual, "gradients", flows, gradients=True).trying('"pre": x', "Attributes: attention")
    yield case("gradients, post-norm", usual, "gradients", flows, norm="post", gradients=True).trying('"pre": x')
    yield case("gradients, a position without keys", five, "gradients",
               "They stay finite where there is nothing to attend to.", mask=empty, gradients=True)
    yield case("gradients, a causal mask, float64", five, "gradients", flows, mask=causal, dtype=torch.float64, gradients=True)


def _call(build: Mapping[str, Any], inputs: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    by_position = options.get("by_position", False)
    norm = "" if "norm" not in build else f', "{build["norm"]}"' if by_position else f', norm="{build["norm"]}"'
    given = ", ".join(name if by_position or name == "x" else f"{name}={name}" for name in inputs)
    shapes = ", ".join(f"{name} of shape {tuple(value.shape)}" for name, value in inputs.items())
    call = f"TransformerBlock({build['d_model']}, {build['heads']}, {build['d_ff']}{norm})({given}) with {shapes}"
    return call + (" and then .backward(...)" if "upstream" in options else "")


def _either_gelu(expected: Any, got: Any, case: Case) -> Mismatch | None:
    """Compare the outputs so that both the exact GELU and its tanh approximation are right: they differ by at most 5e-4."""
    return Comparison().leaf(expected, got, Message("the output"), 4e-3 + 1e-6 * float(expected.abs().max()))


TransformerBlock = Exercise(
    id="07.TransformerBlock",
    title="One layer of a Transformer",
    why="Stack twelve of these and you have BERT's body; where the norm stands decides whether a deep stack trains.",
    difficulty=2,
    minutes=20,
    criteria=(
        Criterion("pre", 0.5, "pre-norm, the default: normalise, compute, add"),
        Criterion("any input", 0.5, "one position, any layout in memory, float64, large values, training mode"),
        Criterion("post", 1, "post-norm: compute, add, normalise"),
        Criterion("mask", 0.5, "the mask reaches the attention; finite where there is nothing to attend to", tries=("mask",)),
        Criterion("refused", 0.5, 'ValueError when norm is neither "pre" nor "post"', tries=('norm "pre"', "anything else")),
        Criterion("gradients", 1, "a backward pass reaches the input and every weight"),
    ),
    hints=(
        "Draw both forms: x goes straight through, and twice something is added to it. Where do norm1 and norm2 stand?",
        "Pre-norm: what is added is attention(norm1(x)); x itself is not normalised. The second half sees the new x.",
        "The second half is ff2(gelu(ff1(...))). Post-norm uses the same four parts with each norm around the sum.",
        "Compare norm with the two allowed words in the constructor, and keep it for forward. Hand the mask on by name: "
        "the second parameter of the attention is the context.",
    ),
    cases=_cases,
    of_driver=("build", "weights", "training", "by_position", "first", "upstream"),
    run=_run,
    by_products=("layers", "module"),
    compare=compare_with_gradients(
        "x",
        *NAMES,
        share=1e-2,
        kind=WithModule,
        problem=problem_with_block,
        tolerances=whatever_was_dropped,
        rules={IN_TRAINING: no_dropout("property", 4e-3), "output": _either_gelu},
    ),
    uses=("scaled_dot_product_attention", "split_heads", "merge_heads", "MultiHeadAttention"),
)
