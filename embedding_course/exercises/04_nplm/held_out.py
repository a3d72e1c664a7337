"""Held-out text: perplexity, and how far to trust the model against the counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from ...compare import Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import strided

__all__ = ["best_mixture", "perplexity"]


def _perplexity_cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str, means: Sequence[float], counts: Sequence[int], criterion: str, because: str = "", kind: str = "lists"
    ) -> Case:
        """Batches of so many tokens each, with these mean losses but for a little noise."""
        sums: Any = [round(mean * count * draw.rng.uniform(0.97, 1.03), 4) for mean, count in zip(means, counts, strict=True)]
        tokens: Any = list(counts)
        if kind != "lists" and kind != "tensor and list":
            tokens = torch.tensor(tokens, dtype=torch.int64)
        if kind != "lists" and kind != "list and tensor":
            sums = torch.tensor(sums, dtype=torch.float64 if kind == "float64" else torch.float32)
        if kind == "gaps":
            sums, tokens = strided(sums), strided(tokens)
        if kind == "float counts":
            tokens = tokens.float()
        return Case(name, {"nll_sums": sums, "token_counts": tokens}, criterion, because=because)

    per_token = "It is exp of the mean loss over all tokens, whatever batch they stand in."
    yield case("one batch", [1.7], [7], "tokens", per_token)
    yield case("one token", [2.3], [1], "tokens", per_token)
    yield case("two batches of one size", [1.0, 3.0], [5, 5], "tokens",
               "The mean of two perplexities is not the perplexity of both batches.")  # fmt: skip
    yield case("a small last batch", [1.2, 1.1, 4.5], [64, 64, 3], "tokens",
               "Each token counts the same, so a batch counts by its tokens.")  # fmt: skip
    counts = draw.shuffled([2, 3, 11, 29, 53])
    yield case("batches of many sizes", [0.4, 2.9, 1.6, 3.7, 2.2], counts, "tokens", per_token)

    yield case("a batch that costs nothing, and one of a single token", [1.9, 0.0, 4.7], [5, 7, 1], "tokens",
               "A token that was foreseen for certain is a token too.")  # fmt: skip

    empty = "A batch without tokens adds nothing; it is no reason for 0 / 0."
    yield case("an empty batch at the end", [1.4, 2.8, 0.0], [7, 3, 0], "empty batches", empty)
    yield case("empty batches among others", [0.0, 1.9, 0.0, 3.1], [0, 5, 0, 2], "empty batches", empty)
    yield case("empty batches, tensors", [0.0, 2.1, 3.3, 0.0], [0, 3, 11, 0], "empty batches", empty, "tensors")

    yield case("tensors", [1.5, 2.7, 0.8], [11, 2, 5], "any input", per_token, "tensors")
    yield case("float64 tensors", [1.5, 2.7, 0.8], [2, 11, 5], "any input", per_token, "float64")
    yield case("a list of sums and a tensor of counts", [2.5, 0.7, 1.9], [3, 2, 13], "any input", "", "list and tensor")
    yield case("a tensor of sums and a list of counts", [0.5, 2.7, 1.9], [3, 2, 13], "any input", "", "tensor and list")
    yield case("counts in floating numbers", [2.5, 0.6, 3.3], [3, 17, 5], "any input", "", "float counts")
    yield case("tensors with gaps in memory", [1.3, 2.2, 3.4], [17, 3, 5], "any input", "", "gaps")
    yield case("many tokens, much surprise", [9.6, 8.1, 10.4], [90_000, 120_000, 7], "any input",
               "Sums in the hundred thousands are fine; exp of one of them is not.")  # fmt: skip
    yield case("a model that is very wrong", [25.0], [10], "any input", "exp(25) is a number like any other.")
    yield case("hardly any surprise", [0.002, 0.004], [50, 20], "any input")
    yield case("no surprise at all", [0.0, 0.0], [5, 7], "any input", "A model that is always sure and right has 1.")


perplexity = Exercise(
    id="04.perplexity",
    title="Perplexity",
    why="It says among how many equally likely words a model would be as unsure; models are compared by it, so it must "
    "not depend on how the text was cut into batches.",
    difficulty=1,
    minutes=6,
    criteria=(
        Criterion("tokens", 1, "exp of the mean loss over all tokens, whatever the batches"),
        Criterion("empty batches", 0.5, "batches without tokens do not matter"),
        Criterion("any input", 0.5, "lists and tensors, large numbers and small ones"),
    ),
    hints=(
        "What is the mean loss per token when one batch has 64 tokens and the next one 3?",
        "Add up all losses, and all tokens, before anything else is done.",
        "Only one division and only one exp are needed, both at the end.",
    ),
    cases=_perplexity_cases,
)

# Two kinds of words: at `share` of them the model's probability is the first number and the counts' the second, at the
# rest the third and fourth. Each table was made so that one weight of its grid is better than all others by far.
_BOTH_HELP = (0.6, (0.8, 0.1), (0.1, 0.8))
_MODEL_HELPS = (0.85, (0.6, 0.1), (0.05, 0.6))
_COUNTS_HELP = (0.2, (0.7, 0.02), (0.05, 0.5))
_MODEL_WINS = (0.7, (0.9, 0.3), (0.5, 0.2))
_FEW_BUT_CLEAR = (0.4, (0.9, 0.01), (0.3, 0.5))
_COUNTS_WIN = (0.4, (0.1, 0.6), (0.3, 0.4))


def _best_mixture_cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str,
        table: tuple[float, tuple[float, float], tuple[float, float]],
        grid: Any,
        criterion: str,
        because: str = "",
        *,
        count: int = 40,
        zeros: str = "",
        almost: float = 0.0,
        place: int | None = None,
        dtype: torch.dtype = torch.float32,
        gaps: bool = False,
    ) -> Case:
        share, first, second = table
        many = round(share * count)
        pairs = torch.tensor([first] * many + [second] * (count - many), dtype=torch.float64)[draw.distinct(count, count)]
        # A common factor at a word changes both losses alike, so it moves no optimum.
        pairs = pairs * draw.uniform(count, 1, low=0.4, high=1.0, dtype=torch.float64)
        p_model, p_count = pairs.T.to(dtype, copy=True, memory_format=torch.contiguous_format)
        if zeros:
            (p_model if zeros == "model" else p_count)[draw.integer(0, count - 1) if place is None else place] = almost
        if gaps:
            p_model, p_count = strided(p_model), strided(p_count)
        return Case(name, {"p_model": p_model, "p_count": p_count, "grid": grid}, criterion, because=because)

    tenths = [round(0.1 * step, 1) for step in range(11)]
    weight = "The weight belongs to p_model; p_count gets the rest."
    yield case("both help", _BOTH_HELP, [0.0, 0.25, 0.6, 0.9, 1.0], "between", weight)
    yield case("the model helps more", _MODEL_HELPS, [0.0, 0.2, 0.5, 0.9, 1.0], "between", weight)
    yield case("the counts help more", _COUNTS_HELP, [0.0, 0.25, 0.6, 0.8, 1.0], "between", weight)
    yield case("words that only the model knows", _FEW_BUT_CLEAR, [0.0, 0.4, 0.7, 1.0], "between",
               "What counts is by how much a word gets likelier, not for how many words.")  # fmt: skip
    yield case("a fine grid", _BOTH_HELP, tenths, "between", count=200)
    yield case("as many words as weights", _BOTH_HELP, [0.0, 0.25, 0.6, 0.9, 1.0], "between", count=5)

    yield case("a single word", _COUNTS_WIN, [0.3, 1.0, 0.0, 0.7], "between", count=1)

    end = "The best weight may stand at an end of the grid."
    yield case("the model wins everywhere", _MODEL_WINS, [0.0, 0.3, 0.7, 1.0], "grid", end)
    yield case("the counts win everywhere", _COUNTS_WIN, [0.0, 0.3, 0.7, 1.0], "grid", end)
    yield case("a grid in no order", _BOTH_HELP, [0.3, 0.0, 0.62, 1.0, 0.15, 0.9], "grid",
               "The grid may come in any order.")  # fmt: skip
    yield case("a falling grid", _COUNTS_HELP, [1.0, 0.8, 0.5, 0.25, 0.0], "grid", "The grid may come in any order.")
    yield case("a grid that misses the optimum", _BOTH_HELP, [0.05, 0.15, 0.95], "grid",
               "The answer is one of the grid's weights, nothing in between.")  # fmt: skip
    yield case("a grid of one weight", _MODEL_HELPS, [0.35], "grid")
    yield case("the counts win, a grid without 0", _COUNTS_WIN, [0.35, 0.8], "grid",
               "The answer is one of the grid's weights, not an end that is missing there.")  # fmt: skip
    yield case("the model wins, a grid without 1", _MODEL_WINS, [0.2, 0.65], "grid",
               "The answer is one of the grid's weights, not an end that is missing there.")  # fmt: skip
    yield case("a grid in a tensor", _MODEL_HELPS, torch.tensor([0.5, 0.9, 0.1]), "grid")
    yield case("a float64 grid with gaps in memory", _COUNTS_HELP,
               strided(torch.tensor([0.7, 0.2, 0.9], dtype=torch.float64)), "grid")  # fmt: skip

    infinite = "A word of probability 0 costs infinity, so that weight is out, however good it is elsewhere."
    yield case("a zero of the model", _MODEL_WINS, [0.0, 0.5, 1.0], "zeros", infinite, count=1000, zeros="model")
    yield case("a zero of the counts", _COUNTS_WIN, [0.0, 0.5, 1.0], "zeros", infinite, count=2000, zeros="counts")
    for table, whose in ((_MODEL_WINS, "model"), (_COUNTS_WIN, "counts")):
        for place, at in ((0, "first"), (-1, "last")):
            yield case(f"a zero of the {whose} at the {at} word", table, [0.0, 0.5, 1.0], "zeros", infinite, count=60,
                       zeros=whose, place=place)  # fmt: skip
    yield case("a zero among thousands of words", (1.0, (0.9, 0.3), (0.9, 0.3)), [0.0, 0.5, 1.0], "zeros", infinite, count=3000,
               zeros="model", place=-1)  # fmt: skip
    yield case("a zero of the model, no weight of 1", _MODEL_WINS, [0.0, 0.4, 0.8], "zeros",
               "The zero alone is no reason against the model: the counts stand in.", zeros="model", count=200)  # fmt: skip

    yield case("almost a zero of the model", _MODEL_WINS, [0.0, 0.5, 1.0], "zeros",
               "A probability of 1e-30 costs 69, which is much for one of 60 words.", count=60, zeros="model",
               almost=1e-30)  # fmt: skip
    yield case("almost a zero among a thousand words, float64", _MODEL_WINS, [0.0, 0.5, 1.0], "zeros",
               "A probability of 1e-9 costs 21, which is little for one of 1000 words.", count=1000, zeros="model",
               almost=1e-9, dtype=torch.float64)  # fmt: skip

    many = "A product of thousands of probabilities is 0 in floating point."
    yield case("thousands of words", _BOTH_HELP, [0.0, 0.25, 0.6, 0.9, 1.0], "many words", many, count=4000)
    yield case("thousands of words, float64", _COUNTS_HELP, [0.9, 0.6, 0.25, 0.05], "many words", many, count=3000,
               dtype=torch.float64)  # fmt: skip
    yield case("probabilities with gaps in memory", _MODEL_HELPS, [0.2, 0.5, 0.9], "many words", count=300, gaps=True)
    tiny = (0.6, (8e-6, 1e-6), (1e-6, 8e-6))
    yield case("tiny probabilities", tiny, [0.0, 0.25, 0.6, 0.9, 1.0], "many words", count=400)


best_mixture = Exercise(
    id="04.best_mixture",
    title="Model and counts together",
    why="Counts remember the common pairs, the model guesses the rest: held-out text decides how far to trust each.",
    difficulty=2,
    minutes=8,
    core=False,
    criteria=(
        Criterion("between", 1, "the weight with the least loss on held-out text"),
        Criterion("grid", 1, "one of the grid's weights, in whatever order they come"),
        Criterion("zeros", 1, "a probability of 0 costs infinity"),
        Criterion("many words", 1, "thousands of words, tiny probabilities, float32 and float64"),
    ),
    hints=(
        "For a single weight: what does the mixture think of each word, and what does that cost?",
        "The loss is a mean of minus logarithms. Logarithms are summed; the probabilities themselves never multiplied.",
        "log(0) is -inf in torch and an exception in `math`. Minus the mean of such logs is inf, as it should be.",
        "Compute the loss for every weight of the grid, find where it is least, and return that weight, not its place.",
    ),
    cases=_best_mixture_cases,
    compare=Same(rtol=1e-6),
)
