"""The best match of each token of the query, added up: cases."""

from collections.abc import Callable, Iterator

import torch
import torch.nn.functional as F

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from ..rankings import cancelling

_REAL = "Only real tokens of a document are compared; what stands at padding does not matter."
_EMPTY = "A document without a real token gets 0, also where every other one is below 0."


def _right(lengths: list[int], width: int) -> torch.Tensor:
    """Return a mask (N, Td) of 0 and 1 for documents of these lengths that are padded on the right."""
    return (torch.arange(width) < torch.tensor(lengths)[:, None]).long()


def _holes(draw: RandomInputs, number: int, width: int) -> torch.Tensor:
    """Return a random mask (N, Td) of 0 and 1, by which each document has real tokens and padding.

    The first and the last document begin with padding.
    """
    mask = torch.zeros(number, width, dtype=torch.int64)
    for row in range(number):
        mask[row, draw.distinct(draw.integer(2, width - 2), width)] = 1
    mask[0, :3] = torch.tensor([0, 1, 0])
    mask[-1, -3:] = torch.tensor([1, 0, 1])
    mask[-1, :2] = torch.tensor([0, 1])
    return mask


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str, query: torch.Tensor, documents: torch.Tensor, mask: torch.Tensor, criterion: str, because: str = ""
    ) -> Case:
        return Case(name, {"query": query, "documents": documents, "mask": mask}, criterion, because=because)

    asked, number, tokens, width = draw.choice(((3, 5, 7, 2), (2, 3, 7, 5), (5, 3, 7, 2), (3, 2, 5, 9)))

    def alike(asked: int, number: int, tokens: int, width: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return vectors of norm 1 with positive numbers: dot product and cosine agree, and no product is below 0."""
        sides = draw.uniform(asked, width, low=0.05), draw.uniform(number, tokens, width, low=0.05)
        return F.normalize(sides[0], dim=-1), F.normalize(sides[1], dim=-1)

    def around(asked: int, number: int, tokens: int, width: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return vectors of any norm and direction."""
        return draw.normal(asked, width), draw.normal(number, tokens, width)

    every = torch.ones(number, tokens, dtype=torch.int64)
    # The first document is always full: a mask that is taken from it never hides anything, at any draw.
    lengths = [tokens, *draw.shuffled([tokens - 1, *(draw.integer(2, tokens - 2) for _ in range(number - 2))])]
    yield case("no padding", *alike(asked, number, tokens, width), every, "best matches",
               "For each token of the query the best token of the document counts, not all of them.")
    query, documents = alike(asked, number, tokens, width)
    padded = _right(lengths, tokens)
    yield case("padding of zeros on the right", query, documents * padded[:, :, None], padded, "best matches")
    yield case("as many tokens in the query as in the documents", *alike(5, 3, 5, 2),
               torch.ones(3, 5, dtype=torch.int64), "best matches")
    yield case("as many documents as tokens in the query", *alike(3, 3, 7, 5),
               torch.ones(3, 7, dtype=torch.int64), "best matches")
    yield case("four equal sizes", *alike(5, 5, 5, 5), torch.ones(5, 5, dtype=torch.int64), "best matches")

    free = "Vectors are taken as they are, and a largest dot product may be below 0."
    yield case("vectors of all lengths and directions", *around(asked, number, tokens, width), every, "dot products", free)
    below = -draw.uniform(asked, width, low=1.0, high=2.0), draw.uniform(number, tokens, width, low=1.0, high=2.0)
    yield case("all dot products below 0", *below, every, "dot products", free)
    few = draw.normal(asked, width)
    few[0] *= 20.0
    yield case("one long vector in the query", few, draw.normal(number, tokens, width), every, "dot products", free)

    yield from _masks(draw, (asked, number, tokens, width), case, lengths)

    example = torch.tensor([[[3.0, 1.0], [0.0, 2.0]], [[-1.0, -2.0], [9.0, 9.0]]])
    yield case("docstring example", torch.eye(2), example, torch.tensor([[1, 1], [1, 0]]), "mask", _REAL)
    yield from _empty(draw, (asked, number, tokens, width), case)

    yield case("a single document", *around(asked, 1, tokens, width), every[:1], "numbers",
               "The result has shape (1,).").trying("returns")
    yield case("a single token in the query", *around(1, number, tokens, width), every, "numbers").trying("query (Tq, d)")
    yield case("documents of a single token", *around(asked, number, 1, width), every[:, :1], "numbers")
    yield case("vectors of a single number", *around(asked, number, tokens, 1), every, "numbers").trying("query (Tq, d)")
    yield case("everything once", draw.uniform(1, 1, low=1.0), draw.uniform(1, 1, 1, low=1.0), every[:1, :1], "numbers")
    yield case("vectors of zeros", torch.zeros(asked, width), draw.normal(number, tokens, width), every, "numbers")
    query, documents = around(asked, number, tokens, width)
    yield case("not contiguous in memory", strided(query), strided(documents), strided(every), "numbers").trying(
        "query (Tq, d)", "mask", "returns")
    yield case("large numbers", 3e4 * query, 3e4 * documents, every, "numbers").trying(
        "Vectors are taken", "query (Tq, d)", "returns")
    yield case("large numbers below 0", -3e4 * query.abs(), 3e4 * documents.abs(), every, "numbers")
    yield case("small numbers", 1e-4 * query, 1e-3 * documents, every, "numbers").trying(
        "Vectors are taken", "query (Tq, d)", "returns")
    near = cancelling(draw.normal(number, tokens, 1, dtype=torch.float64).flatten(0, 1)).unflatten(0, (number, tokens))
    yield case("float64, what matters nearly cancels", torch.ones(asked, 2, dtype=torch.float64), near, every, "numbers",
               "In float32 the dot products would all be nearly equal.").trying("query (Tq, d)", "returns")


def _masks(
    draw: RandomInputs, sizes: tuple[int, int, int, int], case: Callable[..., Case], lengths: list[int]
) -> Iterator[Case]:
    asked, number, _, width = sizes
    tokens = 7

    def sides(mask: torch.Tensor, dtype: torch.dtype = torch.float32) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return query, documents and mask, in which the padding would have the largest products with tokens of the query."""
        query = draw.normal(asked, width, dtype=dtype)
        padding = 9.0 * query[draw.ids(mask.shape, asked)]
        return query, torch.where(mask.bool()[:, :, None], draw.normal(*mask.shape, width, dtype=dtype), padding), mask

    right = _right([min(length, tokens - draw.integer(1, 2)) for length in lengths], tokens)
    yield case("padding on the right", *sides(right), "mask", _REAL)
    yield case("padding on the left", *sides(right.flip(1)), "mask", _REAL)
    yield case("holes", *sides(_holes(draw, number, tokens)), "mask", _REAL)
    yield case("holes, a mask of bools", *sides(_holes(draw, number, tokens).bool()), "mask", _REAL)
    yield case("holes, a mask of floats", *sides(_holes(draw, number, tokens).float()), "mask", _REAL)
    yield case("holes, a mask of int32", *sides(_holes(draw, number, tokens).int()), "mask", _REAL)
    yield case("holes, a mask of uint8", *sides(_holes(draw, number, tokens).to(torch.uint8)), "mask", _REAL)
    yield case("holes, float64, a mask of float32", *sides(_holes(draw, number, tokens).float(), torch.float64), "mask",
               _REAL).trying("returns")
    mask = _holes(draw, number, tokens)
    query = draw.uniform(asked, width, low=1.0, high=2.0)
    documents = -draw.uniform(number, tokens, width, low=1.0, high=2.0) * mask[:, :, None]
    yield case("padding of zeros, all real products below 0", query, documents, mask, "mask", _REAL)
    yield case("vectors of zeros among the real ones", query, documents, _all_but_one(draw, documents), "mask",
               "Zeros may be a real token's vector: only the mask tells what is padding.")
    far = -draw.uniform(number, tokens, width, low=2e4, high=4e4)
    yield case("padding of zeros, all real products far below 0", query, far * mask[:, :, None], mask, "mask", _REAL)
    single_token = torch.eye(tokens, dtype=torch.int64)[draw.distinct(number, tokens)]
    yield case("one real token in each document", *sides(single_token), "mask", _REAL)


def _all_but_one(draw: RandomInputs, documents: torch.Tensor) -> torch.Tensor:
    """Return a mask (N, Td) of 0 and 1 with padding at one token of each document, which is not a vector of zeros."""
    mask = torch.ones(documents.shape[:2], dtype=torch.int64)
    for row, vectors in enumerate(documents):
        mask[row, draw.choice(vectors.any(dim=1).nonzero().flatten().tolist())] = 0
    return mask


def _empty(draw: RandomInputs, sizes: tuple[int, int, int, int], case: Callable[..., Case]) -> Iterator[Case]:
    asked, number, tokens, width = sizes
    for name, dtype in (("a document without a real token", torch.int64), ("the same with a mask of bools", torch.bool),
                        ("the same with a mask of floats", torch.float32)):
        mask = _holes(draw, number + 1, 7)
        mask[number - 1] = 0  # never the first: a mask that is taken from that one does the same at every draw
        sides = draw.uniform(asked, width, low=0.5), draw.uniform(number + 1, 7, width, low=0.5)
        yield case(name, *sides, mask.to(dtype), "empty", _EMPTY)
    query = draw.uniform(asked, width, low=1.0, high=2.0)
    below = -draw.uniform(number, tokens, width, low=1.0, high=2.0)
    mask = torch.ones(number, tokens, dtype=torch.int64)
    mask[number - 1] = 0
    yield case("a document without a real token, the others below 0", query, below, mask, "empty", _EMPTY)
    yield case("a document without a real token, the others far below 0", query, 2e4 * below, mask, "empty", _EMPTY)
    yield case("nothing but padding", draw.normal(asked, width), draw.normal(number, tokens, width), 0 * mask, "empty", _EMPTY)


max_sim = Exercise(
    id="11.max_sim",
    title="Many vectors for a text",
    why="One vector for a long text has to average; with one for each token, each word of a question finds its own match.",
    difficulty=2,
    minutes=15,
    core=False,
    criteria=(
        Criterion("best matches", 0.5, "the best real token for each token of the query, added up",
                  tries=("For each token", "these are summed", "query (Tq, d)", "documents (N, Td, d)", "returns")),
        Criterion("dot products", 0.25, "vectors of any length, dot products of either sign",
                  tries=("For each token", "these are summed", "Vectors are taken")),
        Criterion("mask", 0.5, "padding anywhere takes no part; masks of ints, bools and floats",
                  tries=("mask", "For each token", "these are summed")),
        Criterion("empty", 0.25, "0 for a document without a real token", tries=("0 for a document",)),
        Criterion("numbers", 0.25, "sizes of one, zeros, large and small numbers, float64, any memory layout",
                  tries=("documents (N, Td, d)",)),
    ),
    hints=(
        "Three steps: all dot products between tokens, the best one for each token of the query, the sum over the query. "
        "Write down the shape after each.",
        "`documents @ query.T` has shape (N, Td, Tq). The maximum goes along the tokens of the document, the sum along those "
        "of the query.",
        "Padding must never be the largest, also among numbers below 0: put its dot products to -inf before the maximum. A "
        "document of nothing but padding then has -inf everywhere: give it 0 afterwards, by the mask.",
        "`best = products.masked_fill(~mask.bool()[:, :, None], float('-inf')).amax(dim=1)`, and then "
        "`best.masked_fill(~mask.bool().any(dim=1, keepdim=True), 0.0).sum(dim=1)`.",
    ),
    cases=_cases,
)
