"""A look back at all the words of the source, instead of at one state alone."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, NamedParts, RandomInputs, strided
from ...checking.gradient_rules import gradient_rules
from .modules import gradients
from .pairs import Pair


def _run(
    candidate: Callable[..., Any],
    query: torch.Tensor,
    memory: torch.Tensor,
    mask: torch.Tensor,
    grads: dict[str, torch.Tensor] | None = None,
) -> NamedParts:
    """Call the answer; with `grads` (the gradients at context and weights, by name), also report those of query and memory."""
    form = ("context", "weights")
    if not memory.is_contiguous():
        memory = memory.transpose(0, 1).contiguous().transpose(0, 1)  # as an LSTM hands it over that takes time first
    if grads is None:
        return Pair.of(candidate(query, memory, mask), form)
    leaves = {"query": query.clone().requires_grad_(), "memory": memory.clone().requires_grad_()}
    parts = Pair.of(candidate(leaves["query"], leaves["memory"], mask), form)
    parts.update(gradients([(parts.get(name), grad) for name, grad in grads.items()], leaves))
    return parts


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        sizes: Sequence[int],
        criterion: str,
        because: str = "",
        *,
        mask: torch.Tensor | None = None,
        query: torch.Tensor | None = None,
        memory: torch.Tensor | None = None,
        gaps: bool = False,
        grads: Sequence[str] = (),
    ) -> Case:
        rows, columns, numbers = sizes
        given = [
            draw.normal(rows, numbers) if query is None else query,
            draw.normal(rows, columns, numbers) if memory is None else memory,
            torch.ones(rows, columns, dtype=torch.bool) if mask is None else mask,
        ]
        laid = map(strided, given) if gaps else given
        args: dict[str, Any] = dict(zip(("query", "memory", "mask"), laid, strict=True))
        shapes = {"context": (rows, numbers), "weights": (rows, columns)}
        more = {"grads": {part: draw.normal(*shapes[part]) for part in grads}} if grads else {}
        return Case(name, args, criterion, more, because=because)

    def some(rows: int, columns: int) -> torch.Tensor:
        """Return a mask with at least one True and one False in each row, in which the rows differ."""
        mask = torch.stack([torch.randperm(columns, generator=order) < 1 + row % (columns - 1) for row in range(rows)])
        return mask[draw.distinct(rows, rows)]

    def ladder(rows: int, columns: int, numbers: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a query and a memory with scores from -1000 to 1000 that are far apart; one number of the query decides."""
        query, memory = torch.zeros(rows, numbers), draw.normal(rows, columns, numbers)
        query[:, 1] = 10.0
        steps = torch.linspace(-100, 100, columns)
        memory[:, :, 1] = torch.stack([steps[draw.distinct(columns, columns)] for _ in range(rows)])
        return query, memory

    order = torch.Generator().manual_seed(draw.seed())
    rows, columns, numbers = draw.sizes(3, smallest=3)
    sizes = (rows, columns, numbers)
    yield case("all words may be looked at", sizes, "weights", "The score of a word is its product with the query.").trying(
        "query (B, H)", "context (B, H)")
    yield case("as many words as numbers", (rows, 5, 5), "weights")
    yield case("as many rows as words", (5, 5, numbers), "weights")
    yield case("as many rows as numbers", (5, columns, 5), "weights").trying("query (B, H)")

    left_out = "A word that is masked out has weight 0, and the weights of the others sum to 1."
    yield case("some words masked out", sizes, "mask", left_out, mask=some(rows, columns)).trying("mask", "and weights")
    yield case("as many rows as words, masked", (5, 5, numbers), "mask", left_out, mask=some(5, 5)).trying("mask")

    yield case("one row", (1, columns, numbers), "any batch").trying("query (B, H)")
    yield case("one word", (rows, 1, numbers), "any batch", "A single word gets all the weight.").trying("memory (B, S, H)")
    yield case("a state of one number", (5, columns, 1), "any batch", "The context keeps its two axes, (B, H).").trying(
        "query (B, H)")
    yield case("one row, a state of one number", (1, columns, 1), "any batch")
    yield case("one row, masked", (1, columns, numbers), "any batch", left_out, mask=some(1, columns)).trying("mask")
    yield case("masked, with gaps in memory", sizes, "any batch", mask=some(rows, columns), gaps=True).trying(
        "memory (B, S, H)")
    query, memory = ladder(rows, columns, numbers)
    yield case("scores from -1000 to 1000", sizes, "any batch", "No exponential may overflow.", query=query,
               memory=memory).trying("and weights")
    mask = torch.arange(columns) != (query[:, None] * memory).sum(-1).argmax(dim=1)[:, None]
    yield case("the largest score is masked out", sizes, "any batch", left_out, query=query, memory=memory, mask=mask).trying(
        "mask")
    mask = torch.arange(columns) == (query[:, None] * memory).sum(-1).argmin(dim=1)[:, None]
    yield case("all but the smallest score masked out", sizes, "any batch", left_out, query=query, memory=memory,
               mask=mask).trying("and weights")
    low = memory.clone()
    low[:, :, 1] = -100 + 0.1 * draw.normal(rows, columns)
    yield case("all scores about -1000", sizes, "any batch", left_out, query=query, memory=low,
               mask=some(rows, columns)).trying("and weights")
    wide, half = draw.normal(rows, 3, dtype=torch.float64), draw.normal(rows, columns, 3, dtype=torch.float64)
    almost = draw.normal(rows, columns, 3, dtype=torch.float64)
    yield case("float64, large terms that almost cancel", (rows, columns, 6), "any batch", query=torch.cat([wide, wide], dim=1),
               memory=torch.cat([300 * half, almost - 300 * half], dim=2), mask=some(rows, columns)).trying("and weights")
    query, memory = draw.normal(3, numbers, dtype=torch.float64), draw.normal(3, columns, numbers, dtype=torch.float64)
    query[:, 0], memory[:, :, 0] = torch.tensor([-900.0, 0.0, 900.0])[draw.distinct(3, 3)].double(), 1.0
    yield case("float64, scores on a different level in each row", (3, columns, numbers), "any batch",
               "Adding a constant to a row's scores changes no weight.", query=query, memory=memory,
               mask=some(3, columns)).trying("and weights")
    known = torch.tensor([[[0.0, 2.0], [0.0, 4.0], [9.0, 9.0]]])
    yield case("docstring example", (1, 3, 2), "any batch", left_out, query=torch.tensor([[1.0, 0.0]]), memory=known,
               mask=torch.tensor([[True, True, False]])).trying("context (B, H)", "and weights")
    query, memory = ladder(rows, columns, numbers)

    nothing = "A row that may look at nothing has weights of 0 and a context of 0."
    mask = some(rows, columns)
    mask[1] = False
    yield case("one row may look at nothing", sizes, "nothing to look at", nothing, mask=mask)
    empty = torch.zeros(rows, columns, dtype=torch.bool)
    yield case("no row may look at anything", sizes, "nothing to look at", nothing, mask=empty)
    large = torch.arange(columns) != (query[:, None] * memory).sum(-1).argmin(dim=1)[:, None]
    large[0] = False
    yield case("nothing to look at, large scores", sizes, "nothing to look at", nothing, query=query, memory=memory,
               mask=large)

    flows = "Query and memory learn from the context and from the weights."

    def mild() -> torch.Tensor:
        """Return queries whose scores are of size 1.

        If one word had nearly all the weight, rounding would decide the gradient.
        """
        return draw.normal(rows, numbers, scale=numbers**-0.5)

    yield case("gradient from context", sizes, "gradients", flows, query=mild(), grads=("context",))
    yield case("gradient from weights, masked", sizes, "gradients", flows, query=mild(), mask=some(rows, columns),
               grads=("weights",))
    yield case("gradient, one row", (1, columns, numbers), "gradients", flows, query=mild()[:1],
               grads=("context", "weights"))
    yield case("gradient, one row may look at nothing", sizes, "gradients", "Its gradient is 0, and never nan.",
               query=mild(), mask=mask, grads=("context", "weights"))
    yield case("gradient, large scores", sizes, "gradients", "The gradient stays finite.", query=query, memory=memory,
               mask=large, grads=("context", "weights"))


