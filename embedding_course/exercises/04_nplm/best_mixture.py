"""Model and counts together: how far held-out text says to trust the model."""

from collections.abc import Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, RandomInputs, strided

# Two kinds of words: at `share` of them the model's probability is the first number and the counts' the second, at the
# rest the third and fourth. The losses at the weights of a case's grid are far apart.
_Kinds = tuple[float, tuple[float, float], tuple[float, float]]
_MODEL_WINS: _Kinds = (0.7, (0.9, 0.3), (0.5, 0.2))
_COUNTS_WIN: _Kinds = (0.4, (0.1, 0.6), (0.3, 0.4))
_FEW_BUT_CLEAR: _Kinds = (0.4, (0.9, 0.01), (0.3, 0.5))


def _both_help(draw: RandomInputs, share: float, count: int, size: float = 1.0) -> tuple[_Kinds, float]:
    """Return two kinds of words, each of which one of two models predicts well, and a weight near which the loss is least.

    A mixture is proportional to `near + w` at words of the first kind and to `far - w` at the others. The loss is the sum of
    two logarithms, with a minimum between their poles. Probabilities are at most 0.8 times `size`.
    """
    share = round(share * count) / count
    near, far = draw.rng.uniform(0.05, 0.15), draw.rng.uniform(1.05, 1.15)
    kinds = share, (0.8 * size, 0.8 * size * near / (1 + near)), (0.7 * size * (1 - 1 / far), 0.7 * size)
    valley = round(share * far - (1 - share) * near, 3)
    if abs(10 * valley - round(10 * valley)) < 0.1:  # no tenth: somebody might try tenths, whatever grid is given
        valley += 0.015
    return kinds, valley


def _words(draw: RandomInputs, kinds: _Kinds, count: int) -> torch.Tensor:
    """Return both probabilities of every word, (count, 2), in random order."""
    share, first, second = kinds
    many = round(share * count)
    pairs = torch.tensor([first] * many + [second] * (count - many), dtype=torch.float64)[draw.distinct(count, count)]
    # A common factor at a word changes both losses alike, so it moves no optimum.
    return pairs * draw.uniform(count, 1, low=0.4, high=1.0, dtype=torch.float64)


def _weights(draw: RandomInputs, low: float, high: float) -> list[float]:
    """Return one or two weights between `low` and `high`; none if the two are too close."""
    count = draw.integer(1, 2) if high - low > 0.02 else 0
    return [round(draw.rng.uniform(low, high), 3) for _ in range(count)]


