"""The bag of tokens: cases."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs, strided


def _weights(draw: RandomInputs, tokens: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Return weights from 0.2 to 3, clearly different from one another, in random order."""
    return torch.linspace(0.2, 3.0, tokens, dtype=dtype)[draw.distinct(tokens, tokens)]


def _texts(draw: RandomInputs, tokens: int, *lengths: int) -> list[list[int]]:
    """Return a text of each length. No text repeats a token, none is sorted, and none has the id 0."""
    texts = []
    for length in lengths:
        text = (1 + draw.distinct(length, tokens - 1)).tolist()
        texts.append(text if text != sorted(text) else text[::-1])
    return texts


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, table: torch.Tensor, ids: list[list[int]], criterion: str, because: str = "", **options: Any) -> Case:
        by_position = {"weights": options.pop("by_position")} if "by_position" in options else {}
        return Case(name, {"table": table, "ids": ids, **by_position}, criterion, options, because=because)

    tokens, width = draw.choice(((13, 5), (17, 7), (19, 5)))
    every = "Each text is the sum of its tokens' rows, divided by the length of that sum."
    table = draw.normal(tokens, width)
    yield case("texts of several lengths", table, _texts(draw, tokens, 3, 2, 4), "sum", every)
    yield case("texts of one length", table, _texts(draw, tokens, 3, 3), "sum", every)
    yield case("as many texts as columns", draw.normal(tokens, 3), _texts(draw, tokens, 4, 2, 3), "sum", every)
    first, second, third = (1 + draw.distinct(3, tokens - 1)).tolist()
    again = [[first, second, first, first], [third, third, second]]
    yield case("tokens that occur several times", table, again, "sum", "A token counts each time that it occurs.")
    turned = [[second, first, first, first], [second, third, third]]
    yield case("the same texts in another order", table, turned, "sum", "The order of the tokens does not matter.")
    example = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    yield case("docstring example", example, [[0, 0], [1, 1, 1], []], "empty texts", every)

    yield from _weighted(draw, tokens, width, case)
    yield from _empty(draw, tokens, width, case)

    yield case("the first and the last token", table, [[0, tokens - 1], [tokens - 1], [0]], "any input",
               "The id 0 is a token like any other.")
    yield case("as many tokens as columns", draw.normal(5, 5), _texts(draw, 5, 5, 2), "any input")
    yield case("a table of one column", 2 + draw.normal(tokens, 1), _texts(draw, tokens, 2, 3), "any input")
    yield case("float64", draw.normal(tokens, width, dtype=torch.float64), _texts(draw, tokens, 3, 2), "any input",
               weights=_weights(draw, tokens, torch.float64))
    yield case("large numbers", draw.normal(tokens, width, scale=1e4), _texts(draw, tokens, 3, 5), "any input")
    yield case("small numbers", draw.normal(tokens, width, scale=1e-3), _texts(draw, tokens, 3, 5), "any input",
               "Short sums have a direction too.")
    yield case("gaps in memory", strided(draw.normal(tokens, width)), _texts(draw, tokens, 3, 2), "any input",
               weights=strided(_weights(draw, tokens)[None])[0])
    long = [draw.ids(600, tokens).tolist(), draw.ids(3, tokens).tolist()]
    yield case("a long text", 0.5 + draw.normal(tokens, width), long, "any input")


