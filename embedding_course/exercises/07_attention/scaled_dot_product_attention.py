"""Attention itself: cases and comparison."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, NamedParts, RandomInputs, strided
from .gradients import compare_with_gradients, differentiable, with_printed_calls
from .heads import some_mask


def _inputs(
    draw: RandomInputs, lead: tuple[int, ...], sizes: tuple[int, int, int, int], dtype: torch.dtype = torch.float32
) -> dict[str, torch.Tensor]:
    """Return q, k and v for sizes (T, S, dk, dv)."""
    queries, keys, key_width, value_width = sizes
    return {
        "q": draw.normal(*lead, queries, key_width, dtype=dtype),
        "k": draw.normal(*lead, keys, key_width, dtype=dtype),
        "v": draw.normal(*lead, keys, value_width, dtype=dtype),
    }


def _ladder(draw: RandomInputs, queries: int, keys: int, top: float, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """Return inputs with scores from -top to top in steps so wide that every row's softmax is one-hot to the last bit.

    The keys lie at even steps along the first of four axes; the queries point up or down that axis.
    """
    rungs = torch.linspace(-1, 1, keys, dtype=torch.float64)[draw.distinct(keys, keys)]
    signs = torch.tensor([1.0, -1.0] * queries, dtype=torch.float64)[:queries]
    q, k = draw.normal(queries, 4, dtype=torch.float64), draw.normal(keys, 4, dtype=torch.float64)
    q[:, 0], k[:, 0] = 2 * top * signs, rungs  # the scale is 1/2
    return {"q": q.to(dtype), "k": k.to(dtype), "v": draw.normal(keys, 3, dtype=dtype)}


def _level(draw: RandomInputs, levels: list[float]) -> dict[str, torch.Tensor]:
    """Return float64 inputs in which all scores of a query lie around the query's own level, a few units apart."""
    q = draw.normal(len(levels), 4, dtype=torch.float64)
    k = draw.normal(5, 4, dtype=torch.float64)
    q[:, 0], k[:, 0] = 2 * torch.tensor(levels, dtype=torch.float64), 1.0
    return {"q": q, "k": k, "v": draw.normal(5, 3, dtype=torch.float64)}


def _without_the_best(given: dict[str, torch.Tensor]) -> torch.Tensor:
    """Return a mask that forbids each query its best key."""
    scores = given["q"] @ given["k"].T
    return scores < scores.amax(dim=-1, keepdim=True)


def _worst_alone(given: dict[str, torch.Tensor]) -> torch.Tensor:
    """Return a mask that allows each query only its worst key."""
    scores = given["q"] @ given["k"].T
    return scores == scores.amin(dim=-1, keepdim=True)


def _upstream(
    draw: RandomInputs, given: dict[str, torch.Tensor], output: bool = True, weights: bool = False
) -> list[torch.Tensor | None]:
    """Return gradients from above for the output and for the weights, or None for one that is not asked for."""
    shape, dtype = given["q"].shape[:-1], given["q"].dtype
    at_output = draw.normal(*shape, given["v"].shape[-1], dtype=dtype) if output else None
    return [at_output, draw.normal(*shape, given["k"].shape[-2], dtype=dtype) if weights else None]


