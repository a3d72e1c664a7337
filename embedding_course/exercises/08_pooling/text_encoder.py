"""From text to vector: the cases of an encoder that is judged by what it does, since its parts have no fixed names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import strided
from .encoder_tasks import POOLINGS, run

__all__ = ["TextEncoder"]

#: What to say when a named part is not as it should be. Parts are yes or no, or short texts.
_SENTENCES = {
    "lengths": ("values", "not every vector has length 1"),
    "lengths with an empty row": ("values", "a row without a real token must give zeros, every other one length 1"),
    "as when alone": ("property", "a sentence's vector is not the one that it has alone and without padding"),
    "rows in another order": (
        "property",
        "rows in another order have other vectors: is something kept between calls?",
    ),
    "last word": ("property", "the other words do not see the last word: without it the first word's vector is the same"),
    "lengths in the backward pass": ("property", "the division by the length takes no part in the backward pass"),
    "order matters": ("property", "two words changed places, and the vector stayed the same"),
    "heads": ("property", "another number of heads, with the same weights, changes nothing"),
    "a layer's own weights": ("property", "the number of weights does not grow with every layer by the same amount"),
    "layers that learn": ("property", "some layers have weights that no gradient reaches: they take no part in the vector"),
    "width of the feed-forward": ("property", "a larger d_ff adds no weights that learn"),
    "a layer's own feed-forward": (
        "property",
        "a larger d_ff does not add as many weights that learn in each layer",
    ),
    "parts of several layers": ("property", "a part that has weights is called more often when there are more layers"),
    "finite gradients": ("not finite", "a gradient holds nan or inf"),
    "graph": ("property", "the vectors carry no graph, so nothing can be trained"),
    "token table": ("property", "no gradient reaches the table of tokens"),
    "position table": ("property", "no gradient reaches the table of positions"),
    "poolings differ": ("property", "two poolings give the same vector"),
    "last weighs more": (
        "property",
        "next to the mean, the weighted mean counts the first word for more: is it turned round, or are two names exchanged?",
    ),
    "largest of two": ("property", "pooling='max' gives the smaller of two words in each column"),
    "default": ("property", "without `pooling` the vectors are not those of pooling='mean'"),
}
_POOLED = {
    "cls": "where words do not mix, pooling='cls' does not give the vector of the first word",
    "last": "where words do not mix, pooling='last' does not depend on the last word alone",
    "mean": "where words do not mix, pooling='mean' does not weigh two words alike",
    "weighted": "where words do not mix, pooling='weighted' does not count the second word twice as much as the first",
    "max": "where words do not mix, pooling='max' does not give the larger of two words in each column",
}


def _kind(expected: Any, got: Any, _: Case) -> Fault | None:
    if str(got).replace("float64", "float32") == expected:  # no argument is floating, so either is right
        return None
    stage = "type" if "tensor" not in str(got) else "shape" if str(got).split()[0] == expected.split()[0] else "dtype"
    return Fault(stage, f"the result is a {got}; a {expected} was expected")


def _as_said(stage: str, sentence: str) -> Any:
    def rule(expected: Any, got: Any, _: Case) -> Fault | None:
        if expected == got or (isinstance(expected, (bool, type(None))) and (got is None or expected is None)):
            return None  # None: it cannot be told
        rows = [str(index) for index, fine in enumerate(got) if not fine] if isinstance(got, list) else []
        return Fault(stage, sentence, f" (row {', '.join(rows)})" if rows else "")

    return rule


def _rules() -> dict[str, Any]:
    rules = {"kind": _kind, **{name: _as_said(*said) for name, said in _SENTENCES.items()}}
    for pooling in POOLINGS:
        for name in ("as when alone", "order matters", "finite gradients"):
            stage, sentence = _SENTENCES[name]
            rules[f"{name}, {pooling}"] = _as_said(stage, f"with pooling={pooling!r} {sentence}")
        rules[f"pooling {pooling}"] = _as_said("property", _POOLED[pooling])
    return rules


def _padded(
    draw: Draw, sentences: Sequence[list[int]], time: int, sides: Sequence[str], vocab_size: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids and mask (B, T): each sentence on its side, "left" or "right" of its padding, which holds random ids."""
    ids = draw.ids((len(sentences), time), vocab_size)
    mask = torch.zeros(len(sentences), time, dtype=torch.int64)
    for row, (sentence, side) in enumerate(zip(sentences, sides, strict=True)):
        start = 0 if side == "left" else time - len(sentence)
        ids[row, start : start + len(sentence)] = torch.tensor(sentence, dtype=torch.int64)
        mask[row, start : start + len(sentence)] = 1
    return ids, mask


