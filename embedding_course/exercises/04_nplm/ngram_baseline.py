"""The model that only counts n-grams."""

from collections.abc import Iterator

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, RandomInputs, strided


def _rows(draw: RandomInputs, count: int, context: int, size: int) -> torch.Tensor:
    """Return contexts in which every word but the last two of the vocabulary occurs in the last position."""
    X = draw.ids((count, context), size - 2)
    X[: size - 2, -1] = draw.distinct(size - 2, size - 2)
    return X[draw.distinct(count, count)]


def _pairs(draw: RandomInputs, count: int, context: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return rows and targets with repeated pairs, unequal frequencies, and a word that is never a target."""
    X = _rows(draw, count, context, size)
    Y = torch.where(draw.uniform(count) < 0.5, draw.ids(count, size - 1), (X[:, -1] + 1) % (size - 1))
    return X, Y


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        pairs: tuple[torch.Tensor, torch.Tensor],
        size: int,
        order: int,
        alpha: float,
        criterion: str,
        because: str = "",
    ) -> Case:
        args = {"X": pairs[0], "Y": pairs[1], "vocab_size": size, "order": order, "alpha": alpha}
        return Case(name, args, criterion, because=because)

    def alpha() -> float:
        return draw.choice((0.1, 0.25, 0.4, 0.6))

    size = draw.choice((5, 7))
    count = draw.choice((29, 31, 37))
    context = draw.choice((2, 3))
    unigram = "Order 1 counts how often each word is a target, and ignores the context."
    yield case("order 1", _pairs(draw, count, context, size), size, 1, alpha(), "order 1", unigram).trying(
        "Y int64 tensor", "order 1 or 2", "returns order")
    yield case("order 1, as many targets as words", _pairs(draw, 7, context, 7), 7, 1, alpha(), "order 1", unigram)
    yield case("order 1, a large alpha", _pairs(draw, count, context, size), size, 1, 25.0, "order 1")

    previous = "The row is the previous word, which is X's last column; the column is the word that follows."
    yield case("order 2, a context of one word", _pairs(draw, count, 1, size), size, 2, alpha(), "order 2",
               "The row is the previous word, the column the word that follows; each row sums to 1.").trying("X int64 tensor")
    yield case("order 2", _pairs(draw, count, context, size), size, 2, alpha(), "order 2", previous).trying(
        "X int64 tensor", "order 1 or 2")
    yield case("order 2, a context as long as the vocabulary", _pairs(draw, count, size, size), size, 2, alpha(),
               "order 2", previous)
    yield case("order 2, as many rows as words", _pairs(draw, 7, context, 7), 7, 2, alpha(), "order 2", previous)
    first, then, never = draw.distinct(3, 5).tolist()
    X, Y = torch.tensor([[never, first]]).repeat(6, 1), torch.tensor([then] * 4 + [never, then])
    yield case("order 2, one pair many times", (X, Y), 5, 2, alpha(), "order 2", "Each occurrence of a pair counts.")

    often = draw.integer(2500, 3500)
    X, Y = torch.tensor([[never, first]]).repeat(often + 600, 1), torch.tensor([then] * often + [never] * 600)
    yield case("order 2, one pair 3000 times", (X, Y), 5, 2, alpha(), "order 2", "Each occurrence of a pair counts.")
    yield case("order 1, one word 3000 times", (X, Y), 5, 1, alpha(), "any text", "Each occurrence of a word counts.").trying(
        "Order 1 ignores")

    smooth = "alpha is added to every count, seen or not, before the rows are divided by their sums."
    yield case("alpha 1", _pairs(draw, count, context, size), size, 2, 1, "smoothing", smooth)
    yield case("order 2, a large alpha", _pairs(draw, count, context, size), size, 2, 2.5, "smoothing", smooth)
    yield case("order 2, a tiny alpha", _pairs(draw, count, context, size), size, 2, 1e-6, "smoothing",
               "A word that was never seen has a row too: each word is equally likely after it.").trying(
        "Order 2: (V, V)", "| u) and sums to 1")
    yield case("order 1, a tiny alpha", _pairs(draw, count, context, size), size, 1, 1e-6, "smoothing").trying("returns order")

    none = torch.zeros(0, context, dtype=torch.int64), torch.zeros(0, dtype=torch.int64)
    yield case("order 1, no rows", none, size, 1, 1e-6, "any text", "Without counts all words are equally likely.").trying(
        "Y int64 tensor", "alpha what is added")
    yield case("order 2, no rows", none, size, 2, alpha(), "any text", "Without counts all words are equally likely.").trying(
        "X int64 tensor", "Order 2: (V, V)", "| u) and sums to 1")
    X, Y = _pairs(draw, count, context, size)
    yield case("X and Y with gaps in memory, order 2", (strided(X), strided(Y)), size, 2, alpha(), "any text").trying(
        "X int64 tensor")
    yield case("X and Y with gaps in memory, order 1", (strided(X), strided(Y)), size, 1, alpha(), "any text").trying(
        "Y int64 tensor")
    yield case("a vocabulary of one word", (X * 0, Y * 0), 1, 2, alpha(), "any text").trying("vocab_size V")
    large = _pairs(draw, 53, context, 41)
    yield case("a large vocabulary", large, 41, 2, alpha(), "any text").trying("vocab_size V")
    known = torch.tensor([[0], [0], [1]]), torch.tensor([1, 1, 0])
    yield case("docstring example", known, 2, 2, 1.0, "any text").trying(
        "Order 2 looks", "Order 2: (V, V)", "| u) and sums to 1")


ngram_baseline = Exercise(
    id="04.ngram_baseline",
    title="The model that only counts",
    why="A neural model that has learned something must beat a table of counts.",
    difficulty=2,
    minutes=15,
    core=False,
    criteria=(
        Criterion("order 1", 1, "order 1: smoothed relative frequencies of the targets", tries=("Order 1 ignores",)),
        Criterion("order 2", 1, "order 2: a row for each previous word, a column for each next one", tries=("Order 2 looks",)),
        Criterion("smoothing", 1, "alpha is added to every count, and every row sums to 1", tries=("alpha what is added",)),
        Criterion("any text", 1, "any vocabulary and memory layout, no rows at all"),
    ),
    hints=(
        "Count first, smooth second, divide last. For order 2 the counts stand in a square.",
        "The previous word chooses the row, the target the column. Of X you need one column only.",
        "`counts[rows, columns] += 1` counts a pair that occurs five times once.",
        "Start the table at alpha instead of 0, add one for each occurrence, then divide each row by its own sum.",
    ),
    cases=_cases,
    compare=Comparison(dtype="floating"),
)