attend = Exercise(
    id="05.attend",
    title="Attention",
    why="One state must hold a whole sentence; a decoder that attends to every word does not depend on that state alone.",
    difficulty=2,
    minutes=17,
    criteria=(
        Criterion("weights", 1.5, "a softmax of dot products, and the weighted sum", tries=("memory (B, S, H)",)),
        Criterion("mask", 1, "masked words get no weight, whatever their scores"),
        Criterion("any batch", 1, "sizes of one, large scores, float64, any memory layout"),
        Criterion("nothing to look at", 1, "a row without any word gives zeros", tries=("Where there is none",)),
        Criterion("gradients", 0.5, "gradients flow to query and memory, and stay finite", tries=("Gradients reach",)),
    ),
    hints=(
        "Three steps: one score for each word, weights that add up to 1, and the sum of the memory's rows by weight.",
        "Scores (B, S) come from (B, S, H) and (B, H): add an axis to the query, multiply, and sum over the last axis.",
        "Mask the scores before the softmax, with a number so low that nothing is left of it afterwards.",
        "A row without any word: with -inf its softmax is nan, with a very low number it is the same weight everywhere. "
        "Take a very low number, and set the weights to 0 where the mask is False, before you make the context.",
    ),
    cases=_cases,
    of_driver=("grads",),
    run=_run,
    compare=Pair(rules=gradient_rules("query", "memory")),
)
