"""n-grams: the rows that every model of the notebook learns from, and the model that only counts them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...compare import Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts, strided

__all__ = ["make_ngrams", "ngram_baseline"]


def _run_pair(candidate: Callable[..., Any], *args: Any) -> Parts:
    result = candidate(*args)
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise TypeError(f"two tensors should be returned, (X, Y); it was a {type(result).__name__}")
    return Parts({"X": result[0], "Y": result[1]})


def _sentence(draw: Draw, length: int) -> list[int]:
    """Ids from 2 on; 0 and 1 are left to words that a case sets itself."""
    return draw.ids(length, 40).add(2).tolist()


def _make_ngrams_cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str, sentences: list[list[int]], context: int, criterion: str, because: str = "", bos: int = 50, eos: int = 51
    ) -> Case:
        args = {"sentences": sentences, "context": context, "bos": bos, "eos": eos}
        return Case(name, args, criterion, because=because)

    def words(*lengths: int) -> list[list[int]]:
        return [_sentence(draw, length) for length in lengths]

    yield case("one sentence", [draw.shuffled([3, 5, 7])], 2, "one sentence",
               "Three words and eos make four rows; the first one sees nothing but bos.")  # fmt: skip
    yield case("one sentence that is shorter than the context", words(2), 5, "one sentence")
    yield case("a sentence as long as the context", words(3), 3, "one sentence")
    yield case("a long sentence", words(11), 3, "one sentence")
    again = _sentence(draw, 3)
    yield case("a sentence that repeats itself", [again * 3], 2, "one sentence", "Equal rows stay, each in its place.")

    own = "Every sentence begins with a context of its own."
    yield case("several sentences", words(3, 5, 2), 2, "several sentences", own)
    yield case("sentences of one length", words(3, 3, 3), 3, "several sentences", own)
    yield case("sentences of falling and rising length", words(7, 1, 5), 3, "several sentences",
               "The rows keep the order of the text.")  # fmt: skip
    yield case("one sentence twice", [again, again], 2, "several sentences", "Each occurrence counts.")

    yield case("a context of one word", words(3, 2), 1, "any context", "X still has two axes: (N, 1).")
    yield case("sentences of one word", words(1, 1, 1), 3, "any context")
    yield case("a context longer than all the text", words(2, 1), 7, "any context")

    empty = "An empty sentence has one target: its eos."
    yield case("an empty sentence", [[]], 2, "empty", empty)
    yield case("empty sentences among others", [[], *words(2), [], *words(3)], 2, "empty", empty)
    yield case("empty sentences in a row, and at the end", [*words(2), [], [], *words(1), []], 2, "empty", empty)
    yield case("no sentence", [], 3, "empty", "X has shape (0, context) and Y (0,); both are int64.")

    yield case("bos 0 and eos 1", words(2, 3), 3, "any ids", bos=0, eos=1)
    yield case("the word 0", [[0, *_sentence(draw, 2), 0], [0]], 2, "any ids", "An id of 0 is a word like any other.")
    yield case("bos and eos of one id", words(3, 1), 2, "any ids",
               "Some vocabularies mark both ends with the same id.", bos=50, eos=50)  # fmt: skip
    yield case("large ids", [[16_777_217, 70_001], [99_999]], 2, "any ids", bos=100_255, eos=100_254)


make_ngrams = Exercise(
    id="04.make_ngrams",
    title="Text becomes rows",
    why="A language model learns from pairs: what stands before, and what comes next. This function makes them.",
    difficulty=2,
    minutes=12,
    criteria=(
        Criterion("one sentence", 1, "every word and the closing eos is a target once, after the words before it"),
        Criterion("several sentences", 0.5, "the rows keep the order of the text, and no context crosses a border"),
        Criterion("any context", 0.5, "contexts of one word, and contexts longer than the sentence"),
        Criterion("empty", 0.5, "an empty sentence, and no sentence at all"),
        Criterion("any ids", 0.5, "bos, eos and words are ids like any other"),
    ),
    hints=(
        "On paper: sentence [3, 5], context 2. Three targets: 3, 5 and eos. What stands before each of them?",
        "Put as many bos before the sentence as the context is long, and one eos behind it. Where do targets begin?",
        "Do that for each sentence by itself: then the window that slides over it cannot reach the sentence before.",
        "A window that you go on changing after you stored it changes in the store too: keep slices, which are copies. "
        "And give an empty list of rows its shape and its int64 yourself.",
    ),
    cases=_make_ngrams_cases,
    run=_run_pair,
)


def _rows(draw: Draw, count: int, context: int, size: int) -> torch.Tensor:
    """Contexts in which every word stands somewhere in the last place but the last two of the vocabulary."""
    X = draw.ids((count, context), size - 2)
    X[: size - 2, -1] = draw.distinct(size - 2, size - 2)
    return X[draw.distinct(count, count)]


def _pairs(draw: Draw, count: int, context: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows and targets with repeated pairs, unequal frequencies, and a word that is never a target."""
    X = _rows(draw, count, context, size)
    Y = torch.where(draw.uniform(count) < 0.5, draw.ids(count, size - 1), (X[:, -1] + 1) % (size - 1))
    return X, Y