def _cases(draw: RandomInputs) -> Iterator[Case]:
    keys = draw.choice((3, 5, 7))
    queries, key_width, value_width = draw.shuffled([size for size in (2, 3, 5, 7) if size != keys])
    sizes = (queries, keys, key_width, value_width)
    batch, heads = draw.shuffled((2, 3))

    formula = "The scores are divided by the square root of dk before the softmax over the keys."
    yield Case("one sentence", _inputs(draw, (), sizes), "attention", because=formula)
    yield Case("a batch", _inputs(draw, (batch,), sizes), "attention", because="Each sentence attends to its own keys.").trying(
        "k tensor", "v tensor", "None allows")
    yield Case("a batch with heads", _inputs(draw, (batch, heads), sizes), "attention").trying("returns")
    yield Case("as many queries as keys", _inputs(draw, (batch,), (5, 5, 3, 2)), "attention")
    yield Case("all sizes equal", _inputs(draw, (3, 3), (3, 3, 3, 3)), "attention")
    yield Case("three leading axes", _inputs(draw, (2, 1, 3), sizes), "any sizes").trying("q tensor", "the leading")
    yield Case("one query, one key", _inputs(draw, (batch,), (1, 1, key_width, value_width)), "any sizes",
               because="With a single key its weight is 1.").trying("k tensor", "v tensor")
    gaps = {name: strided(value) for name, value in _inputs(draw, (batch,), sizes).items()}
    yield Case("memory with gaps", gaps, "any sizes")
    yield Case("heads that are a view", _inputs(draw, (batch, heads), sizes), "any sizes", {"turned": True},
               because="split_heads may hand out a view, whose axes do not lie in order: `view` refuses it.").trying(
        "q tensor", "the leading")
    yield Case("float64", _inputs(draw, (batch, heads), sizes, torch.float64), "any sizes").trying("returns")

    example = {"q": torch.zeros(1, 4), "k": torch.zeros(2, 4), "v": torch.tensor([[1.0], [3.0]])}
    yield Case("docstring example", example, "any sizes").trying("over the keys", "None allows")

    allowed = "True means that this query may attend to this key."
    yield Case("docstring example 2", {**example, "mask": torch.tensor([False, True])}, "mask", because=allowed)
    for name, lead, mask in (
        ("a mask of shape (T, S)", (), some_mask(draw, queries, keys)),
        ("a mask of shape (T, S) for a batch", (batch,), some_mask(draw, queries, keys)),
        ("a mask of shape (B, T, S)", (batch,), some_mask(draw, batch, queries, keys)),
        ("a mask of shape (S,)", (batch,), some_mask(draw, keys)),
        ("a mask of shape (B, 1, S)", (batch,), some_mask(draw, batch, 1, keys)),
        ("a mask of shape (B, 1, 1, S) with heads", (batch, heads), some_mask(draw, batch, 1, 1, keys)),
        ("a mask of shape (B, h, T, S)", (batch, heads), some_mask(draw, batch, heads, queries, keys)),
        ("a mask of shape (T, S) with heads", (batch, heads), some_mask(draw, queries, keys)),
        ("a mask of shape (h, T, S) with heads", (batch, heads), some_mask(draw, heads, queries, keys)),
        ("the same, as many heads as sentences", (3, 3), some_mask(draw, 3, queries, keys)),
        ("a mask with gaps in memory", (heads,), strided(some_mask(draw, queries, keys))),
        ("a mask that allows everything", (heads,), torch.ones(queries, keys, dtype=torch.bool)),
    ):
        yield Case(name, {**_inputs(draw, lead, sizes), "mask": mask}, "mask", because=allowed)
    given = _inputs(draw, (3,), (3, 5, key_width, value_width))
    yield Case("a mask of shape (T, S), as many queries as sentences", {**given, "mask": some_mask(draw, 3, 5)}, "mask",
               because="Two axes are queries and keys, whatever their number; sentences would be the third one.")
    square = _inputs(draw, (batch,), (5, 5, 5, 3))
    yield Case("a mask with as many queries as keys", {**square, "mask": some_mask(draw, 5, 5)}, "mask", because=allowed)
    double = _inputs(draw, (batch,), sizes, torch.float64)
    yield Case("a mask, float64", {**double, "mask": some_mask(draw, batch, queries, keys)}, "mask", because=allowed).trying(
        "returns")

    nothing = "Where there is nothing to attend to, output and weights are zeros."
    empty = "nothing to attend to"
    mask = some_mask(draw, queries, keys)
    mask[draw.integer(0, queries - 1)] = False
    yield Case("a query without keys", {**_inputs(draw, (), sizes), "mask": mask}, empty, because=nothing)
    mask = some_mask(draw, batch, 1, 1, keys)
    mask[draw.integer(0, batch - 1)] = False
    yield Case("a sentence of padding", {**_inputs(draw, (batch, heads), sizes), "mask": mask}, empty, because=nothing)
    alone = some_mask(draw, batch, 1, keys)
    alone[-1] = False
    yield Case("one query without keys", {**_inputs(draw, (batch,), (1, *sizes[1:])), "mask": alone}, empty, because=nothing)
    mask = torch.zeros(keys, dtype=torch.bool)
    yield Case("nothing is allowed", {**_inputs(draw, (batch,), sizes), "mask": mask}, empty, because=nothing)
    mask = torch.tensor([True, False, True])[draw.distinct(3, 3)].reshape(3, 1)
    given = _inputs(draw, (), (3, keys, key_width, value_width))
    yield Case("a mask of shape (T, 1)", {**given, "mask": mask}, empty, because=nothing).trying("mask")
    given = _ladder(draw, 3, 5, 900.0, torch.float32)
    mask = _without_the_best(given)
    mask[1] = False
    yield Case("a query without keys, large scores", {**given, "mask": mask}, empty, because=nothing)
    for name, dtype in (("gradients, a query without keys", torch.float32), ("the same, float64", torch.float64)):
        mask = some_mask(draw, batch, queries, keys)
        mask[-1, 0] = False
        given = _inputs(draw, (batch,), sizes, dtype)
        yield Case(name, {**given, "mask": mask}, empty, {"upstream": _upstream(draw, given, weights=True)},
                   because="Gradients stay finite where there is nothing to attend to.")
    given = _ladder(draw, 3, 5, 900.0, torch.float32)
    mask = _worst_alone(given)
    mask[1] = False
    yield Case("gradients, a query without keys, large scores", {**given, "mask": mask}, empty,
               {"upstream": _upstream(draw, given, weights=True)},
               because="Forbidden scores may be hundreds above the allowed ones; no gradient may show it.")

    large = "A softmax does not change when a constant is taken from all its scores; exp(1000) is inf."
    for name, dtype in (("scores up to 900", torch.float32), ("scores up to 1000, float64", torch.float64)):
        given = _ladder(draw, 3, 5, 900.0 if dtype == torch.float32 else 1000.0, dtype)
        yield Case(name, given, "large scores", because=large).trying("Scores up")
    given = _ladder(draw, 3, 5, 900.0, torch.float32)
    yield Case("the best key is masked", {**given, "mask": _without_the_best(given)}, "large scores",
               because="Its score is hundreds above the others, and must not show at all.")
    yield Case("scores around -900, float64", _level(draw, [-900.0, -700.0]), "large scores", because=large).trying("Scores up")
    yield Case("only the worst key is allowed", {**given, "mask": _worst_alone(given)}, "large scores",
               because="Forbidden scores may be hundreds above the allowed ones, and must not show at all.")
    low = {**_level(draw, [-994.0, -800.0, -950.0]), "mask": some_mask(draw, 3, 5)}
    yield Case("scores around -900 with a mask, float64", low, "large scores",
               because="Allowed scores may be low; forbidden ones must be lower still.")
    yield Case("every query on a level of its own, float64", _level(draw, draw.shuffled([900.0, -900.0, 0.0])),
               "large scores", because=large)

    flows = "A backward pass reaches queries, keys and values."
    given = _inputs(draw, (), sizes)
    yield Case("gradients", given, "gradients", {"upstream": _upstream(draw, given)}, because=flows)
    given = _inputs(draw, (batch, heads), sizes)
    yield Case("gradients, a batch with heads and a mask", {**given, "mask": some_mask(draw, batch, 1, queries, keys)},
               "gradients", {"upstream": _upstream(draw, given)}, because=flows)
    given = _ladder(draw, 3, 5, 900.0, torch.float32)
    yield Case("gradients, large scores", given, "gradients", {"upstream": _upstream(draw, given, weights=True)},
               because="They are finite, and near 0 for queries and keys: one-hot weights hardly move.").trying("Scores up")
    given = _ladder(draw, 3, 5, 900.0, torch.float32)
    yield Case("gradients, only the worst key is allowed", {**given, "mask": _worst_alone(given)}, "gradients",
               {"upstream": _upstream(draw, given, weights=True)},
               because="Forbidden scores may be hundreds above the allowed ones; no gradient may show it.")
    given = _inputs(draw, (batch,), sizes, torch.float64)
    yield Case("gradients through output and weights, float64", given, "gradients",
               {"upstream": _upstream(draw, given, weights=True)}, because=flows)
    given = _inputs(draw, (batch,), sizes)
    yield Case("gradients through the weights alone", given, "gradients",
               {"upstream": _upstream(draw, given, output=False, weights=True)},
               because="The weights are a result like the output; the values do not enter them.").trying("returns")


