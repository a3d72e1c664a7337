"""What the table has learned: a word's nearest neighbours."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided

#: Cosines to the query, far enough apart that rounding changes no order, some of them negative.
_COSINES = (0.96, 0.8, 0.64, 0.45, 0.25, 0.1, -0.15, -0.4, -0.65, -0.9)


def _table(
    draw: RandomInputs, cosines: list[float], width: int, dtype: torch.dtype, zeros: int = 0, scale: float = 1.0,
    shrink: float = 1.0,
) -> tuple[torch.Tensor, int]:
    """Return a table with a query row and rows that have these cosines with it, in random order, and the query's index.

    Rows are short and long by turns, and the nearest one is short, so longer rows are not nearer. `shrink` makes the short rows
    shorter, `scale` multiplies all of them.
    """
    query = draw.normal(width, dtype=torch.float64)
    query = query / query.norm()
    rows = []
    for number, cosine in enumerate(cosines):
        aside = draw.normal(width, dtype=torch.float64)
        aside = aside - (aside @ query) * query
        length = shrink * draw.rng.uniform(0.4, 0.6) if number % 2 == 0 else draw.rng.uniform(3.0, 4.0)
        rows.append(length * (cosine * query + (1 - cosine**2) ** 0.5 * aside / aside.norm()))
    rows += [torch.zeros(width, dtype=torch.float64)] * zeros
    order = draw.distinct(len(rows), len(rows)).tolist()
    index = draw.integer(1, max(1, len(rows) - 1)) if rows else 0
    table = [rows[at] for at in order]
    table.insert(index, 1.5 * query)
    return (scale * torch.stack(table)).to(dtype), index


def _nearest_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        count: int,
        width: int,
        k: int,
        criterion: str,
        because: str = "",
        *,
        zeros: int = 0,
        dtype: torch.dtype = torch.float32,
        scale: float = 1.0,
        shrink: float = 1.0,
        gaps: bool = False,
    ) -> Case:
        cosines = list(_COSINES[:2]) + sorted(draw.shuffled(_COSINES[2:])[: max(count - 2, 0)], reverse=True)
        embedding, index = _table(draw, cosines[:count], width, dtype, zeros, scale, shrink)
        args = {"embedding": strided(embedding) if gaps else embedding, "index": index, "k": k}
        return Case(name, args, criterion, because=because)

    angle = "The cosine does not depend on the length of a row."
    width = draw.choice((3, 5))
    yield case("the nearest word", 6, width, 1, "order", angle).trying("index the word", "k how many")
    yield case("three words", 10, width, 3, "order", "The most similar one comes first.").trying("returns")
    yield case("as many words as columns", 4, 5, 3, "order").trying("embedding")
    yield case("two columns", 8, 2, 4, "order", angle).trying("embedding")
    corners = torch.tensor([[2.0, 1.0], [1.0, 0.0], [3.0, 3.0], [4.0, -3.0], [3.0, 5.0]])
    order = draw.distinct(5, 5)
    yield Case("rows of round numbers", {"embedding": corners[order], "index": int(order.argmin()), "k": 4}, "order",
               because="The length of (4, -3) is 5, not 7: (3, 3) is more nearly like (2, 1) than (1, 0) is.").trying("returns")
    yield case("all other words", 10, width, 10, "order", "Words in the opposite direction come last.").trying(
        "k how many")

    zero = "A row of zeros has no direction: it is no word's neighbour."
    yield case("a row of zeros", 10, width, 9, "zero rows", zero, zeros=1)
    yield case("more words wanted than have a direction", 8, width, 10, "zero rows", zero, zeros=3).trying("fewer than k")
    yield case("only rows of zeros besides", 0, width, 2, "zero rows", zero, zeros=4).trying("its row is not zero")

    # On the axes: cosines of exactly 0.6, 0 and -1 to the first row.
    axes = torch.tensor([[2.0, 0.0], [3.0, 4.0], [0.0, 5.0], [-3.0, 0.0], [0.0, 0.0]])
    order = draw.distinct(5, 5)
    yield Case("at right angles, and opposite", {"embedding": axes[order], "index": int(order.argmin()), "k": 4}, "zero rows",
               because="A cosine of 0 or -1 is a cosine like any other; only rows of zeros have none.")

    many, rows = torch.zeros(40, 3), draw.distinct(5, 40)
    many[rows] = torch.tensor([[2.0, 0.0, 0.0], [-1.0, 0.2, 0.0], [-1.0, 0.0, 0.7], [-1.0, 1.5, 0.0], [-1.0, 0.0, 3.0]])
    yield Case("thirty-five rows of zeros", {"embedding": many, "index": int(rows[0]), "k": 3}, "zero rows",
               because="Words with a cosine below 0 are neighbours; rows of zeros are not, however many there are."
               )

    corners = torch.tensor([[2.0, 1.0], [1.0, 0.0], [3.0, 3.0], [4.0, -4.0], [0.0, 0.0]])
    order = draw.distinct(5, 5)
    yield Case("numbers that add up to 0", {"embedding": corners[order], "index": int(order.argmin()), "k": 5}, "zero rows",
               because="(4, -4) is no row of zeros.")

    fewer = "Where there are fewer words than k, all of them are returned, and not the word itself."
    yield case("as many wanted as there are rows", 6, width, 7, "few words", fewer).trying("fewer than k")
    yield case("many more wanted", 3, width, 50, "few words", fewer).trying("fewer than k")
    yield case("a table of one row", 0, width, 3, "few words", fewer).trying("embedding", "index the word", "fewer than k")
    yield case("no words wanted", 6, width, 0, "few words").trying("k how many")

    embedding, index = _table(draw, [0.8, 0.45, 0.1, -0.4], width, torch.float32)
    doubled_row = 2.0 * embedding[index]
    table = torch.cat([doubled_row[None], embedding])
    yield Case("a vector in the same direction, before the word", {"embedding": table, "index": index + 1, "k": 2}, "any table",
               because="Only the word itself is left out, not a word that points the same way.").trying(
        "index the word", "returns")
    table = torch.cat([embedding[index][None], embedding])
    yield Case("a copy of the word's row before it", {"embedding": table, "index": index + 1, "k": 2}, "any table",
               because="Only the word itself is left out, not a word that has the same vector.").trying("returns")
    table = torch.cat([embedding, doubled_row[None]])
    yield Case("a vector in the same direction, at the end", {"embedding": table, "index": index, "k": 2}, "any table",
               because="Only the word itself is left out, not a word that points the same way.")
    yield case("float64", 10, width, 6, "any table", dtype=torch.float64).trying("embedding")
    yield case("large numbers", 10, width, 6, "any table", scale=5000.0).trying("embedding")
    yield case("small numbers", 10, width, 6, "any table", scale=0.001).trying("embedding")
    short = "A very short row has a direction; only a row of zeros has none."
    yield case("tiny numbers", 10, width, 10, "any table", short, scale=1e-5, zeros=1).trying(
        "embedding", "its row is not zero")
    yield case("tiny rows beside long ones", 10, width, 10, "any table", short, shrink=2e-5, zeros=1)
    yield case("a table with gaps in memory", 10, width, 6, "any table", gaps=True, zeros=1).trying("embedding")
    embedding, index = _table(draw, [0.8, 0.7999, 0.7998, 0.7], width, torch.float32)
    yield Case("words at almost one angle", {"embedding": embedding, "index": index, "k": 3}, "any table",
               because="Their cosines differ in the fourth digit.").trying("returns")
    known = torch.tensor([[1.0, 0.0], [0.0, 0.0], [5.0, 5.0], [1.0, 0.1]])
    yield Case("docstring example", {"embedding": known, "index": 0, "k": 3}, "any table").trying("fewer than k")


nearest = Exercise(
    id="04.nearest",
    title="Who are the neighbours?",
    why="Nearest neighbours show what a table of vectors has learned.",
    difficulty=2,
    minutes=13,
    criteria=(
        Criterion("order", 2, "the k most similar words by cosine, best first, without the word itself"),
        Criterion("zero rows", 1, "rows of zeros are never neighbours", tries=("returns",)),
        Criterion("few words", 0.5, "fewer than k where there are no more"),
        Criterion("any table", 0.5, "words that point the same way, any floating type and size"),
    ),
    hints=(
        "Bring the rows to length 1: then one matrix product holds all cosines. What happens to a row of zeros?",
        "Do not trust that the word is its own first neighbour: leave it out by its index.",
        "`topk` refuses a k that is larger than the table. How many words can there be at most?",
        "Sort the indices of all rows by falling cosine, keep those that are neither the word nor a row of zeros, and "
        "cut after k.",
    ),
    cases=_nearest_cases,
)
