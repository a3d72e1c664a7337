"""Five ways to make one vector of a sentence's vectors: the same cases for all, hints for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import strided
from ...show import show
from .backward import asks_for_gradients, with_gradients
from .masks import on_the_left, on_the_right, with_an_empty_row, with_holes, words

__all__ = ["pool_cls", "pool_last", "pool_max", "pool_mean", "pool_weighted"]

_EMPTY = "A row without a real token gives zeros."


def _cases(exercise: str, because: Mapping[str, str]) -> Callable[[Draw], Iterator[Case]]:
    """The cases of one way of pooling; `because` says for each criterion why they come out as they do."""

    def cases(draw: Draw) -> Iterator[Case]:
        def case(name: str, mask: torch.Tensor, criterion: str, *, width: int, said: str = "", **more: Any) -> Case:
            vectors = more.pop("vectors", None)
            vectors = words(draw, mask, width, more.pop("dtype", torch.float32)) if vectors is None else vectors
            if more.pop("gaps", False):
                vectors, mask = strided(vectors), strided(mask)
            options, call = {}, ""
            if more.pop("backward", False):
                options["grad_output"] = draw.normal(len(mask), width, dtype=vectors.dtype)
                call = f"{exercise}({show(vectors)}, {show(mask)}) and then .backward(...)"
            args = {"token_embeddings": vectors, "attention_mask": mask}
            return Case(name, args, criterion, options, call, said or because.get(criterion, ""))

        batch, time, width = draw.choice(((2, 5, 3), (3, 5, 2), (3, 7, 5), (2, 7, 3)))
        yield case("no padding", torch.ones(batch, time, dtype=torch.int64), "right padding", width=width)
        yield case("padding on the right", on_the_right(draw, batch, time), "right padding", width=width)
        mask = on_the_right(draw, batch, time)
        below = words(draw, mask, width)
        below = torch.where(mask.bool()[:, :, None], -1.0 - below.abs(), below)
        yield case("every real number is negative", mask, "right padding", width=width, vectors=below)

        yield case("padding on the left", on_the_left(draw, batch, time), "any mask", width=width)
        yield case("holes", with_holes(draw, batch, time), "any mask", width=width)
        yield case("holes, a mask of bools", with_holes(draw, batch, time, torch.bool), "any mask", width=width)
        yield case("holes, a mask of floats", with_holes(draw, batch, time, torch.float32), "any mask", width=width)
        mask = on_the_left(draw, batch, time)
        vectors = _with_zeros(draw, mask, width)
        yield case("vectors of zeros among the real ones", mask, "any mask", width=width, vectors=vectors,
                   said="Zeros may be a real token's vector: only the mask tells what is padding.")  # fmt: skip
        yield case("holes, a mask of int32", with_holes(draw, batch, time, torch.int32), "any mask", width=width)
        yield case("one real token a sentence", torch.eye(time, dtype=torch.int64)[1 : batch + 1], "any mask", width=width)

        mask = with_an_empty_row(draw, batch, time)
        yield case("a row without a real token", mask, "empty rows", width=width, said=_EMPTY)
        yield case("a row without a real token, a mask of bools", mask.bool(), "empty rows", width=width, said=_EMPTY)
        yield case("nothing but padding", torch.zeros(batch, time, dtype=torch.int64), "empty rows", width=width, said=_EMPTY)

        yield case("as many tokens as columns", with_holes(draw, 3, 5), "any batch", width=5)
        yield case("as many sentences as tokens", with_holes(draw, 5, 5), "any batch", width=3)
        yield case("as many sentences as columns", with_holes(draw, 3, 5), "any batch", width=3)
        yield case("three equal sizes", with_holes(draw, 5, 5), "any batch", width=5)
        yield case("one sentence", with_holes(draw, 1, time), "any batch", width=width, said="The result has shape (1, d).")
        yield case("sentences of one token", torch.ones(batch, 1, dtype=torch.int64), "any batch", width=width)
        yield case("vectors of one number", with_holes(draw, batch, time), "any batch", width=1)
        yield case("no sentences", torch.zeros(0, time, dtype=torch.int64), "any batch", width=width,
                   said="The result has shape (0, d).")  # fmt: skip
        yield case("not contiguous in memory", with_holes(draw, batch, time), "any batch", width=width, gaps=True)
        yield case("float64", with_holes(draw, batch, time), "any batch", width=width, dtype=torch.float64)
        yield case("float64, a mask of floats", with_holes(draw, batch, time, torch.float32), "any batch", width=width,
                   dtype=torch.float64)  # fmt: skip
        mask = with_holes(draw, batch, time)
        vectors = draw.uniform(batch, time, width, low=2e4, high=9e4)
        vectors = torch.where(mask.bool()[:, :, None], -vectors, vectors)
        yield case("large numbers", mask, "any batch", width=width, vectors=vectors)

        yield case("long sentences", with_holes(draw, 3, 600), "any batch", width=2, said="No sentence is too long.")

        flows = "The gradient must reach the real tokens that the result is made of, and no padding."
        yield case("gradient, no padding", torch.ones(batch, time, dtype=torch.int64), "gradient", width=width,
                   said=flows, backward=True)  # fmt: skip
        yield case("gradient, holes", with_holes(draw, batch, time), "gradient", width=width, said=flows, backward=True)
        small, mask = torch.tensor([[[-5.0], [9.0]], [[1.0], [2.0]]]), torch.tensor([[1, 0], [1, 1]])
        yield case("gradient, the real numbers are the smallest", mask, "gradient", width=1, vectors=small, said=flows,
                   backward=True)  # fmt: skip
        mask = with_an_empty_row(draw, batch, time)
        yield case("gradient, a row without a real token", mask, "gradient", width=width, said=flows, backward=True)

    return cases


def _with_zeros(draw: Draw, mask: torch.Tensor, width: int) -> torch.Tensor:
    """Token embeddings below zero, but for the first and the last real token of each sentence, which are zeros."""
    real = mask.bool()
    vectors = words(draw, mask, width)
    vectors = torch.where(real[:, :, None], -1.0 - vectors.abs(), vectors)
    ends = real & ((mask.cumsum(1) == 1) | (mask.flip(1).cumsum(1).flip(1) == 1))
    return vectors.masked_fill(ends[:, :, None], 0.0)


def _exercise(
    name: str,
    title: str,
    why: str,
    hints: tuple[str, ...],
    because: Mapping[str, str],
    *,
    points: tuple[float, ...],
    **more: Any,
) -> Exercise:
    says = {
        "right padding": "sentences without padding and with padding on the right",
        "any mask": "padding on the left, holes, and masks of ints, bools and floats",
        "empty rows": "a row without a real token gives zeros",
        "any batch": "any sizes, memory layout, floating type and size of numbers",
        "gradient": "gradients flow back to the real tokens, and are finite",
    }
    return Exercise(
        id=f"08.{name}",
        title=title,
        why=why,
        criteria=tuple(Criterion(key, worth, said) for (key, said), worth in zip(says.items(), points, strict=True)),
        hints=hints,
        cases=_cases(name, because),
        run=with_gradients("token_embeddings"),
        compare=asks_for_gradients("token_embeddings"),
        **more,
    )


pool_mean = _exercise(
    "pool_mean",
    "The mean of the real tokens",
    "It is the pooling of most sentence encoders, and the plain `mean(dim=1)` that one types first also averages padding.",
    (
        "On paper: the vectors 2, 4 and 9 with the mask 1, 1, 0. What is the mean, and what did you divide by?",
        "Sum over the real tokens only, then divide each row by its own number of real tokens.",
        "The mask has shape (B, T) and the vectors (B, T, d): give the mask a third axis, and they multiply.",
        "Clamp each row's count to at least 1 before you divide: a sum of zeros then stays zeros.",
    ),
    {
        "right padding": "Only real tokens count, in the sum and in the number that it is divided by.",
        "any mask": "The mask says which tokens are real, not the length: padding may stand anywhere.",
    },
    points=(1, 0.5, 0.5, 0.5, 0.5),
    difficulty=1,
    minutes=8,
)

pool_max = _exercise(
    "pool_max",
    "The largest of the real tokens",
    "Each number keeps its strongest token. Padding must lose every time, also against numbers below zero.",
    (
        "The vectors -3, -1 and a padding of 7: the answer is -1. What would multiplying with the mask give?",
        "Padding must be put to a number that no real one can lose against, before the maximum is taken.",
        "`masked_fill` takes a bool mask that is True where something is to be replaced; minus infinity is a number here.",
        "A row of nothing but padding then has the maximum -inf. Choose its result with `torch.where`, or fill it again: "
        "multiplying -inf with 0 gives nan.",
    ),
    {
        "right padding": "Only real tokens take part, each column by itself; the largest of negative numbers is negative.",
        "any mask": "The mask says which tokens are real, not the length: padding may stand anywhere.",
    },
    points=(1, 0.5, 0.5, 0.5, 0.5),
    difficulty=2,
    minutes=8,
)

pool_cls = _exercise(
    "pool_cls",
    "The first real token",
    "BERT reads its answer off the first token. With padding on the left, column 0 is no token at all.",
    (
        "Which column holds the first real token when a sentence is padded on the left?",
        "Find that column for each row, then pick one vector a row.",
        "`argmax` of a mask of ints is the first place of its largest number: what is that for a row of 0 and 1?",
        "Index with two tensors at once, one of row numbers and one of columns. A row without a 1 needs a second look.",
    ),
    {
        "right padding": "One vector a sentence, unchanged.",
        "any mask": "The first real token stands wherever the mask has its first 1.",
    },
    points=(0.5, 0.5, 0.5, 0.25, 0.25),
    difficulty=1,
    minutes=6,
)

pool_last = _exercise(
    "pool_last",
    "The last real token",
    "In a model that reads from left to right only the last token has seen the whole sentence. `length - 1` finds it for "
    "one kind of padding only.",
    (
        "Write the columns 0 … T-1 above the mask 0 1 1 0 1 0. Which column is wanted, and what is the sum of the mask?",
        "The number of real tokens says where the last one stands only when they are all at the front.",
        "It is the largest column number whose mask is 1; or the first one, read from the other end.",
        "Multiply the column numbers with the mask and take the place of the largest; then pick one vector a row, and "
        "zeros for rows without a 1.",
    ),
    {
        "right padding": "One vector a sentence, unchanged.",
        "any mask": "The last real token stands wherever the mask has its last 1.",
    },
    points=(1, 0.5, 0.5, 0.5, 0.5),
    difficulty=2,
    minutes=8,
    uses=("pool_cls",),
)

pool_weighted = _exercise(
    "pool_weighted",
    "A mean in which later tokens count more",
    "SGPT pools a left-to-right model this way: later tokens have seen more, so they get more weight.",
    (
        "For the mask 0 1 0 1 1 the weights are 0 1 0 2 3: they count the real tokens, not the columns.",
        "Which running total of the mask counts the real tokens up to each place? What must happen to it at padding?",
        "Divide by the sum of the weights, not by the number of tokens; for an empty row that sum is 0.",
        "`cumsum` along the tokens, times the mask, gives the weights; the rest goes as for the mean.",
    ),
    {
        "right padding": "The real tokens have the weights 1, 2, 3, …, and their sum is what is divided by.",
        "any mask": "The weights count real tokens: padding in front or in between uses no number up.",
    },
    points=(1, 0.5, 0.5, 0.5, 0.5),
    difficulty=2,
    minutes=8,
    core=False,
    uses=("pool_mean",),
)
