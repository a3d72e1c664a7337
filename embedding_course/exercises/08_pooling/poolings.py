"""Five ways to make one vector of a sentence's vectors: the same cases for all, hints for each."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, RandomInputs, show, strided
from ...checking.gradient_rules import gradient_rules
from .backward import with_gradients

_EMPTY = "A row without a real token gives zeros."


def _lengths(draw: RandomInputs, batch: int, time: int) -> list[int]:
    """Return the number of tokens of each sentence: one fills the width, one leaves one position, the others two or more."""
    rest = [draw.integer(2, time - 2) for _ in range(batch)]
    return draw.shuffled([time, time - 1, *rest][:batch])


def _on_the_right(draw: RandomInputs, batch: int, time: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    """Return a mask (B, T) of sentences that are padded on the right."""
    positions = torch.arange(time)
    return (positions < torch.tensor(_lengths(draw, batch, time))[:, None]).to(dtype)


def _on_the_left(draw: RandomInputs, batch: int, time: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    """Return a mask (B, T) of sentences that are padded on the left."""
    return _on_the_right(draw, batch, time, dtype).flip(1)


def _with_holes(draw: RandomInputs, batch: int, time: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    """Return a mask (B, T) with padding among the real tokens; by turns, the outermost positions are padding or real.

    T must be at least 5. Each row has real tokens and a missing position, by turns after its first one and before its last one.
    In the first row, the tokens at both ends are padding.
    """
    mask = torch.zeros(batch, time, dtype=torch.int64)
    for row in range(batch):
        edge = 1 - row % 2
        inner = draw.ids(time - 2 * edge - 2, 2)
        inner[-(row % 2)] = 0
        mask[row, edge : time - edge] = torch.cat([torch.ones(1, dtype=torch.int64), inner, torch.ones(1, dtype=torch.int64)])
    return mask.to(dtype)


def _with_an_empty_row(draw: RandomInputs, batch: int, time: int) -> torch.Tensor:
    """Return a mask (B + 1, T) with missing positions, in which one row has no real token at all."""
    mask = _with_holes(draw, batch, time)
    at = draw.integer(0, batch)
    return torch.cat([mask[:at], torch.zeros(1, time, dtype=mask.dtype), mask[at:]])


def _words(draw: RandomInputs, mask: torch.Tensor, width: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return token embeddings (B, T, d) for a mask: normal numbers at real tokens, and larger ones at padding."""
    batch, time = mask.shape
    padding = draw.uniform(batch, time, width, low=6.0, high=9.0, dtype=dtype)
    return torch.where(mask.bool()[:, :, None], draw.normal(batch, time, width, dtype=dtype), padding)


