"""Skip-gram with negative sampling: which words to draw."""

from collections.abc import Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, Observation, RandomInputs, strided
from ...messages import Message


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str,
        counts: list[int],
        criterion: str,
        because: str = "",
        *,
        floats: bool = False,
        gaps: bool = False,
        **options: Any,
    ) -> Case:
        tensor = torch.tensor(counts, dtype=torch.float32 if floats else torch.int64)
        return Case(name, {"counts": strided(tensor) if gaps else tensor}, criterion, options, because=because)

    def some(size: int, top: int = 400) -> list[int]:
        return [1, top, *(draw.integer(2, top - 1) for _ in range(size - 2))]

    size = draw.choice((5, 7))
    share = "The counts are raised to the power first; their sum is what makes them sum to one."
    yield case("integer counts", draw.shuffled(some(size)), "shares", share).trying("with a power", "counts int64")
    yield case("floating counts", draw.shuffled(some(size)), "shares", share, floats=True).trying("counts int64", "returns")
    yield case("large counts", draw.shuffled([3, 10_000_000, *(draw.integer(1_000, 9_000_000) for _ in range(3))]), "shares")

    never = "A word that never occurs is never drawn."
    yield case("zero counts", draw.shuffled([0, 0, *some(size)]), "zero counts", never)
    yield case("zero counts, floating", draw.shuffled([0, *some(size)]), "zero counts", never, floats=True)
    yield case("one word only occurs", draw.shuffled([0, 0, 17, 0]), "zero counts", never).trying("counts int64")
    yield case("zero counts, a small power", draw.shuffled([0, 0, *some(size)]), "zero counts", never, power=0.05).trying(
        "power larger")
    yield Case("docstring example", {"counts": torch.tensor([1, 16, 0])}, "zero counts", because=never).trying("returns")

    yield case("power 1", draw.shuffled(some(size)), "any input", "Power 1 leaves the relative frequencies as they are.",
               power=1.0)
    yield case("power 1, floating", draw.shuffled(some(size)), "any input", floats=True, power=1).trying("returns")
    yield case("power 1 as an int", draw.shuffled(some(size)), "any input", power=1).trying("power larger")
    yield case("power 0.5", draw.shuffled(some(size)), "any input", power=0.5).trying("with a power")
    yield case("power 2", draw.shuffled(some(size, 40)), "any input", power=2.0).trying("power larger")
    large = [10_000_000, draw.integer(1_000_000, 9_000_000), 17]
    yield case("power 3 as an int, large counts", draw.shuffled(large), "any input", power=3).trying("power larger")
    yield case("power 0.3, floating", draw.shuffled(some(size)), "any input", floats=True, power=0.3)
    yield case("a single word", [draw.integer(2, 9)], "any input").trying("counts int64", "returns")
    yield case("words that are equally frequent", [6] * size, "any input")
    yield case("counts with gaps in memory", draw.shuffled(some(size)), "any input", gaps=True).trying("counts int64")


def _compare(expected: Observation, got: Observation, case: Case) -> Mismatch | None:
    """Compare the distributions: floating counts keep their dtype, integer counts allow either floating dtype."""
    free = not case.args["counts"].is_floating_point()
    fault = Comparison(dtype="floating" if free else "same")(expected, got, case)
    if fault is None and bool((got.value[case.args["counts"] == 0] != 0).any()):
        return Mismatch("values", Message("A word that never occurs has a probability above 0; it should be 0."))
    return fault


negative_sampling_distribution = Exercise(
    id="04.negative_sampling_distribution",
    title="Which words to draw",
    why="Skip-gram draws its negatives with these probabilities: rare words somewhat more often than they "
        "occur.",
    difficulty=1,
    minutes=7,
    core=False,
    criteria=(
        Criterion("shares", 1, "counts to the power, divided by their sum", tries=("A word's probability",)),
        Criterion("zero counts", 0.5, "a word that never occurs has probability 0", tries=("a word that never",)),
        Criterion("any input", 0.5, "any power; a single word, equal counts, any memory layout"),
    ),
    hints=(
        "Two steps in the right order: the power, and the division by a sum. By the sum of what?",
        "Relative frequencies raised to 0.75 do not sum to one any more. Divide last.",
        "0 to a positive power is 0: nothing has to be added to the counts, and no logarithm is needed.",
    ),
    cases=_cases,
    compare=_compare,
)
