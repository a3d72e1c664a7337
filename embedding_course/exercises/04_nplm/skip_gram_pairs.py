"""Pairs of words that stand near one another: cases, and a comparison that asks for no order."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Observation, RandomInputs


@dataclass(frozen=True)
class _AnyOrder(Comparison):
    """As `Comparison`, but the entries of a list may stand in any order; each counts as often as it stands there."""

    def seen(self, observation: Observation, case: Case) -> Observation:
        value = observation.value
        if not isinstance(value, list):
            return observation
        return replace(observation, value=sorted(value, key=repr))


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, ids: list[int], window: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"ids": ids, "window": window}, criterion, because=because)

    def words(count: int) -> list[int]:
        """Return distinct ids, none of which is 0 or equal to a position."""
        return draw.distinct(count, 70).add(25).tolist()

    near = "A pair is made for every word at most `window` places before or behind, and never for the word itself."
    yield case("a window of one", words(5), 1, "pairs", near)
    yield case("a window of two", words(7), 2, "pairs", near).trying("it may be empty")
    yield case("a window of three", words(draw.choice((11, 13))), 3, "pairs", near)
    yield case("docstring example", [5, 6, 7], 1, "pairs", near)
    yield case("a window of four", words(draw.choice((11, 13, 17))), 4, "pairs", near)
    yield case("falling ids", sorted(words(9), reverse=True), 2, "pairs", "Words are near when their positions are.")

    short = "Near the ends of the text there are fewer words to pair with; the others stay."
    yield case("as many words as the window", words(3), 3, "ends", short).trying("it may exceed")
    yield case("a window of all but one place", words(5), 4, "ends", short).trying("it may exceed")
    yield case("a window longer than the text", words(4), draw.integer(9, 12), "ends", short).trying("it may exceed")
    yield case("two words", words(2), 2, "ends", short).trying("it may exceed")
    yield case("one word", words(1), 2, "ends", "There is nothing that it could be paired with.").trying("[] without")
    yield case("no word", [], draw.integer(1, 3), "ends", "Without words there are no pairs.").trying(
        "it may be empty", "[] without")
    yield case("a window of zero", words(5), 0, "ends", "No other word is 0 places away.").trying(
        "window the largest", "[] without")

    again = words(3)
    often = "A pair counts as often as it occurs in the text."
    yield case("a word that occurs again", [again[0], again[1], again[0], again[2], again[1]], 2, "repeats", often)
    yield case("the same words again and again", again * 3, 2, "repeats", often)
    yield case("equal words side by side", [again[0], again[1], again[1], again[2]], 1, "repeats",
               "Two places that hold the same word are two places.").trying("A position is never")
    yield case("the same word throughout", [again[2]] * draw.choice((5, 7)), 2, "repeats",
               "Two places that hold the same word are two places.").trying("A position is never")
    few = draw.shuffled([again[0]] * 5 + [again[1]] * 4 + [again[2]] * 3)
    yield case("three words, often repeated", few, 3, "repeats", often)

    rest = words(4)
    yield case("the id 0", [0, *rest[:2], 0, 0, rest[2]], 2, "any ids", "An id of 0 is a word like any other.").trying(
        "and ids may come")
    numbers = draw.shuffled([4, 0, 3, 1, 2])
    yield case("ids that are numbers of places", numbers, 1, "any ids", "A pair holds words, not places.").trying("ids list")
    large = [draw.integer(70_000, 99_999), 16_777_217, 16_777_216, draw.integer(100_000, 200_000)]
    yield case("large ids", large, 2, "any ids").trying("ids list")


skip_gram_pairs = Exercise(
    id="04.skip_gram_pairs",
    title="Which words stand near which",
    why="Word2vec sees nothing of a text but these pairs.",
    difficulty=2,
    minutes=10,
    core=False,
    criteria=(
        Criterion("pairs", 1.5, "every word with each of the words at most `window` places away, on both sides",
                  tries=("A word is paired", "A position is never", "ids list", "window the largest", "returns")),
        Criterion("ends", 0.5, "short texts, no text, windows of zero and windows longer than the text"),
        Criterion("repeats", 0.5, "words that come again: a pair counts as often as it occurs",
                  tries=("and ids may come", "returns")),
        Criterion("any ids", 0.5, "ids are only names: 0, large ones, ones that could be places"),
    ),
    hints=(
        "On paper: the ids 5, 6, 7 and a window of 1. Which words stand next to 6? To 5?",
        "Go through the positions of the text, not through its words: the same word may stand at many positions.",
        "For the word at position i, the others stand from position i - window to i + window. What may happen at both ends, "
        "and in the middle?",
        "`for j in range(max(0, i - window), min(len(ids), i + window + 1))`, without j == i, gives the pair (ids[i], ids[j]).",
    ),
    cases=_cases,
    compare=_AnyOrder(),
)
