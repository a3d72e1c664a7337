"""a is to b as c is to which word: cases."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided


def _analogy_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, table: torch.Tensor, words: tuple[int, int, int], k: int, criterion: str, because: str = "") -> Case:
        args = {"embedding": table, **dict(zip("abc", words, strict=True)), "k": k}
        return Case(name, args, criterion, because=because)

    def clear(
        rows: int, width: int, words: tuple[int, int, int], zeros: int = 0, dtype: torch.dtype = torch.float32
    ) -> torch.Tensor:
        """Return a table of rows with very different norms, in which no two candidates are about equally near to the query."""
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
        """Return True if the candidates have another order without any one of the three words."""
        free = [row for row in range(len(table)) if row not in words][-len(near) :]
        a, b, c = (table[word] for word in words)
        orders = [torch.cosine_similarity(direction[None], table[free], dim=1).argsort() for direction in (b - a, b + c, c - a)]
        return not any(torch.equal(order, near.argsort()) for order in orders)

    def sparse(words: tuple[int, int, int]) -> torch.Tensor:
        """Return eleven short rows, of which one is all zeros, two others hold a 0, and one sums to exactly 0."""
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

    def drawn(name: str, rows: int, width: int, k: int, criterion: str, because: str = "", **how: Any) -> Case:
        words = three(rows)
        return case(name, clear(rows, width, words, **how), words, k, criterion, because)

    rows, width = draw.choice(((11, 3), (13, 5), (11, 5)))
    yield drawn("the nearest word", rows, width, 1, "order", "a is to b as c is to which word?")
    yield drawn("the three nearest words", rows, width, 3, "order", "Best first, by cosine.")
    a, b, c = three(rows - 1)
    words = (a + 1, b + 1, c + 1)  # row 0 is one of the answers
    yield case("all others", clear(rows, width, words), words, rows - 3, "order")
    words = (0, rows - 1, 4)
    yield case("the first and the last word", clear(rows, width, words), words, 4, "order")

    yield drawn("many words", 29, 7, 5, "order")
    example = torch.tensor([[1.0, 0.0], [1.0, 1.0], [2.0, 0.1], [5.0, 3.0], [-1.0, 1.0], [0.0, 0.0]])
    yield case("docstring example", example, (0, 1, 2), 5, "order")

    given = "The three words that were given are no answers."
    words = three(rows)
    near = clear(rows, width, words)
    near[words[1]] = near[words[0]] + 0.01 * near[words[1]]
    yield case("b is almost a", _settled(draw, near, words), words, 2, "left out", given)
    yield drawn("rows of zeros", rows, width, rows - 5, "left out", "A row of zeros has no direction, and is never an answer.",
                zeros=2)
    yield drawn("more words wanted than there are", rows, width, rows + 2, "left out", "Then the list is shorter.").trying(
        "fewer than k")
    yield drawn("more wanted than there are, rows of zeros", rows, width, rows, "left out", zeros=3).trying("fewer than k")
    words = three(11)
    yield case("short rows, rows that hold a 0 or sum to 0", sparse(words), words, 7, "left out",
               "A row that holds a 0, or is short, has a direction; a row of nothing but zeros has none.")
    yield from _special_words(case)
    many, positions = torch.zeros(40, 3), draw.distinct(7, 40)
    many[positions] = torch.tensor([[0.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 0.0, 0.0], [-1.0, 0.2, 0.0], [-1.0, 0.0, 0.7],
                                 [-1.0, 1.5, 0.0], [-1.0, 0.0, 3.0]])
    a, b, c = positions[:3].tolist()
    yield case("thirty-three rows of zeros", many, (a, b, c), 3, "left out",
               "However many rows of zeros there are, words with a cosine below 0 are answers, and they are not.")
    a, b, c = three(rows)
    same = "What is left out are these words, once each."
    for name, words in (("b is a", (a, a, c)), ("c is a", (a, b, a)), ("c is b", (a, b, b))):
        yield case(name, clear(rows, width, words), words, rows, "left out", same)

    yield drawn("as many words as columns", 5, 5, 2, "any table").trying("embedding")
    words = three(rows)
    yield case("not contiguous in memory", strided(clear(rows, width, words)), words, 3, "any table").trying("embedding")
    yield drawn("float64", rows, width, 3, "any table", dtype=torch.float64).trying("embedding")
    yield case("float64, nearly equal directions", _fan(draw), (0, 1, 2), 7, "any table",
               "In float32 these cosines would all be equal.").trying("candidates are compared", "returns")
    short = "A short row has a direction too."
    words = three(rows)
    yield case("short rows", 1e-4 * clear(rows, width, words), words, rows - 3, "any table", short).trying(
        "candidates are compared")
    yield case("very short rows", 1e-5 * _turned(), (0, 1, 2), 3, "any table", short)
    words = three(rows)
    yield case("large numbers", clear(rows, width, words) * 3000, words, 3, "any table").trying("candidates are compared")


def _turned() -> torch.Tensor:
    """Return a table for the query (2, 1), with cosines of exactly 1, 0 and -1 and a row of zeros."""
    return torch.tensor([[1.0, 0.0], [1.0, 1.0], [2.0, 0.0], [4.0, 2.0], [-1.0, 2.0], [-4.0, -2.0], [0.0, 0.0]])


def _special_words(case: Callable[..., Case]) -> Iterator[Case]:
    table = torch.tensor([[1.0, 0.2, 0.0], [1.0, 1.0, 0.3], [2.0, 0.1, -0.4], [1.0, 1.0, 0.3], [5.0, 3.0, 0.5], [-1.0, 1, 0.2]])
    yield case("another word with the row of b", table, (0, 1, 2), 3, "left out",
               "Left out are three ids; another word with the same vector is an answer.")
    yield case("at right angles, and opposite", _turned(), (0, 1, 2), 6, "left out",
               "A cosine of 0 or -1 is a cosine like any other; only rows of zeros have none.").trying(
        "candidates are compared")
    along = torch.tensor([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [0.0, 0.0], [0.0, 2.0], [-4.0, 0.0]])
    yield case("opposite, after a row of zeros", along, (0, 1, 2), 5, "left out",
               "A cosine of exactly -1 is an answer; what is no answer must stand below it.")
    nowhere = torch.tensor([[0.0, 0.0], [1.0, 1.0], [2.0, 0.1], [5.0, 3.0], [-1.0, 1.0]])
    yield case("a is a row of zeros, more words wanted than there are", nowhere, (0, 1, 2), 5, "left out",
               "One of the three may be a row of zeros: it is left out once.").trying("fewer than k")
    alone = torch.tensor([[1.0, 2.0], [0.5, -1.0], [2.0, 0.3]])
    yield case("no word is left", alone, (2, 0, 1), 2, "left out", "The list is empty.").trying("fewer than k")


def _fan(draw: RandomInputs) -> torch.Tensor:
    """Return three words whose query is (2, 1, 0), and seven others about one radian from it, in steps of 2e-8."""
    angles = 1.0 + 2e-8 * draw.distinct(7, 7).double()
    query = torch.tensor([2.0, 1.0, 0.0], dtype=torch.float64) / 5**0.5
    aside = torch.tensor([-1.0, 2.0, 0.0], dtype=torch.float64) / 5**0.5
    others = angles.cos()[:, None] * query + angles.sin()[:, None] * aside
    given = torch.tensor([[1.0, 0.5, 1.0], [1.0, 1.5, 0.0], [2.0, 0.0, 1.0]], dtype=torch.float64)
    return torch.cat([given, others * draw.uniform(7, 1, low=2.0, high=4.0, dtype=torch.float64)])


def _settled(draw: RandomInputs, table: torch.Tensor, words: tuple[int, int, int]) -> torch.Tensor:
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
    why="The famous arithmetic of word vectors. You ask it 600 questions in part D, and 14,877 in part E.",
    difficulty=2,
    minutes=13,
    core=False,
    criteria=(
        Criterion("order", 1, "the words nearest to E[b] - E[a] + E[c] by cosine, best first",
                  tries=("The query is E[b]", "candidates are compared", "embedding", "k how many", "returns")),
        Criterion("left out", 1, "the three words and rows of zeros are no answers, and the list may be short",
                  tries=("a, b, c ids",)),
        Criterion("any table", 1, "any sizes, layout, floating type and size of numbers"),
    ),
    hints=(
        "First the query, from the rows as they are. Then it is a search for its nearest neighbours.",
        "Cosine, so long rows have no advantage: divide each dot product by the row's norm, where that is not 0.",
        "Set the similarity of what is no answer to minus infinity before you sort, and do not return them after all.",
        "How many candidates remain? Ask for no more than that with `topk`, and turn the result into Python ints.",
    ),
    cases=_analogy_cases,
)
