"""The health of a table: analogies and rows of odd length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts, strided

__all__ = ["analogy", "norm_outliers"]


def _analogy_cases(draw: Draw) -> Iterator[Case]:
    def case(name: str, table: torch.Tensor, words: tuple[int, int, int], k: int, criterion: str, because: str = "") -> Case:
        args = {"embedding": table, **dict(zip("abc", words, strict=True)), "k": k}
        return Case(name, args, criterion, because=because)

    def clear(
        rows: int, width: int, words: tuple[int, int, int], zeros: int = 0, dtype: torch.dtype = torch.float32
    ) -> torch.Tensor:
        """A table of rows of very different lengths, with no two candidates about equally near to the query."""
        while True:
            table = draw.normal(rows, width, dtype=dtype) * draw.uniform(rows, 1, low=0.3, high=3.0, dtype=dtype)
            free = [row for row in range(rows) if row not in words]
            table[free[:zeros]] = 0.0
            a, b, c = words
            query = table[b] - table[a] + table[c]
            near = torch.cosine_similarity(query[None].double(), table[free[zeros:]].double(), dim=1)
            settled = len(near) < 2 or float(near.sort().values.diff().min()) > 1e-3
            if float(query.norm()) > 0.5 and settled and (len(near) < 5 or needs_all_three(table, words, near)):
                return table

    def needs_all_three(table: torch.Tensor, words: tuple[int, int, int], near: torch.Tensor) -> bool:
        """Would the order be another one without any one of the three?"""
        free = [row for row in range(len(table)) if row not in words][-len(near) :]
        a, b, c = (table[word] for word in words)
        orders = [torch.cosine_similarity(one[None], table[free], dim=1).argsort() for one in (b - a, b + c, c - a)]
        return not any(torch.equal(order, near.argsort()) for order in orders)

    def sparse(words: tuple[int, int, int]) -> torch.Tensor:
        """Eleven short rows of which one is all zeros; of the others two hold a 0, and one sums to exactly 0."""
        a, b, c = words
        free = draw.shuffled([row for row in range(11) if row not in words])
        while True:
            table = draw.normal(11, 4)
            table[free[0], 0] = 0.0
            table[free[1], draw.integer(1, 3)] = 0.0
            table[free[2]] = torch.tensor([1.5, -1.5, 0.25, -0.25])
            table[free[3]] = 0.0
            query = table[b] - table[a] + table[c]
            near = torch.cosine_similarity(query[None].double(), table[free[:3] + free[4:]].double(), dim=1)
            if float(query.norm()) > 0.5 and float(near.sort().values.diff().min()) > 1e-3:
                return 1e-2 * table

    def three(rows: int) -> tuple[int, int, int]:
        a, b, c = draw.distinct(3, rows).tolist()
        return a, b, c

    rows, width = draw.choice(((11, 3), (13, 5), (11, 5)))
    words = three(rows)
    yield case("the nearest word", clear(rows, width, words), words, 1, "order", "a is to b as c is to which word?")
    words = three(rows)
    yield case("the three nearest words", clear(rows, width, words), words, 3, "order", "Best first, by cosine.")
    a, b, c = three(rows - 1)
    words = (a + 1, b + 1, c + 1)  # row 0 is one of the answers
    yield case("all others", clear(rows, width, words), words, rows - 3, "order")
    words = (0, rows - 1, 4)
    yield case("the first and the last word", clear(rows, width, words), words, 4, "order")

    given = "The three words that were given are no answers."
    words = three(rows)
    near = clear(rows, width, words)
    near[words[1]] = near[words[0]] + 0.01 * near[words[1]]
    yield case("b is almost a", _settled(draw, near, words), words, 2, "left out", given)
    words = three(rows)
    yield case("rows of zeros", clear(rows, width, words, zeros=2), words, rows - 5, "left out",
               "A row of zeros has no direction, and is nobody's answer.")  # fmt: skip
    words = three(rows)
    yield case("more words wanted than there are", clear(rows, width, words), words, rows + 2, "left out",
               "Then the list is shorter.")  # fmt: skip
    words = three(rows)
    yield case("more wanted than there are, rows of zeros", clear(rows, width, words, zeros=3), words, rows, "left out")
    words = three(11)
    yield case("short rows, rows that hold a 0 or sum to 0", sparse(words), words, 7, "left out",
               "A row that holds a 0, or is short, has a direction; a row of nothing but zeros has none.")  # fmt: skip
    twin = torch.tensor([[1.0, 0.2, 0.0], [1.0, 1.0, 0.3], [2.0, 0.1, -0.4], [1.0, 1.0, 0.3], [5.0, 3.0, 0.5], [-1.0, 1, 0.2]])
    yield case("another word with the row of b", twin, (0, 1, 2), 3, "left out",
               "Left out are three ids; another word that stands in the same place is an answer.")  # fmt: skip
    # The query is (2, 1): cosines of exactly 1, 0 and -1, and a row of zeros.
    turned = torch.tensor([[1.0, 0.0], [1.0, 1.0], [2.0, 0.0], [4.0, 2.0], [-1.0, 2.0], [-4.0, -2.0], [0.0, 0.0]])
    yield case("at right angles, and opposite", turned, (0, 1, 2), 6, "left out",
               "A cosine of 0 or -1 is a cosine like any other; only rows of zeros have none.")  # fmt: skip
    along = torch.tensor([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [0.0, 0.0], [0.0, 2.0], [-4.0, 0.0]])
    yield case("opposite, after a row of zeros", along, (0, 1, 2), 5, "left out",
               "A cosine of exactly -1 is an answer; what is no answer must stand below it.")  # fmt: skip
    nowhere = torch.tensor([[0.0, 0.0], [1.0, 1.0], [2.0, 0.1], [5.0, 3.0], [-1.0, 1.0]])
    yield case("a is a row of zeros, more words wanted than there are", nowhere, (0, 1, 2), 5, "left out",
               "One of the three may be a row of zeros: it is left out once.")  # fmt: skip
    yield case("nobody is left", clear(3, width, (2, 0, 1)), (2, 0, 1), 2, "left out", "The list is empty.")

    words = three(5)
    yield case("as many words as columns", clear(5, 5, words), words, 2, "any table")
    words = three(rows)
    yield case("not contiguous in memory", strided(clear(rows, width, words)), words, 3, "any table")
    words = three(rows)
    yield case("float64", clear(rows, width, words, dtype=torch.float64), words, 3, "any table")
    yield case("very short rows", 1e-5 * turned, (0, 1, 2), 3, "any table", "A short row has a direction too.")
    words = three(rows)
    yield case("large numbers", clear(rows, width, words) * 3000, words, 3, "any table")


def _settled(draw: Draw, table: torch.Tensor, words: tuple[int, int, int]) -> torch.Tensor:
    """Move the other rows until no two are about equally near to the query."""
    a, b, c = words
    free = [row for row in range(len(table)) if row not in words]
    query = table[b] - table[a] + table[c]
    while True:
        near = torch.cosine_similarity(query[None].double(), table[free].double(), dim=1).sort().values
        if float(near.diff().min()) > 1e-3:
            return table
        table[free] = draw.normal(len(free), table.shape[1])


analogy = Exercise(
    id="10.analogy",
    title="a is to b as c is to …",
    why="The famous arithmetic of word vectors. Leave the three given words in, and it mostly returns one of them.",
    difficulty=2,
    minutes=10,
    core=False,
    criteria=(
        Criterion("order", 1, "the words nearest to E[b] - E[a] + E[c] by cosine, best first"),
        Criterion("left out", 1, "the three words and rows of zeros are no answers, and the list may be short"),
        Criterion("any table", 1, "any sizes, layout, floating type and size of numbers"),
    ),
    hints=(
        "First the query, from the rows as they are. Then it is a search for its nearest neighbours.",
        "Cosine, so long rows have no advantage: divide each dot product by the row's norm, where that is not 0.",
        "Put the similarity of whoever is no answer to minus infinity before you sort, and do not return them after all.",
        "How many candidates remain? Ask for no more than that with `topk`, and turn the result into Python ints.",
    ),
    cases=_analogy_cases,
)


def _same_rows(expected: list[int], got: Any, _: Case) -> Fault | None:
    """The rows in any order, each once."""
    if not isinstance(got, list):
        return Same().leaf(expected, got, "the result")
    got = [row.item() if isinstance(row, torch.Tensor) and row.ndim == 0 else row for row in got]
    if not all(type(row) is int for row in got):
        return Fault("type", "the list holds something else than ints", f": {got[:5]}")
    missing, extra = sorted(set(expected) - set(got)), sorted(set(got) - set(expected))
    if missing or extra:
        said = [f"{len(missing)} of {len(expected)} outliers missing"] if missing else []
        said += [f"{len(extra)} named that are none"] if extra else []
        which = f" (missing {missing[:5]}, wrong {extra[:5]})"
        return Fault("values", f"the rows are not the outliers: {', '.join(said)}", which)
    return Fault("values", "some rows are named twice") if len(got) != len(expected) else None


def _as_rows(candidate: Callable[..., Any], *args: Any, **options: Any) -> Parts:
    return Parts({"rows": candidate(*args, **options)})


def _outlier_cases(draw: Draw) -> Iterator[Case]:
    def table(lengths: torch.Tensor, width: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Rows of these lengths in random directions."""
        direction = draw.normal(len(lengths), width, dtype=torch.float64)
        return (direction / direction.norm(dim=1, keepdim=True) * lengths[:, None]).to(dtype)

    def lengths(rows: int, middle: float, odd: dict[int, float]) -> torch.Tensor:
        """Lengths around `middle`, within a fifth of it, but for some odd ones at random places."""
        common = middle * draw.uniform(rows, low=0.9, high=1.1, dtype=torch.float64)
        for place, value in zip(draw.distinct(len(odd), rows).tolist(), odd.values(), strict=True):
            common[place] = value
        return common

    def case(name: str, weight: torch.Tensor, criterion: str, because: str = "", **options: Any) -> Case:
        return Case(name, {"weight": weight}, criterion, options, because=because)

    def alike(rows: int, width: int, dtype: torch.dtype) -> torch.Tensor:
        """One number other than 0 in each row, so that norms are equal to the last bit, whatever the order of the sum;
        their mean, which is rounded, is another number."""
        while True:
            lengths = draw.uniform(1, 1, low=0.6, high=3.0, dtype=dtype).expand(rows, 1)
            weight = torch.zeros(rows, width, dtype=dtype).scatter(1, draw.ids((rows, 1), width), lengths)
            norms = weight.norm(dim=1)
            if norms.mean() != norms[0]:
                return weight

    rows, width = draw.choice(((31, 13), (37, 17), (41, 19)))
    yield case("one row that is too long", table(lengths(rows, 5.0, {0: 15.0}), width), "outliers")
    yield case("one row that is too long, one a little long", table(lengths(rows, 5.0, {0: 15.0, 1: 7.0}), width), "outliers",
               "The measure is the standard deviation of all norms.")  # fmt: skip
    yield case("no outlier", table(lengths(rows, 5.0, {}), width), "outliers", "The list is empty.")
    flat = table(lengths(rows, 5.0, {}), width)
    flat[2] = torch.zeros(width).index_fill(0, draw.ids(1, width), 5.0)
    yield case("a row along one axis", flat, "outliers", "The norm is the Euclidean one.")
    below = "A row may also be too short: a padding row of zeros is."
    yield case("one row that is too short", table(lengths(rows, 5.0, {0: 0.5}), width), "either side", below)
    zero = table(lengths(rows, 5.0, {}), width)
    zero[0] = 0.0
    yield case("a row of zeros", zero, "either side", below)
    zeros = table(lengths(61, 5.0, {}), width)
    zeros[draw.distinct(9, 61)] = 0.0
    yield case("nine rows of zeros among 61", zeros, "either side",
               "They take part in mean and standard deviation, and are too many to stand out.")  # fmt: skip
    yield case("one of each", table(lengths(61, 5.0, {0: 10.0, 1: 0.4}), width), "either side", below)

    few = "Among ten rows or fewer none can lie more than three standard deviations from the mean."
    yield case("ten rows, one very long", table(lengths(10, 5.0, {0: 20.0}), width), "threshold", few)
    yield case("ten rows, threshold 2", table(lengths(10, 5.0, {0: 20.0}), width), "threshold", threshold=2.0)
    yield case("threshold 8", table(lengths(rows, 5.0, {0: 15.0}), width), "threshold", threshold=8.0)
    mixed = lengths(61, 5.0, {0: 25.0, 1: 13.0})
    yield case("threshold 5, one long and one very long row", table(mixed, width), "threshold", threshold=5.0)
    yield case("threshold 1.2", table(lengths(rows, 5.0, {0: 15.0, 1: 14.0}), width), "threshold", threshold=1.2)

    equal = "When all norms are equal, none stands out."
    for name, dtype in (("all norms equal", torch.float32), ("all norms equal, float64", torch.float64)):
        yield case(name, alike(rows, width, dtype), "any table", equal)
        yield case(f"{name}, a low threshold", alike(23, width, dtype), "any table", equal, threshold=0.5)
    yield case("nothing but zeros", torch.zeros(rows, width), "any table", equal)
    yield case("a single row", draw.normal(1, width), "any table", equal)
    yield case("as many rows as columns", table(lengths(29, 5.0, {0: 15.0}), 29), "any table")
    yield case("not contiguous in memory", strided(table(lengths(rows, 5.0, {0: 15.0}), width)), "any table")
    yield case("float64", table(lengths(rows, 5.0, {0: 15.0}), width, torch.float64), "any table")
    yield case("large numbers", table(lengths(rows, 5000.0, {0: 9000.0}), width), "any table")
    close = 5 * (1 + 1e-7 * draw.normal(40, dtype=torch.float64))
    close[draw.integer(0, 39)] = 5 * (1 + 5e-6)
    yield case("norms that are nearly equal, float64", table(close, width, torch.float64), "any table",
               "Nearly equal is not equal: one row stands out by many standard deviations.")  # fmt: skip
    yield case("small numbers", table(lengths(37, 2e-5, {0: 3.6e-5}), width), "any table",
               "A thousandth, added to a standard deviation against division by 0, is more than this one.")  # fmt: skip


norm_outliers = Exercise(
    id="10.norm_outliers",
    title="Rows of odd length",
    why="A row that is much longer or shorter than the others is often a word that was never trained, or trained to death.",
    difficulty=1,
    minutes=8,
    core=False,
    criteria=(
        Criterion("outliers", 1, "rows whose norm is far above the mean norm"),
        Criterion("either side", 0.5, "rows that are too short count too"),
        Criterion("threshold", 0.5, "far means more than threshold standard deviations"),
        Criterion("any table", 1, "equal norms, a single row, any floating type, layout and size of numbers"),
    ),
    hints=(
        "One number a row: its norm. From then on the table is a list of numbers.",
        "How far is each norm from the mean of all norms, on either side, measured in standard deviations?",
        "When all norms are equal, the standard deviation should be 0, but rounding may leave it tiny: ask for this case "
        "before you compute anything.",
        "`nonzero` gives the places of True as a tensor; the answer is a list of Python ints.",
    ),
    cases=_outlier_cases,
    run=_as_rows,
    compare=Same(rules={"rows": _same_rows}),
)