def _cases(draw: Draw) -> Iterator[Case]:
    # All sizes differ, also from three times the width: a weight's shape says what it belongs to.
    build = {"vocab_size": 13, "d_model": 8, "heads": 2, "layers": 2, "d_ff": 17, "max_length": 11}
    size, longest = build["vocab_size"], build["max_length"]

    def case(
        name: str, task: str, ids: torch.Tensor, mask: torch.Tensor, criterion: str, because: str = "",
        poolings: Sequence[str] = ("mean",), **other: Any,
    ) -> Case:  # fmt: skip
        chosen: Mapping[str, Any] = {**build, **other}
        made = ", ".join(f"{key}={value}" for key, value in chosen.items())
        pooled = f", pooling={poolings[0]!r}" if len(poolings) == 1 else ""
        shape = tuple(ids.shape)
        call = f"TextEncoder({made}{pooled})(ids of shape {shape}, attention_mask of shape {shape})"
        args = {"build": chosen, "seed": draw.seed(), "task": task, "poolings": list(poolings)}
        return Case(name, {**args, "ids": ids, "attention_mask": mask}, criterion, call=call, because=because)

    def sentence(length: int) -> list[int]:
        """Distinct ids, the smallest and the largest among them where there is room."""
        middle = [1 + int(entry) for entry in draw.distinct(max(length - 2, 0), size - 2)]
        return draw.shuffled([0, size - 1, *middle][:length])

    def batch(lengths: Sequence[int], time: int, sides: Sequence[str]) -> tuple[torch.Tensor, torch.Tensor]:
        return _padded(draw, [sentence(length) for length in lengths], time, sides, size)

    full = batch((5, 5, 5), 5, ("left",) * 3)
    yield case("no padding", "vectors", *full, "unit vectors", poolings=POOLINGS, layers=1)
    yield case("padding on the right, unit vectors", "vectors", *batch((5, 3, 2), 5, ("left",) * 3), "unit vectors")
    yield case("one sentence of one word", "vectors", *batch((1,), 1, ("left",)), "unit vectors", poolings=POOLINGS, layers=1)
    yield case("as many sentences and words as columns", "vectors", *batch((8,) * 8, 8, ("left",) * 8), "unit vectors")

    alone = "Padding, its ids, its side and the other sentences of the batch must not matter."
    yield case("in a batch", "alone", *batch((5, 5, 5), 5, ("left",) * 3), "padding", alone)
    yield case("padding on the right", "alone", *batch((4, 2), 5, ("left",) * 2), "padding", alone, POOLINGS, layers=1)
    yield case("padding on the left", "alone", *batch((3, 4), 5, ("right",) * 2), "padding", alone, POOLINGS, layers=1)
    either = batch((3, 5, 3), 6, ("right", "left", "left"))
    yield case("padding on either side in one batch", "alone", *either, "padding", alone)
    wide = "Only real tokens count towards max_length; the width of the batch may exceed it."
    yield case("wider than max_length", "alone", *batch((4, longest - 1), longest + 4, ("left",) * 2), "padding", wide)
    yield case("wider than max_length, padding on the left", "alone",
               *batch((longest - 1, 2), longest + 4, ("right",) * 2), "padding", wide)  # fmt: skip
    yield case("much wider than max_length", "alone", *batch((4, longest), 3 * longest + 1, ("left",) * 2), "padding", wide)
    ids, mask = batch((5, 3), 5, ("left",) * 2)
    yield case("a mask of bools", "alone", ids, mask.bool(), "padding")
    yield case("a mask of floats", "alone", ids, mask.float(), "padding")
    ids, mask = batch((2, 5), 5, ("right",) * 2)
    yield case("not contiguous in memory", "alone", strided(ids), strided(mask), "padding")

    swapped = "“dog bites man” is not “man bites dog”."
    yield case("words change places", "order", *batch((4,), 4, ("left",)), "order", swapped, POOLINGS)
    yield case("words change places, padding on the left", "order", *batch((2, 4), 6, ("right",) * 2), "order", swapped)
    yield case("words change places in a long sentence", "order", *batch((longest,), longest, ("left",)), "order", swapped)

    words = draw.distinct(23, 29)[None]
    yield case("words change places in a longer sentence", "order", words, torch.ones_like(words), "order", swapped,
               vocab_size=29, max_length=23, layers=1)  # fmt: skip
    seen = "Every id is a word, 0 as well, and is seen by the others."
    words = torch.tensor([[*draw.shuffled([3, 5, 7]), 0]])
    yield case("a last word of id 0", "last word", words, torch.ones_like(words), "order", seen, ("cls",))

    yield case("one layer more", "layers", *full, "layers", "Each layer has weights of its own, and all of them take part.")
    yield case("another number of heads", "heads", *full, "layers")

    yield case("each pooling", "poolings", *batch((2, 7), 7, ("left",) * 2), "poolings",
               "Each name must do what the function of that name does.", layers=1)  # fmt: skip
    yield case("no pooling named", "default", *batch((5, 3), 5, ("left",) * 2), "poolings", "The default is the mean.")

    nobody = "A row without a real token gives zeros, and must not disturb its neighbours."
    ids, mask = batch((3, 4, 2), 4, ("left",) * 3)
    mask[draw.choice((0, 2))] = 0
    yield case("a row without a real token", "vectors", ids, mask, "edges", nobody, POOLINGS, layers=1)
    yield case("the same, a mask of bools", "vectors", ids, mask.bool(), "edges", nobody, POOLINGS, layers=1)
    yield case("nothing but padding", "vectors", ids, torch.zeros_like(mask), "edges", nobody)
    yield case("beside a row without a real token", "alone", ids, mask, "edges", nobody)
    yield case("exactly max_length words", "alone", *batch((longest, 3), longest, ("left",) * 2), "edges",
               f"{longest} real tokens are allowed where max_length is {longest}.")  # fmt: skip
    many = draw.ids((1, 600), size)
    yield case("600 words where 600 are allowed", "vectors", many, torch.ones_like(many), "edges",
               "max_length may be any number.", layers=1, max_length=600)  # fmt: skip
    long = f"More than max_length real tokens ({longest} here) must raise ValueError."
    yield case("one word too many", "call", *batch((longest + 1,), longest + 1, ("left",)), "edges", long)
    among = batch((3, longest + 2, 4), longest + 3, ("left",) * 3)
    yield case("one sentence of three is too long", "call", *among, "edges", long)
    yield case("too long, padding on the left", "call", *batch((3, longest + 1), longest + 4, ("right",) * 2), "edges", long)

    yield case("gradient", "gradient", *batch((5, 3, 2), 5, ("left",) * 3), "gradient")
    yield case("gradient, a row without a real token", "gradient", ids, mask, "gradient", nobody, POOLINGS, layers=1)


