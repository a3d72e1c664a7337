"""Perplexity: how unsure a model is of held-out text."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, RandomInputs, strided


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str, means: Sequence[float], counts: Sequence[int], criterion: str, because: str = "", kind: str = "lists"
    ) -> Case:
        """Return a case with batches of `counts` tokens whose mean losses are `means` with a little noise."""
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

    per_token = "It is exp of the mean loss over all tokens, however they are cut into batches."
    yield case("one batch", [1.7], [draw.choice((7, 11, 13))], "tokens", per_token).trying("nll_sums", "returns")
    yield case("two batches of one size", [1.0, 3.0], [5, 5], "tokens",
               "The mean of two perplexities is not the perplexity of both batches.")
    yield case("a small last batch", [1.2, 1.1, 4.5], [64, 64, draw.choice((3, 5))], "tokens",
               "Each token counts the same, so a batch counts by its tokens.")
    counts = draw.shuffled([2, 3, 11, 29, 53])
    yield case("batches of many sizes", [0.4, 2.9, 1.6, 3.7, 2.2], counts, "tokens", per_token)

    empty = "A batch without tokens adds nothing; it is no reason for 0 / 0."
    yield case("an empty batch at the end", [1.4, 2.8, 0.0], [7, 3, 0], "empty batches", empty)
    yield case("empty batches among others", [0.0, 1.9, 0.0, 3.1], [0, 5, 0, 2], "empty batches", empty)
    yield case("empty batches, tensors", [0.0, 2.1, 3.3, 0.0], [0, 3, 11, 0], "empty batches", empty, "tensors")

    yield case("one token", [2.3], [1], "any input", per_token).trying("Each token")
    yield case("a batch that costs nothing, and one of a single token", [1.9, 0.0, 4.7], [5, 7, 1], "any input",
               "A token with probability 1 counts as a token too.").trying("Each token")
    yield case("tensors", [1.5, 2.7, 0.8], [11, 2, 5], "any input", per_token, "tensors").trying("returns", "Both may be lists")
    yield case("float64 tensors", [1.5, 2.7, 0.8], [2, 11, 5], "any input", per_token, "float64").trying(
        "returns", "Both may be lists")
    yield case("a list of sums and a tensor of counts", [2.5, 0.7, 1.9], [3, 2, 13], "any input", "", "list and tensor").trying(
        "Both may be lists")
    yield case("a tensor of sums and a list of counts", [0.5, 2.7, 1.9], [3, 2, 13], "any input", "", "tensor and list").trying(
        "Both may be lists")
    yield case("counts in floating numbers", [2.5, 0.6, 3.3], [3, 17, 5], "any input", "", "float counts").trying(
        "token_counts", "some may be 0")
    yield case("tensors with gaps in memory", [1.3, 2.2, 3.4], [17, 3, 5], "any input", "", "gaps").trying("Both may be lists")
    yield case("many tokens, a high loss", [9.6, 8.1, 10.4], [90_000, 120_000, 7], "any input",
               "Sums in the hundred thousands are fine; exp of one of them is not.").trying("nll_sums")
    yield case("a model that is very wrong", [25.0], [10], "any input", "exp(25) is a number like any other.").trying(
        "nll_sums")
    yield case("a very low loss", [0.002, 0.004], [50, 20], "any input").trying("nll_sums")
    yield case("a loss of 0", [0.0, 0.0], [5, 7], "any input",
               "A model that gives every true word probability 1 has perplexity 1.")
    choices, counts = draw.integer(17, 90), [draw.integer(2, 9) for _ in range(3)]
    alike = {"nll_sums": [count * math.log(choices) for count in counts], "token_counts": counts}
    yield Case("equally likely words", alike, "any input", because=f"That is what {choices} equally likely words mean.").trying(
        "A model that always")
    known = {"nll_sums": [2 * math.log(3), 4 * math.log(9)], "token_counts": [2, 4]}
    yield Case("docstring example", known, "any input", because=per_token).trying("Each token")


perplexity = Exercise(
    id="04.perplexity",
    title="Perplexity",
    why="Models are compared by their perplexity, so it must not depend on how the text was cut into "
    "batches.",
    difficulty=1,
    minutes=8,
    core=False,
    criteria=(
        Criterion("tokens", 1, "exp of the mean loss over all tokens, whatever the batches", tries=("Each token",)),
        Criterion("empty batches", 0.5, "batches without tokens do not matter", tries=("token_counts", "some may be 0")),
        Criterion("any input", 0.5, "lists and tensors, large numbers and small ones, single tokens"),
    ),
    hints=(
        "What is the mean loss per token when one batch has 64 tokens and the next one 3?",
        "Add up all losses, and all tokens, before anything else is done.",
        "Only one division and only one exp are needed, both at the end.",
    ),
    cases=_cases,
    compare=Comparison(rtol=1e-5),
)