def _weighted(draw: RandomInputs, tokens: int, width: int, case: Callable[..., Case]) -> Iterator[Case]:
    table, weights = draw.normal(tokens, width), _weights(draw, tokens)
    each = "The weight belongs to the token, wherever it stands."
    yield case("weights", table, _texts(draw, tokens, 3, 2, 4), "weights", each, weights=weights)
    yield case("weights by position", table, _texts(draw, tokens, 3, 4), "weights", each, by_position=weights)
    first, second, third = (1 + draw.distinct(3, tokens - 1)).tolist()
    yield case("weighted tokens that occur several times", table, [[first, second, first], [third, third, second]], "weights",
               "Each occurrence has the weight of its token.", weights=weights)
    yield case("as many weights as columns", draw.normal(5, 5), _texts(draw, 5, 3, 2), "weights", each,
               weights=_weights(draw, 5))
    signs = weights * torch.where(draw.distinct(tokens, tokens) % 2 == 0, -1.0, 1.0)
    yield case("weights of both signs", table, _texts(draw, tokens, 4, 3), "weights",
               "A negative weight subtracts the row.", weights=signs)
    yield case("negative weights", table, _texts(draw, tokens, 3, 2), "weights",
               "A negative weight turns the sum round.", weights=-weights)
    zero = weights.clone()
    zero[first] = 0
    yield case("a weight of 0", table, [[first, second], [second, first, third]], "weights",
               "A token of weight 0 adds nothing.", weights=zero)
    balanced = weights.clone()
    balanced[second] = -balanced[first]
    yield case("weights that add up to 0", table, [[first, second], [third, first, second]], "weights",
               "The sum of the rows is not zero, although the sum of the weights is.", weights=balanced)
    yield case("docstring example 2", torch.tensor([[1.0, 0.0], [0.0, 2.0]]), [[0, 1]], "weights", each,
               weights=torch.tensor([3.0, 2.0]))


def _empty(draw: RandomInputs, tokens: int, width: int, case: Callable[..., Case]) -> Iterator[Case]:
    table = draw.normal(tokens, width)
    zeros = "A text without tokens gives a row of zeros."
    some = _texts(draw, tokens, 3, 2)
    yield case("an empty text among others", table, [some[0], [], some[1]], "empty texts", zeros)
    yield case("an empty text, with weights", table, [[], some[0]], "empty texts", zeros, weights=_weights(draw, tokens))
    yield case("empty texts only", table, [[], []], "empty texts", zeros)
    yield case("no texts", table, [], "empty texts", "The result has no rows and still d columns.")
    whole = draw.ids((tokens, width), 9).float() + 1
    first, second, third = (1 + draw.distinct(3, tokens - 1)).tolist()
    whole[second] = -whole[first]
    cancel = "The rows cancel exactly: zeros stay zeros, and 0 / 0 is nan."
    yield case("a sum of zero", whole, [[first, second], [third, first]], "empty texts", cancel)
    powers = torch.ones(tokens)
    whole = whole.clone()
    powers[first], powers[second], whole[second] = 2.0, 0.5, -4 * whole[first]
    yield case("a weighted sum of zero", whole, [[third, second], [second, first]], "empty texts", cancel, weights=powers)
    yield case("weights of 0 only", table, [[first, second], [third]], "empty texts", cancel,
               weights=torch.zeros(tokens))


bag_of_tokens = Exercise(
    id="11.bag_of_tokens",
    title="A bag of tokens",
    why="This is a whole static embedding model: a published table, a sum, a length of 1, and you can search.",
    difficulty=1,
    minutes=6,
    criteria=(
        Criterion("sum", 0.5, "the sum of the tokens' rows, scaled to norm 1",
                  tries=("A token that occurs", "The order of", "table (V, d)", "ids a list", "None gives", "returns")),
        Criterion("weights", 0.5, "each token with its own weight, 0 and negative weights included",
                  tries=("A token that occurs", "weights (V,)")),
        Criterion("empty texts", 0.25, "zeros for texts without tokens and for sums of zero; no texts",
                  tries=("N may be 0", "A text without tokens", "returns")),
        Criterion("any input", 0.25, "any sizes, float64, large and small numbers, any memory layout",
                  tries=("table (V, d)", "ids a list", "weights (V,)", "returns")),
    ),
    hints=(
        "Do it for one text first: `table[text]` gives its rows. Along which axis do you add them up?",
        "`weights[text]` has one number for each token of the text; give it a second axis, and it multiplies the rows.",
        "`F.normalize(sums, dim=1)` divides each row by its norm and leaves zeros as they are.",
        "Begin with `table.new_zeros(len(ids), table.shape[1])` and fill in a row for each text: then no text and an empty one "
        "need nothing of their own. `torch.tensor([])` is float32 and no index: give it `dtype=torch.int64`.",
    ),
    cases=_cases,
)