def _cases(
    exercise: str, because: Mapping[str, str], example: tuple[torch.Tensor, torch.Tensor]
) -> Callable[[RandomInputs], Iterator[Case]]:
    """Return the cases of one way of pooling.

    `because` says for each criterion why the results are as they are. `example` holds the vectors and the mask of the
    docstring.
    """

    def cases(draw: RandomInputs) -> Iterator[Case]:
        batch, time, width = draw.choice(((2, 5, 3), (3, 5, 2), (3, 7, 5), (2, 7, 3)))

        def case(name: str, mask: torch.Tensor, criterion: str, *, width: int = width, why: str = "", **more: Any) -> Case:
            vectors = more.pop("vectors", None)
            vectors = _words(draw, mask, width, more.pop("dtype", torch.float32)) if vectors is None else vectors
            if more.pop("gaps", False):
                vectors, mask = strided(vectors), strided(mask)
            options, call = {}, ""
            if more.pop("backward", False):
                options["grad_output"] = draw.normal(len(mask), width, dtype=vectors.dtype)
                call = f"{exercise}({show(vectors)}, {show(mask)}) and then .backward(...)"
            args = {"token_embeddings": vectors, "attention_mask": mask}
            return Case(name, args, criterion, options, call, why or because.get(criterion, ""))

        yield case("no padding", torch.ones(batch, time, dtype=torch.int64), "right padding").trying("returns")
        yield case("padding on the right", _on_the_right(draw, batch, time), "right padding").trying(
            "tensor of shape (B, T, d)", "returns")
        mask = _on_the_right(draw, batch, time)
        below = _words(draw, mask, width)
        below = torch.where(mask.bool()[:, :, None], -1.0 - below.abs(), below)
        yield case("every real number is negative", mask, "right padding", vectors=below)

        vectors, mask = example
        yield case("docstring example", mask, "any batch", width=vectors.shape[-1], vectors=vectors).trying("returns")

        yield case("padding on the left", _on_the_left(draw, batch, time), "any mask")
        yield case("holes", _with_holes(draw, batch, time), "any mask")
        yield case("holes, a mask of bools", _with_holes(draw, batch, time, torch.bool), "any mask")
        yield case("holes, a mask of floats", _with_holes(draw, batch, time, torch.float32), "any mask")
        mask = _on_the_left(draw, batch, time)
        vectors = _with_zeros(draw, mask, width)
        yield case("vectors of zeros among the real ones", mask, "any mask", vectors=vectors,
                   why="Zeros may be a real token's vector: only the mask tells what is padding.")
        yield case("holes, a mask of int32", _with_holes(draw, batch, time, torch.int32), "any mask")
        yield case("one real token a sentence", torch.eye(time, dtype=torch.int64)[1 : batch + 1], "any mask")

        mask = _with_an_empty_row(draw, batch, time)
        yield case("a row without a real token", mask, "empty rows", why=_EMPTY)
        yield case("a row without a real token, a mask of bools", mask.bool(), "empty rows", why=_EMPTY)
        yield case("only padding", torch.zeros(batch, time, dtype=torch.int64), "empty rows", why=_EMPTY)

        yield case("as many tokens as columns", _with_holes(draw, 3, 5), "any batch", width=5)
        yield case("as many sentences as tokens", _with_holes(draw, 5, 5), "any batch", width=3)
        yield case("as many sentences as columns", _with_holes(draw, 3, 5), "any batch", width=3)
        yield case("three equal sizes", _with_holes(draw, 5, 5), "any batch", width=5)
        yield case("one sentence", _with_holes(draw, 1, time), "any batch",
                   why="The result has shape (1, d).")
        yield case("sentences of one token", torch.ones(batch, 1, dtype=torch.int64), "any batch").trying(
            "tensor of shape (B, T, d)")
        yield case("vectors of one number", _with_holes(draw, batch, time), "any batch", width=1).trying(
            "tensor of shape (B, T, d)")
        yield case("no sentences", torch.zeros(0, time, dtype=torch.int64), "any batch",
                   why="The result has shape (0, d).")
        yield case("not contiguous in memory", _with_holes(draw, batch, time), "any batch", gaps=True)
        yield case("float64", _with_holes(draw, batch, time), "any batch", dtype=torch.float64).trying("returns")
        yield case("float64, a mask of floats", _with_holes(draw, batch, time, torch.float32), "any batch",
                   dtype=torch.float64).trying("returns")
        mask = _with_holes(draw, batch, time)
        vectors = draw.uniform(batch, time, width, low=2e4, high=9e4)
        vectors = torch.where(mask.bool()[:, :, None], -vectors, vectors)
        yield case("large numbers", mask, "any batch", vectors=vectors).trying("returns")

        mask = _with_holes(draw, batch, time)
        vectors = torch.where(mask.bool()[:, :, None], draw.normal(batch, time, width, scale=0.01), 1e4)
        yield case("small numbers beside large padding", mask, "any batch", vectors=vectors,
                   why="What stands at padding leaves no trace, not even by rounding.").trying("(B, T) of 0")

        yield case("long sentences", _with_holes(draw, 3, 600), "any batch", width=2, why="No sentence is too long.")

        flows = "The gradient must reach the real tokens that the result is made of, and no padding."
        yield case("gradient, no padding", torch.ones(batch, time, dtype=torch.int64), "gradient", why=flows, backward=True)
        yield case("gradient, holes", _with_holes(draw, batch, time), "gradient", why=flows, backward=True)
        small, mask = torch.tensor([[[-5.0], [9.0]], [[1.0], [2.0]]]), torch.tensor([[1, 0], [1, 1]])
        yield case("gradient, the real numbers are the smallest", mask, "gradient", width=1, vectors=small, why=flows,
                   backward=True)
        mask = _with_an_empty_row(draw, batch, time)
        yield case("gradient, a row without a real token", mask, "gradient", why=flows, backward=True)

    return cases


def _with_zeros(draw: RandomInputs, mask: torch.Tensor, width: int) -> torch.Tensor:
    """Return token embeddings below zero, except for each sentence's first and last real token, which are zeros."""
    real = mask.bool()
    vectors = _words(draw, mask, width)
    vectors = torch.where(real[:, :, None], -1.0 - vectors.abs(), vectors)
    ends = real & ((mask.cumsum(1) == 1) | (mask.flip(1).cumsum(1).flip(1) == 1))
    return vectors.masked_fill(ends[:, :, None], 0.0)


def pooling(
    name: str,
    title: str,
    why: str,
    hints: tuple[str, ...],
    because: Mapping[str, str],
    *,
    points: tuple[float, ...],
    example: tuple[list[list[float]], list[int]],
    tries: tuple[str, ...] = (),
    **more: Any,
) -> Exercise:
    """Return the exercise on one way of pooling.

    `example` is the docstring's one sentence with its mask. `tries` holds the sentences on any mask that only this docstring
    has.
    """
    criteria: tuple[tuple[str, str, tuple[str, ...]], ...] = (
        ("right padding", "sentences without padding and with padding on the right", ()),
        ("any mask", "padding on the left, holes, and masks of ints, bools and floats", ("(B, T) of 0 and 1", *tries)),
        ("empty rows", "a row without a real token gives zeros", ("a row without",)),
        ("any batch", "any sizes, memory layout, floating type and size of numbers", ()),
        ("gradient", "gradients flow back to the real tokens, and are finite", ("Gradients flow back",)),
    )
    return Exercise(
        id=f"08.{name}",
        title=title,
        why=why,
        criteria=tuple(
            Criterion(key, worth, says, tries=tried) for (key, says, tried), worth in zip(criteria, points, strict=True)
        ),
        hints=hints,
        cases=_cases(name, because, (torch.tensor([example[0]]), torch.tensor([example[1]]))),
        of_driver=("grad_output",),
        run=with_gradients("token_embeddings"),
        compare=Comparison(rules=gradient_rules("token_embeddings")),
        **more,
    )