def _ngram_baseline_cases(draw: Draw) -> Iterator[Case]:
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
    unigram = "Order 1 knows how often each word is a target, and nothing of what stands before."
    yield case("order 1", _pairs(draw, count, context, size), size, 1, alpha(), "order 1", unigram)
    yield case("order 1, as many targets as words", _pairs(draw, 7, context, 7), 7, 1, alpha(), "order 1", unigram)
    yield case("order 1, a large alpha", _pairs(draw, count, context, size), size, 1, 25.0, "order 1")

    previous = "The row is the previous word, which is X's last column; the column is the word that follows."
    yield case("order 2, a context of one word", _pairs(draw, count, 1, size), size, 2, alpha(), "order 2",
               "The row is the previous word, the column the word that follows; each row sums to 1.")  # fmt: skip
    yield case("order 2", _pairs(draw, count, context, size), size, 2, alpha(), "order 2", previous)
    yield case("order 2, a context as long as the vocabulary", _pairs(draw, count, size, size), size, 2, alpha(),
               "order 2", previous)  # fmt: skip
    yield case("order 2, as many rows as words", _pairs(draw, 7, context, 7), 7, 2, alpha(), "order 2", previous)
    X, Y = torch.tensor([[1, 2]]).repeat(6, 1), torch.tensor([3, 3, 3, 3, 0, 3])
    yield case("order 2, one pair many times", (X, Y), 5, 2, 0.5, "order 2", "Each occurrence of a pair counts.")

    X, Y = torch.tensor([[1, 2]]).repeat(400, 1), torch.tensor([3] * 300 + [0] * 100)
    yield case("order 2, one pair 300 times", (X, Y), 5, 2, 0.5, "order 2", "Each occurrence of a pair counts.")

    smooth = "alpha is added to every count, seen or not, before the rows are divided by their sums."
    yield case("alpha 1", _pairs(draw, count, context, size), size, 2, 1, "smoothing", smooth)
    yield case("order 2, a large alpha", _pairs(draw, count, context, size), size, 2, 2.5, "smoothing", smooth)
    yield case("order 2, a tiny alpha", _pairs(draw, count, context, size), size, 2, 1e-6, "smoothing",
               "A word that was never seen has a row too: each word is equally likely after it.")  # fmt: skip
    yield case("order 1, a tiny alpha", _pairs(draw, count, context, size), size, 1, 1e-6, "smoothing")

    none = torch.zeros(0, context, dtype=torch.int64), torch.zeros(0, dtype=torch.int64)
    yield case("order 1, no rows", none, size, 1, 1e-6, "any text", "Without a count every word is equally likely.")
    yield case("order 2, no rows", none, size, 2, alpha(), "any text", "Without a count every word is equally likely.")
    X, Y = _pairs(draw, count, context, size)
    yield case("X and Y with gaps in memory, order 2", (strided(X), strided(Y)), size, 2, alpha(), "any text")
    yield case("X and Y with gaps in memory, order 1", (strided(X), strided(Y)), size, 1, alpha(), "any text")
    yield case("a vocabulary of one word", (X * 0, Y * 0), 1, 2, alpha(), "any text")
    large = _pairs(draw, 53, context, 41)
    yield case("a large vocabulary", large, 41, 2, alpha(), "any text")


ngram_baseline = Exercise(
    id="04.ngram_baseline",
    title="The model that only counts",
    why="Whoever claims that a neural model has learned something must first beat a table of counts.",
    difficulty=2,
    minutes=10,
    core=False,
    criteria=(
        Criterion("order 1", 1, "order 1: smoothed shares of the targets"),
        Criterion("order 2", 1, "order 2: a row for each previous word, a column for each next one"),
        Criterion("smoothing", 1, "alpha is added to every count, and every row sums to 1"),
        Criterion("any text", 1, "any vocabulary and memory layout, no rows at all"),
    ),
    hints=(
        "Count first, smooth second, divide last. For order 2 the counts stand in a square.",
        "The previous word chooses the row, the target the column. Of X you need one column only.",
        "`counts[rows, columns] += 1` counts a pair that occurs five times once.",
        "Start the table at alpha instead of 0, add one for each occurrence, then divide each row by its own sum.",
    ),
    cases=_ngram_baseline_cases,
    compare=Same(dtype="floating"),
)