TextEncoder = Exercise(
    id="08.TextEncoder",
    title="From text to vector",
    why="All that the course has built so far in one model; notebook 09 shows how such encoders are trained to search.",
    difficulty=3,
    minutes=25,
    criteria=(
        Criterion("unit vectors", 1, "one vector of length 1 for each sentence"),
        Criterion("padding", 1.5, "batch, padding, its side, its ids and the kind of mask do not matter"),
        Criterion("order", 1, "the order of the words matters"),
        Criterion("layers", 1, "each layer has its own weights, heads and d_ff are used"),
        Criterion("poolings", 0.5, "all five poolings, the mean by default"),
        Criterion("edges", 0.5, "rows without a real token, and too many of them"),
        Criterion("gradient", 0.5, "finite gradients reach all that is to learn"),
    ),
    hints=(
        "Four stages: tokens and positions, layers, pooling, length 1. Only the first two know of ids; all but the last "
        "need the mask.",
        "Padding in front must not move a word's position: number the real tokens, not the columns.",
        "`nn.TransformerEncoderLayer(..., dropout=0.0, batch_first=True)` takes `src_key_padding_mask`, which is True where "
        "attention is forbidden: the opposite of attention_mask. `[layer] * n` is one layer, named n times.",
        "A row in which everything is forbidden is a softmax over nothing, nan also in the gradient: let such rows "
        "attend to their padding, and let the pooling make zeros of them.",
    ),
    cases=_cases,
    run=run,
    compare=Same(rules=_rules()),
    uses=("pool_mean", "pool_max", "pool_cls", "pool_last", "pool_weighted"),
)
