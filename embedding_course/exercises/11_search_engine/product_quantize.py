"""Product quantisation: cases."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from .product_codes import clear_rows


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, codebooks: torch.Tensor, criterion: str, because: str = "") -> Case:
        return Case(name, {"x": x, "codebooks": codebooks}, criterion, because=because)

    rows, parts, count, width = draw.choice(((11, 3, 5, 2), (13, 2, 7, 3), (11, 2, 5, 3)))
    books = draw.normal(parts, count, width)
    each = "The first d/M numbers of a row are its first part, and each part has a codebook of its own."
    yield case("rows of several parts", clear_rows(draw, rows, books), books, "parts", each)
    four = draw.normal(4, 5, 2)
    yield case("four parts", clear_rows(draw, 7, four), four, "parts", each)
    square = draw.normal(3, 3, 3)
    yield case("as many parts as centroids and as columns in each", clear_rows(draw, 3, square), square, "parts", each)
    sizes = torch.linspace(0.3, 4.0, count)[draw.distinct(count, count)][:, None]
    unequal = sizes * draw.normal(parts, count, width)
    yield case("centroids of different lengths", clear_rows(draw, rows, unequal, 1.5), unequal, "parts",
               "Nearest means the smallest distance, and not the largest dot product.")
    near = torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 3.0], [2.0, 2.0]]])
    yield case("docstring example", torch.tensor([[0.9, 0.2, 0.1, 2.8], [0.1, 0.8, 1.9, 2.1]]), near, "parts")

    first = "Of centroids equally near the one with the smaller number is taken."
    corners = torch.tensor([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [4.0, 4.0]])
    turned = torch.stack([corners[draw.distinct(4, 4)], corners[draw.distinct(4, 4)]])
    middle = torch.tensor([[2.0, 2.0, 2.0, 0.0], [2.0, 4.0, 0.0, 2.0], [4.0, 2.0, 2.0, 2.0], [1.0, 3.0, 3.0, 1.0]])
    yield case("equally near centroids", middle, turned, "equal", first)
    whole = 1.0 + draw.ids((2, 3, 3), 6)
    twice = torch.cat([whole, whole.flip(1)], dim=1)
    again = torch.cat([whole[0], whole[1]], dim=1) + torch.tensor([[0.0] * 6, [1.0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1.0]])
    yield case("every centroid twice", again, twice, "equal", first)

    many = draw.normal(2, draw.integer(290, 310), 3)
    yield case("more than 256 centroids", clear_rows(draw, 23, many), many, "any input", "A code need not fit into a byte.")
    yield case("one part", clear_rows(draw, 5, books[:1]), books[:1], "any input", "Then the whole row is compared.")
    single = draw.normal(5, 4, 1)
    yield case("parts of one number", clear_rows(draw, 7, single), single, "any input")
    yield case("one centroid in each codebook", draw.normal(4, 6), draw.normal(3, 1, 2), "any input")
    yield case("one row", clear_rows(draw, 1, books), books, "any input")
    yield case("no rows", torch.zeros(0, parts * width), books, "any input", "No rows give no codes, and still M columns.")
    precise = books.double()
    yield case("float64", clear_rows(draw, rows, precise), precise, "any input")
    large = 1e4 * books
    yield case("large numbers", 1e4 * clear_rows(draw, rows, books), large, "any input")
    yield case("gaps in memory", strided(clear_rows(draw, rows, books)), strided(books), "any input")


product_quantize = Exercise(
    id="11.product_quantize",
    title="A few bytes for a vector",
    why="Eight small codebooks turn 1,536 bytes into eight, and vector databases hold billions of vectors in this way.",
    difficulty=2,
    minutes=10,
    core=False,
    criteria=(
        Criterion("parts", 0.5, "for each part of a row the nearest centroid of that part's codebook",
                  tries=("Each row", "The code of a part", "x (N, d)", "codebooks (M,", "returns")),
        Criterion("equal", 0.25, "of centroids equally near the smaller number", tries=("Of centroids",)),
        Criterion("any input", 0.25, "no rows, many centroids, one part, float64, any memory layout",
                  tries=("N may be 0", "K may exceed", "x (N, d)", "codebooks (M,")),
    ),
    hints=(
        "`x.reshape(N, M, d // M)` cuts every row into its parts. What is the M of your codebooks, and which axis has it?",
        "The distances are a table (N, M, K): each part of each row against the K centroids of its own codebook.",
        "`parts[:, :, None, :] - codebooks[None]` has the shape (N, M, K, d/M): square it and sum over the last axis.",
        "`argmin(dim=-1)` gives int64 numbers; of equals, torch on a CPU gives the first. With no rows all of this works too.",
    ),
    cases=_cases,
)
