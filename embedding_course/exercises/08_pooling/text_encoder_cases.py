"""The situations in which an encoder of sentences is tried."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, RandomInputs, strided
from .encoder_tasks import CORE, FURTHER, POOLINGS


def _padded(
    draw: RandomInputs, sentences: Sequence[list[int]], time: int, sides: Sequence[str], vocab_size: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ids and mask (B, T), with each sentence "left" or "right" of its padding, which holds random ids."""
    ids = draw.ids((len(sentences), time), vocab_size)
    mask = torch.zeros(len(sentences), time, dtype=torch.int64)
    for row, (sentence, side) in enumerate(zip(sentences, sides, strict=True)):
        start = 0 if side == "left" else time - len(sentence)
        ids[row, start : start + len(sentence)] = torch.tensor(sentence, dtype=torch.int64)
        mask[row, start : start + len(sentence)] = 1
    return ids, mask


def _sizes(draw: RandomInputs) -> dict[str, int]:
    """Return sizes that all differ, also from two and three times one another, so that a weight's shape tells its part."""
    return {
        "vocab_size": draw.choice((71, 79, 83, 97)), "d_model": 8, "heads": 2, "layers": 2, "d_ff": draw.integer(17, 22),
        "max_length": draw.integer(10, 12),
    }


def encoder_cases(draw: RandomInputs) -> Iterator[Case]:
    """Yield the cases of `08.TextEncoder`."""
    build = _sizes(draw)
    size, longest = build["vocab_size"], build["max_length"]

    def case(
        name: str, task: str, ids: torch.Tensor, mask: torch.Tensor, criterion: str, because: str = "",
        poolings: Sequence[str] = ("mean",), options: Mapping[str, Any] | None = None, **other: Any,
    ) -> Case:
        chosen: Mapping[str, Any] = {**build, **other}
        made = ", ".join(f"{key}={value}" for key, value in chosen.items())
        pooled = f", pooling={poolings[0]!r}" if len(poolings) == 1 else ""
        shape = tuple(ids.shape)
        call = f"TextEncoder({made}{pooled})(ids of shape {shape}, attention_mask of shape {shape})"
        args = {"build": chosen, "seed": draw.seed(), "task": task, "poolings": list(poolings)}
        return Case(name, {**args, "ids": ids, "attention_mask": mask}, criterion, options or {}, call, because)

    def sentences(lengths: Sequence[int]) -> list[list[int]]:
        """Return sentences that share no words; the smallest and the largest id are among the words."""
        words = [0, size - 1, *(1 + draw.distinct(max(sum(lengths) - 2, 0), size - 2)).tolist()]
        mixed = torch.tensor(draw.shuffled(words[: sum(lengths)]))
        return [part.tolist() for part in mixed.split(list(lengths))]

    def batch(lengths: Sequence[int], time: int, side: str) -> tuple[torch.Tensor, torch.Tensor]:
        return _padded(draw, sentences(lengths), time, (side,) * len(lengths), size)

    def repeated(count: int, length: int, rows: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return ids and mask of `count` sentences in random order, each of them at least once."""
        each = sentences((length,) * count)
        picked = draw.shuffled([*range(count), *(draw.integer(0, count - 1) for _ in range(rows - count))])
        return _padded(draw, [each[index] for index in picked], length, ("left",) * rows, size)

    def twice(lengths: Sequence[int], time: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return ids and mask of sentences that each come with padding behind and in front, in random order."""
        mixed = draw.shuffled([(words, side) for words in sentences(lengths) for side in ("left", "right")])
        return _padded(draw, [words for words, _ in mixed], time, [side for _, side in mixed], size)

    def swapped(length: int, front: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
        return _swapped(draw, sentences((length,))[0], front)

    one_each = "Each sentence has one vector of length 1, wherever it stands."
    time = draw.integer(3, 6)
    yield case("no padding", "vectors", *repeated(4, time, 7), "unit vectors", one_each).trying(
        "vocab_size", "d_model", "returns")
    yield case("longer sentences", "vectors", *repeated(5, time + 2, 9), "unit vectors", one_each).trying("returns")
    yield case("as many sentences and words as columns", "vectors", *repeated(5, 8, 8), "unit vectors", one_each).trying(
        "d_model")

    alone = "Padding, its ids, its side and the other sentences of the batch must not matter."
    yield case("in a batch", "alone", *repeated(3, time, 5), "padding", alone).trying("A sentence's", "Encode a batch")
    yield case("padding on the right", "alone", *batch((4, 2, 3), 5, "left"), "padding", alone).trying(
        "ids int64", "those of padding", "attention_mask")
    yield case("padding on the left", "alone", *batch((3, 4, 2), 5, "right"), "padding", alone).trying(
        "ids int64", "those of padding", "attention_mask")
    yield case("padding on either side in one batch", "alone", *twice((3, 5, 4), 6), "padding", alone).trying("A sentence's")
    wide = "Only real tokens count towards max_length; the width of the batch may exceed it."
    yield case("wider than max_length", "alone", *batch((4, longest - 1), longest + 4, "left"), "padding", wide).trying(
        "T may exceed")
    yield case("wider than max_length, padding on the left", "alone",
               *batch((longest - 1, 2), longest + 4, "right"), "padding", wide).trying("T may exceed")
    yield case("much wider than max_length", "alone", *batch((4, longest), 3 * longest + 1, "left"), "padding", wide)

    dog = "“dog bites man” is not “man bites dog”."
    yield case("words change places", "order", *swapped(4), "order", dog, CORE)
    yield case("words change places, padding on the left", "order", *swapped(4, front=2), "order", dog)
    yield case("words change places in a long sentence", "order", *swapped(longest), "order", dog)
    yield case("words change places in a longer sentence", "order", *swapped(23), "order", dog, max_length=23, layers=1)
    seen = "Every id is a word, 0 as well, and is seen by the others."
    words = torch.tensor([[*draw.shuffled([3, 5, 7]), 0]])
    yield case("a last word of id 0", "last word", words, torch.ones_like(words), "order", seen, ("cls",)).trying("vocab_size")

    counts = [*draw.distinct(5, 5).add(1)[:3].tolist()]
    few, some, many = sorted(counts)
    wider = build["d_ff"] + draw.integer(1, 4)
    sizes = draw.shuffled([*((layers, build["d_ff"]) for layers in (few, some, many)), (few, wider), (many, wider)])
    full = batch((5, 5, 5), 5, "left")
    yield case("one layer more", "layers", *full, "layers", "Each layer has weights of its own, and all of them take part.",
               options={"sizes": [list(pair) for pair in sizes]}).trying("Every layer", "layers how many", "d_ff")
    yield case("another number of heads", "heads", *full, "layers",
               options={"heads": draw.shuffled([1, 2, 2, 4, 4, 1])}).trying("heads how many")

    yield case("unit vectors of each pooling", "vectors", *repeated(3, time, 5), "poolings", one_each, POOLINGS,
               layers=1).trying("returns")
    yield case("mean, first and last", "poolings", *_word_pairs(draw, size), "poolings",
               "Each name must do what the function of that name does.", CORE, layers=1).trying("Make the tables")
    yield case("each pooling", "poolings", *_word_pairs(draw, size), "poolings",
               "Each name must do what the function of that name does.", POOLINGS, layers=1).trying("Make the tables")
    yield case("no pooling named", "default", *batch((5, 3), 5, "left"), "poolings", "The default is the mean.",
               draw.shuffled(POOLINGS))
    yield case("each pooling, padding on either side", "alone", *twice((4, 2), 5), "poolings", alone, POOLINGS, layers=1)
    yield case("words change places, max and weighted", "order", *swapped(4), "poolings", dog, FURTHER)

    zero_row = "A row without a real token gives zeros, and must not disturb its neighbours."
    yield case("one sentence of one word", "vectors", *batch((1,), 1, "left"), "edges", poolings=CORE, layers=1).trying(
        "Encode a batch")
    ids, mask = batch((5, 3), 5, "left")
    yield case("a mask of bools", "alone", ids, mask.bool(), "edges", alone).trying("attention_mask")
    yield case("a mask of floats", "alone", ids, mask.float(), "edges", alone).trying("attention_mask")
    ids, mask = batch((2, 5), 5, "right")
    yield case("not contiguous in memory", "alone", strided(ids), strided(mask), "edges", alone)
    ids, mask = batch((3, 4, 2), 4, "left")
    mask[draw.choice((0, 2))] = 0
    yield case("a row without a real token", "vectors", ids, mask, "edges", zero_row, CORE, layers=1).trying("a row without")
    yield case("the same, in eval mode under torch.no_grad()", "without gradients", ids, mask, "edges",
               f"{zero_row} So it is in a search, in eval mode under `torch.no_grad()`.", CORE, layers=1).trying(
        "a row without")
    yield case("the same, with max and weighted", "vectors", ids, mask, "poolings", zero_row, FURTHER, layers=1).trying(
        "a row without")
    yield case("the same, a mask of bools", "vectors", ids, mask.bool(), "edges", zero_row, CORE, layers=1).trying(
        "a row without")
    yield case("only padding", "vectors", ids, torch.zeros_like(mask), "edges", zero_row).trying("a row without")
    yield case("beside a row without a real token", "alone", ids, mask, "edges", zero_row).trying("A sentence's")
    yield case("exactly max_length words", "alone", *batch((longest, 3), longest, "left"), "edges",
               f"{longest} real tokens are allowed where max_length is {longest}.").trying("max_length how many")
    many_words = draw.ids((1, 600), size)
    yield case("600 words where 600 are allowed", "vectors", many_words, torch.ones_like(many_words), "edges",
               "max_length may be any number.", layers=1, max_length=600).trying("max_length how many")
    long = f"More than max_length real tokens ({longest} here) must raise ValueError."
    yield case("one word too many", "vectors", *batch((longest + 1,), longest + 1, "left"), "edges", long).trying(
        "Raises ValueError")
    among = batch((3, longest + 2, 4), longest + 3, "left")
    yield case("one sentence of three is too long", "vectors", *among, "edges", long).trying("Raises ValueError")
    yield case("too long, padding on the left", "vectors", *batch((3, longest + 1), longest + 4, "right"), "edges",
               long).trying("Raises ValueError")
    yield case("in training mode", "training", *repeated(3, 7, 4), "edges",
               "There is no dropout, not even in training mode.").trying("There is no dropout")
    example = torch.tensor([[3, 4, 0], [7, 3, 4]]), torch.tensor([[1, 1, 0], [0, 1, 1]])
    for row, name in enumerate(("docstring example", "docstring example 2")):
        yield case(name, "alone", example[0][row : row + 1], example[1][row : row + 1], "edges", alone, ("last",),
                   vocab_size=10, layers=1, d_ff=16, max_length=5).trying("A sentence's")

    words = [(1 + draw.distinct(length, size - 1)).tolist() for length in (5, 3, 2)]
    yield case("gradient", "gradient", *_padded(draw, words, 5, ("left",) * 3, size), "gradient",
               "Gradients reach all that is to learn, through the division by the length, too.").trying(
        "Every layer", "Make the tables")
    yield case("gradient, one layer", "foretold", *_padded(draw, [words[1], words[2]], 3, ("left",) * 2, size), "gradient",
               "A gradient says where the vectors go when weights are moved a little.", layers=1).trying("layers how many")
    ids, mask = _padded(draw, words, 5, ("left", "right", "left"), size)
    mask[draw.integer(0, 2)] = 0
    yield case("gradient, a row without a real token", "gradient", ids, mask, "gradient", zero_row, CORE, layers=1)


def _swapped(draw: RandomInputs, words: list[int], front: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ids and mask: the words in their order, then rows in which two of them are exchanged.

    Each two neighbours and some other pairs are exchanged. The rows after the first are in random order, and three of the
    orders come twice. All words follow `front` positions of padding.
    """
    count = len(words)
    pairs = [(position, position + 1) for position in range(count - 1)]
    pairs += [tuple(sorted(draw.distinct(2, count).tolist())) for _ in range(count)]
    orders = []
    for left, right in dict.fromkeys(pairs):
        order = list(words)
        order[left], order[right] = words[right], words[left]
        orders.append(order)
    rows = torch.tensor([words, *draw.shuffled([*orders, *draw.shuffled([words, *orders])[:3]])])
    ids = torch.cat([draw.ids((len(rows), front), max(words) + 1), rows], dim=1)
    return ids, (torch.arange(front + count) >= front).long().repeat(len(rows), 1)


def _word_pairs(draw: RandomInputs, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return random pairs of different words, of which some share the first word and some the second."""
    first, second = draw.distinct(8, size).reshape(2, 4).tolist()
    pairs = [(a, b) for a in first[:2] for b in second[:3]] + [(first[2], second[0]), (first[3], second[3])]
    ids = torch.tensor(draw.shuffled(pairs)[:6])
    return ids, torch.ones_like(ids)
