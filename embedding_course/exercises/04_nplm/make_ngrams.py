"""n-grams: the rows that every model of the notebook learns from."""

from collections.abc import Callable, Iterator
from typing import Any

from ...checking.exercise import Case, Criterion, Exercise, NamedParts, RandomInputs


def _run_pair(candidate: Callable[..., Any], *args: Any) -> NamedParts:
    result = candidate(*args)
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise TypeError(f"two tensors should be returned, (X, Y); it was of type {type(result).__name__}")
    return NamedParts({"X": result[0], "Y": result[1]})


def _sentence(draw: RandomInputs, length: int) -> list[int]:
    """Return distinct ids from 2 on; a case may add 0 and 1 itself."""
    return draw.distinct(length, 40).add(2).tolist()


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str, sentences: list[list[int]], context: int, criterion: str, because: str = "", bos: int = 50, eos: int = 51
    ) -> Case:
        args = {"sentences": sentences, "context": context, "bos": bos, "eos": eos}
        return Case(name, args, criterion, because=because)

    def words(*lengths: int) -> list[list[int]]:
        """Return sentences of which no two share a word."""
        text = iter(_sentence(draw, sum(lengths)))
        return [[next(text) for _ in range(length)] for length in lengths]

    yield case("one sentence", [draw.shuffled([3, 5, 7, 11, 13])[:3]], 2, "one sentence",
               "Three words and eos make four rows; the first one sees only bos.").trying(
        "Every word", "where the sentence", "returns")
    yield case("a sentence as long as the context", words(3), 3, "one sentence").trying("The context")
    yield case("a long sentence", words(11), 3, "one sentence").trying("The context")

    own = "Every sentence begins with a context of its own."
    yield case("several sentences", words(3, 5, 2), 2, "several sentences", own).trying("A context never")
    yield case("sentences of one length", words(3, 3, 3), 3, "several sentences", own).trying("A context never")
    yield case("sentences of falling and rising length", words(7, 1, 5), 3, "several sentences",
               "The rows keep the order of the text.").trying("The context", "returns")
    again = _sentence(draw, 3)
    yield case("a sentence that repeats itself", [again * 3], 2, "several sentences", "Equal rows are all kept.")
    yield case("one sentence twice", [again, again], 2, "several sentences", "Each occurrence counts.")

    yield case("one sentence that is shorter than the context", words(2), 5, "any context").trying("where the sentence")
    yield case("a context of one word", words(3, 2), 1, "any context", "X still has two axes: (N, 1).").trying(
        "context how many", "returns")
    yield case("sentences of one word", words(1, 1, 1), 3, "any context").trying("A context never")
    yield case("a context longer than all the text", words(2, 1), 7, "any context").trying(
        "where the sentence", "context how many")

    empty = "An empty sentence has one target: its eos."
    yield case("an empty sentence", [[]], 2, "empty", empty, bos=draw.integer(50, 60), eos=draw.integer(61, 70))
    yield case("empty sentences among others", [[], *words(2), [], *words(3)], 2, "empty", empty)
    yield case("empty sentences in a row, and at the end", [*words(2), [], [], *words(1), []], 2, "empty", empty)
    yield case("no sentence", [], 3, "empty", "X has shape (0, context) and Y (0,); both are int64.").trying(
        "without any sentence")
    yield case("docstring example", [[5, 6], []], 2, "empty", empty, bos=0, eos=1)

    yield case("bos 0 and eos 1", words(2, 3), 3, "any ids", bos=0, eos=1).trying("bos, eos")
    yield case("the word 0", [[0, *_sentence(draw, 2), 0], [0]], 2, "any ids", "An id of 0 is a word like any other.").trying(
        "Every word")
    yield case("bos and eos of one id", words(3, 1), 2, "any ids",
               "Some vocabularies mark both ends with the same id.", bos=50, eos=50).trying("bos, eos")
    yield case("large ids", [[16_777_217, 70_001], [draw.integer(70_002, 99_999)]], 2, "any ids", bos=100_255,
               eos=100_254).trying("sentences lists", "a sentence", "returns")


make_ngrams = Exercise(
    id="04.make_ngrams",
    title="Text becomes rows",
    why="A language model is trained on rows of a context and the word that follows.",
    difficulty=2,
    minutes=15,
    core=False,
    criteria=(
        Criterion("one sentence", 1, "every word and the closing eos is a target once, after the words before it"),
        Criterion("several sentences", 0.5, "the rows keep the order of the text, and no context crosses a border",
                  tries=("Every word",)),
        Criterion("any context", 0.5, "contexts of one word, and contexts longer than the sentence"),
        Criterion("empty", 0.5, "an empty sentence, and no sentence at all", tries=("sentences lists", "a sentence")),
        Criterion("any ids", 0.5, "bos, eos and words are ids like any other"),
    ),
    hints=(
        "On paper: sentence [3, 5], context 2. Three targets: 3, 5 and eos. What stands before each of them?",
        "Put as many bos before the sentence as the context is long, and one eos behind it. Where do targets begin?",
        "Do that for each sentence by itself: then the window that slides over it cannot reach the sentence before.",
        "A window that you go on changing after you stored it changes in the store too: keep slices, which are copies. "
        "And give an empty list of rows its shape and its int64 yourself.",
    ),
    cases=_cases,
    run=_run_pair,
)