def _grid(draw: RandomInputs, valley: float) -> list[float]:
    """Return a rising grid from 0 to 1 that contains `valley`; the other weights are too far away to be as good."""
    return sorted([0.0, *_weights(draw, 0.03, valley - 0.2), valley, *_weights(draw, valley + 0.2, 0.97), 1.0])


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        kinds: _Kinds,
        grid: Any,
        criterion: str,
        because: str = "",
        *,
        count: int = 41,
        zeros: str = "",
        almost: float = 0.0,
        index: int | None = None,
        dtype: torch.dtype = torch.float32,
        gaps: bool = False,
    ) -> Case:
        p_model, p_count = _words(draw, kinds, count).T.to(dtype, copy=True, memory_format=torch.contiguous_format)
        if zeros:
            (p_model if zeros == "model" else p_count)[draw.integer(0, count - 1) if index is None else index] = almost
        if gaps:
            p_model, p_count = strided(p_model), strided(p_count)
        return Case(name, {"p_model": p_model, "p_count": p_count, "grid": grid}, criterion, because=because)

    def between(name: str, share: float, criterion: str, because: str = "", *, count: int = 41, **how: Any) -> Case:
        """Return a case whose best weight lies between the ends of a rising grid, at a random position."""
        kinds, valley = _both_help(draw, share, count, how.pop("size", 1.0))
        return case(name, kinds, _grid(draw, valley), criterion, because, count=count, **how)

    def some(low: float, high: float) -> float:
        return draw.rng.uniform(low, high)

    def weight(low: float, high: float) -> float:
        return round(some(low, high), 3)

    whose = "The weight belongs to p_model; p_count gets the rest."
    yield between("both help", some(0.5, 0.65), "between", whose).trying("p_count tensor")
    yield between("the model helps more", some(0.75, 0.85), "between", whose)
    yield between("the counts help more", some(0.18, 0.3), "between", whose)
    yield case("words that only the model knows", _FEW_BUT_CLEAR, [0.0, weight(0.37, 0.43), weight(0.6, 0.7), weight(0.9, 1)],
               "between", "It matters how much more probable words become, not how many words do.")
    kinds, valley = _both_help(draw, draw.choice((0.3, 0.7)), 199)
    tenths = [round(0.1 * step, 1) for step in range(11)]
    nearest = min(tenths, key=lambda tenth: abs(tenth - valley))
    fine = [tenth for tenth in tenths if tenth == nearest or abs(tenth - valley) > 0.08]
    yield case("a fine grid", kinds, fine, "between", count=199)

    end = "The best weight may stand at an end of the grid."
    yield case("the model wins everywhere", _MODEL_WINS, [0.0, *sorted([weight(0.2, 0.4), weight(0.5, 0.7)]), weight(0.9, 1.0)],
               "grid", end)
    yield case(
        "the counts win everywhere", _COUNTS_WIN, [weight(0.0, 0.1), weight(0.3, 0.5), weight(0.6, 0.8), 1.0], "grid", end
    ).trying("p_count tensor")
    kinds, valley = _both_help(draw, some(0.55, 0.65), 41)
    first, rest = [round(valley - 0.2, 3), round(valley - 0.35, 3)], [valley, round(valley + 0.25, 3), 0.0, 1.0]
    yield case("a grid out of order", kinds, [*first, *draw.shuffled(rest)], "grid", "The grid may come in any order.").trying(
        "grid the weights")
    kinds, valley = _both_help(draw, some(0.2, 0.35), 41)
    yield case("a falling grid", kinds, sorted(_grid(draw, valley), reverse=True), "grid",
               "The grid may come in any order.").trying("grid the weights")
    kinds, valley = _both_help(draw, some(0.5, 0.6), 41)
    missed = draw.shuffled([round(valley - 0.18, 3), round(valley - 0.4, 3), round(min(valley + 0.36, 0.98), 3)])
    yield case("a grid that misses the optimum", kinds, missed, "grid",
               "The answer is one of the grid's weights, nothing in between.").trying("returns")
    yield case("a grid of one weight", kinds, [weight(0.05, 0.95)], "grid").trying("grid the weights", "returns")
    missing = "The answer is one of the grid's weights, not an end that is missing there."
    yield case("the counts win, a grid without 0", _COUNTS_WIN, [weight(0.2, 0.4), weight(0.7, 0.9)], "grid", missing).trying(
        "returns")
    yield case("the model wins, a grid without 1", _MODEL_WINS, [weight(0.1, 0.3), weight(0.5, 0.7)], "grid", missing).trying(
        "returns")
    kinds, valley = _both_help(draw, some(0.75, 0.85), 41)
    yield case("a grid in a tensor", kinds, torch.tensor([round(valley - 0.4, 3), valley, 0.1]), "grid").trying(
        "grid the weights")
    kinds, valley = _both_help(draw, some(0.2, 0.3), 41)
    yield case("a float64 grid with gaps in memory", kinds,
               strided(torch.tensor([round(valley + 0.45, 3), valley, 0.97], dtype=torch.float64)), "grid").trying(
        "grid the weights")

    infinite = "A word of probability 0 costs infinity, so that weight is out, however good it is elsewhere."

    def ends() -> list[float]:
        return [0.0, weight(0.3, 0.7), 1.0]

    yield case("the model gives a word 0", _MODEL_WINS, ends(), "zeros", infinite, count=1000, zeros="model").trying(
        "A word of probability")
    yield case("the counts give a word 0", _COUNTS_WIN, ends(), "zeros", infinite, count=2000, zeros="counts").trying(
        "A word of probability")
    for kinds, whose in ((_MODEL_WINS, "model"), (_COUNTS_WIN, "counts")):
        for index, at in ((0, "first"), (-1, "last")):
            yield case(f"a zero of the {whose} at the {at} word", kinds, ends(), "zeros", infinite, count=60, zeros=whose,
                       index=index).trying("at least one has a finite")
    yield case("a zero among thousands of words", (1.0, (0.9, 0.3), (0.9, 0.3)), ends(), "zeros", infinite, count=3000,
               zeros="model", index=-1).trying("A word of probability")
    yield case("the model gives a word 0, no weight of 1", _MODEL_WINS, [0.0, weight(0.3, 0.5), weight(0.7, 0.85)], "zeros",
               "One 0 does not rule out the model: the counts give that word a probability.", zeros="model", count=200).trying(
        "A word of probability")
    yield case("the model gives a word almost 0", _MODEL_WINS, ends(), "zeros",
               "A probability of 1e-30 costs 69, which is much for one of 60 words.", count=60, zeros="model",
               almost=1e-30)
    yield case("almost a zero among a thousand words, float64", _MODEL_WINS, ends(), "zeros",
               "A probability of 1e-9 costs 21, which is little for one of 1000 words.", count=1000, zeros="model",
               almost=1e-9, dtype=torch.float64).trying("p_model floating")
    known = {"p_model": torch.tensor([0.9, 0.0]), "p_count": torch.tensor([0.1, 0.5]), "grid": [0.0, 0.4, 1.0]}
    yield Case("docstring example", known, "zeros", because=infinite).trying(
        "A word of probability", "at least one has a finite")

    many = "A product of thousands of probabilities is 0 in floating point."
    yield between("thousands of words", some(0.5, 0.65), "any number", many, count=4000).trying("N may be large")
    kinds, valley = _both_help(draw, some(0.2, 0.3), 3000)
    yield case("thousands of words, float64", kinds, sorted(_grid(draw, valley), reverse=True), "any number", many, count=3000,
               dtype=torch.float64).trying("N may be large")
    yield between("probabilities with gaps in memory", some(0.75, 0.85), "any number", count=300, gaps=True)
    yield between("tiny probabilities", some(0.5, 0.65), "any number", count=400, size=1e-5)
    lone = [weight(0.2, 0.4), 1.0, weight(0.0, 0.1), weight(0.6, 0.8)]
    yield between("as many words as weights", draw.choice((0.4, 0.6)), "any number", count=5)
    yield case("a single word", _COUNTS_WIN, lone, "any number", count=1)


best_mixture = Exercise(
    id="04.best_mixture",
    title="Model and counts together",
    why="Counts predict frequent pairs well, the model the rest: held-out text decides how much weight each gets.",
    difficulty=2,
    minutes=14,
    core=False,
    criteria=(
        Criterion("between", 1, "the weight with the least loss on held-out text", tries=("Best is the least",)),
        Criterion("grid", 1, "one of the grid's weights, in whatever order they come"),
        Criterion("zeros", 1, "a probability of 0 costs infinity"),
        Criterion("any number", 1, "one word or thousands, tiny probabilities, float32 and float64",
                  tries=("p_model floating",)),
    ),
    hints=(
        "For a single weight: which probability does the mixture give each word, and which loss follows?",
        "The loss is a mean of minus logarithms. Logarithms are summed; the probabilities themselves never multiplied.",
        "log(0) is -inf in torch and an exception in `math`. Minus the mean of such logs is inf, as it should be.",
        "Compute the loss for every weight of the grid, find where it is least, and return that weight, not its index.",
    ),
    cases=_cases,
    compare=Comparison(rtol=1e-6),
)
