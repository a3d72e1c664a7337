"""Search in product codes: cases."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided
from .product_codes import decoded, distinct_codes


def _queries(draw: RandomInputs, count: int, codes: torch.Tensor, codebooks: torch.Tensor) -> torch.Tensor:
    """Return queries for which no two of the coded vectors have similar dot products."""
    vectors = decoded(codes, codebooks)
    kept: list[torch.Tensor] = []
    while len(kept) < count:
        query = draw.normal(vectors.shape[1], dtype=torch.float64)
        scores = (vectors @ query).sort().values
        if len(scores) < 2 or float(scores.diff().min()) > 2e-3 * float(scores.abs().max()):
            kept.append(query)
    return torch.stack(kept).to(codebooks.dtype) if kept else torch.zeros(0, vectors.shape[1], dtype=codebooks.dtype)


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, queries: int, codes: torch.Tensor, codebooks: torch.Tensor, k: int, criterion: str,
             because: str = "", gaps: bool = False) -> Case:
        asked = _queries(draw, queries, codes, codebooks)
        args = {"queries": asked, "codes": codes, "codebooks": codebooks, "k": k}
        if gaps:
            args |= {"queries": strided(asked), "codes": strided(codes), "codebooks": strided(codebooks)}
        return Case(name, args, criterion, because=because)

    parts, centroids, width = draw.choice(((3, 5, 2), (2, 5, 3), (3, 7, 2)))
    books = draw.normal(parts, centroids, width)
    codes = distinct_codes(draw, 13, parts, centroids)
    product = "The dot product is taken with the vector that a row of codes stands for."
    yield case("the three best", 5, codes, books, 3, "search", product)
    yield case("the best one", 7, codes, books, 1, "search", product)
    yield case("all in order", 3, distinct_codes(draw, 11, parts, centroids), books, 11, "search", "The best comes first.")
    sizes = torch.linspace(0.3, 3.0, centroids)[draw.distinct(centroids, centroids)][:, None]
    unequal = sizes * draw.normal(parts, centroids, width)
    yield case("centroids of different lengths", 5, codes, unequal, 4, "search", "Dot products, neither cosines nor distances.")
    square = draw.normal(3, 3, 3)
    yield case("as many queries as codes, parts and centroids", 3, distinct_codes(draw, 3, 3, 3), square, 2, "search", product)
    four = draw.normal(4, 3, 1)
    yield case("four parts of one number", 5, distinct_codes(draw, 11, 4, 3), four, 3, "search", product)

    missing = "Where there are fewer than k vectors, -1 stands at the end."
    yield case("k above the number of vectors", 5, codes[:4], books, 7, "missing", missing)
    yield case("k above the number of vectors by one", 3, codes[:6], books, 7, "missing", missing)
    yield case("no vectors", 3, codes[:0], books, 2, "missing", missing)
    yield case("one vector", 5, codes[:1], books, 3, "missing", missing)

    yield case("one query", 1, codes, books, 3, "any input")
    yield case("no queries", 0, codes, books, 3, "any input", "No queries give no rows, and still k columns.")
    yield case("one part", 5, distinct_codes(draw, 5, 1, 7), draw.normal(1, 7, 3), 3, "any input")
    large = draw.normal(2, 300, 2)
    high = torch.stack([280 + draw.distinct(9, 20), 260 + draw.distinct(9, 20)], dim=1)
    yield case("codes above 255", 5, high, large, 3, "any input", "A code need not fit into a byte.")
    yield case("float64", 5, codes, books.double(), 3, "any input")
    yield case("large numbers", 5, codes, 1e4 * books, 3, "any input")
    yield case("gaps in memory", 5, codes, books, 3, "any input", gaps=True)
    line = torch.tensor([[[1.0], [3.0]], [[0.0], [2.0]]])
    three = torch.tensor([[0, 0], [1, 0], [1, 1]])
    example = {"queries": torch.tensor([[1.0, 1.0]]), "codes": three, "codebooks": line, "k": 2}
    yield Case("docstring example", example, "any input")


pq_search = Exercise(
    id="11.pq_search",
    title="Search in tables of dot products",
    why="A vector that is stored as codes is scored by M lookups in a small table: the course ends where it began.",
    difficulty=2,
    minutes=10,
    core=False,
    criteria=(
        Criterion("search", 0.5, "the k vectors with the largest dot products, best first, for each query",
                  tries=("A row of codes", "The best vector", "queries (Q, d)", "codes (N, M)", "codebooks (M,", "k how many",
                         "returns")),
        Criterion("missing", 0.25, "-1 where there are fewer than k vectors",
                  tries=("-1 stands", "N may be 0", "it may exceed")),
        Criterion("any input", 0.25, "one or no query, one part, codes above 255, float64, any memory layout",
                  tries=("Q may be 0", "codes (N, M)", "codebooks (M,")),
    ),
    hints=(
        "The slow way first: put the vectors that the codes stand for together, and search as always.",
        "A dot product is a sum over the parts. For one query, all products with the centroids are a table (M, K).",
        '`torch.einsum("qms,mks->qmk", queries.reshape(Q, M, d // M), codebooks)` is that table for all queries. For part m, '
        "`table[:, m, codes[:, m]]` looks up a number for each vector: (Q, N).",
        "Add the M lookups. `topk` with min(k, N), then fill up to k columns with -1, for instance by `F.pad(..., value=-1)`.",
    ),
    cases=_cases,
)