def _run(candidate: Callable[..., Any], *args: Any, **options: Any) -> NamedParts:
    parts = differentiable("q", "k", "v", results=("output", "weights"))(candidate, *args, **options)
    if options.get("upstream", [True])[0] is None:
        del parts["gradient of v"]  # the values do not enter the weights
    return parts


scaled_dot_product_attention = Exercise(
    id="07.scaled_dot_product_attention",
    title="Attention",
    why="Every Transformer is built on these few lines: scores, weights, a weighted mean.",
    difficulty=2,
    minutes=20,
    criteria=(
        Criterion("attention", 0.5, "scores over the square root of dk, a softmax over the keys, a weighted sum of values",
                  tries=("over the keys", "q tensor", "the leading")),
        Criterion("any sizes", 0.5, "one query, one key, any leading axes, any layout in memory, float64"),
        Criterion("mask", 1, "a mask of any shape that fits: True may be attended to, the rest gets the weight 0",
                  tries=("mask",)),
        Criterion("nothing to attend to", 1, "a query that may attend to nothing gets zeros, and finite gradients",
                  tries=("A query that may attend",)),
        Criterion("large scores", 1, "scores in the hundreds give the right finite weights"),
        Criterion("gradients", 1, "a backward pass reaches queries, keys and values"),
    ),
    hints=(
        "Shapes first, on paper: which product of q and k has one number for each query and each key, (..., T, S)?",
        "Only the last two axes of k may be swapped, whatever stands before them. The softmax goes over the keys.",
        "A key that must not count needs a score that becomes 0 under exp: minus infinity. That has to happen before the "
        "softmax, or the other weights would not sum to 1.",
        "If a whole row is minus infinity, its softmax is nan. Put zeros wherever the mask is False once more, after the "
        "softmax: `masked_fill` also keeps the nan out of the backward pass.",
    ),
    cases=with_printed_calls("scaled_dot_product_attention", _cases, shapes_only=True),
    of_driver=("turned", "upstream"),
    run=_run,
    compare=compare_with_gradients("q", "k", "v"),
)
