"""Beam search: cases and comparison."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs
from ...checking.mismatch import RESULT
from ...messages import Message
from ..rules import required
from .beam_search_models import Model, layers, line, tree

_KEPT = "The `width` best continuations stay, whichever beginnings they come from."
_ASIDE = "At each step every sequence on the beam is also ended by eos and set aside, whatever its rank."


class _CountedModel:
    """Log-probabilities for each state; `onward` says which state follows on which token. It starts in state 0."""

    def __init__(self, scores: torch.Tensor, onward: torch.Tensor, bos: int) -> None:
        self.rows, self.onward, self.bos = scores.log_softmax(dim=1), onward, bos
        self.most = self.longest = 0

    def step(self, prefixes: torch.Tensor) -> torch.Tensor:
        if not isinstance(prefixes, torch.Tensor) or prefixes.dtype != torch.int64:
            what = str(prefixes.dtype) if isinstance(prefixes, torch.Tensor) else f"a {type(prefixes).__name__}"
            raise TypeError(f"step takes a tensor of int64; it was called with {what}")
        if prefixes.ndim != 2 or prefixes.shape[1] == 0:
            raise ValueError(f"step takes prefixes of shape (k, t); it was called with shape {tuple(prefixes.shape)}")
        if not bool((prefixes[:, 0] == self.bos).all()):
            raise ValueError("every prefix begins with bos; step was called with one that does not")
        self.most, self.longest = max(self.most, prefixes.shape[0]), max(self.longest, prefixes.shape[1])
        state = torch.zeros(len(prefixes), dtype=torch.int64)
        for token in prefixes[:, 1:].unbind(dim=1):
            state = self.onward[state, token]
        return self.rows[state]


def _run(
    candidate: Callable[..., Any],
    scores: torch.Tensor,
    onward: torch.Tensor,
    bos: int,
    eos: int,
    width: int,
    max_len: int,
    calls: bool = False,
) -> NamedParts:
    """Search, and report the sequence and the types of its tokens, since a tensor would compare equal to an int.

    With `calls`, also report the most prefixes that the model received at once, and the longest prefix.
    """
    model = _CountedModel(scores, onward, bos)
    sequence = candidate(model.step, bos, eos, width, max_len)
    tokens = sequence if isinstance(sequence, (list, tuple)) else ()
    types = sorted({type(token).__name__ for token in tokens})
    parts = NamedParts({"sequence": sequence, "types of the tokens": types})
    if calls:
        parts["most prefixes in one call"], parts["longest prefix"] = model.most, model.longest
    return parts


def _sequence(expected: Any, got: Any, _: Case) -> Mismatch | None:
    """Compare the sequences; a list of another length is wrong in its values, since no shape was asked for."""
    fault = Comparison().leaf(expected, got, RESULT)
    if fault and fault.stage == "shape" and isinstance(got, list):
        return replace(fault, stage="values")
    return fault


def _at_most(argument: str, what: Message) -> Callable[[Any, Any, Case], Mismatch | None]:
    def rule(_: Any, got: Any, case: Case) -> Mismatch | None:
        if type(got) is int and 1 <= got <= case.args[argument]:
            return None
        return Mismatch("property", Message("`step` was called with {what}.", what=what))

    return rule


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str, model: Model, width: int, max_len: int, criterion: str, because: str = "", calls: bool = False
    ) -> Case:
        table = f"step gives these probabilities, and random ones otherwise: {model.says}"
        size = model.scores.shape[1]
        call = (
            f"beam_search(step, bos={model.bos}, eos={model.eos}, width={width}, max_len={max_len}), where V is {size} and "
            f"{table if model.says else 'what step gives depends on all tokens of a prefix'}"
        )
        args = {"scores": model.scores, "onward": model.onward, "bos": model.bos, "eos": model.eos}
        options = {"calls": True} if calls else {}
        return Case(name, {**args, "width": width, "max_len": max_len}, criterion, options, call, because)

    lure = {"": {"a": 0.5, "b": 0.35, "$": 0.01}, "a": {"d": 0.2, "$": 0.05}, "b": {"c": 0.95, "$": 0.01}, "bc": {"$": 0.95}}
    yield case("the second word is the better beginning", tree(draw, 9, lure), 3, 5, "search", _KEPT).trying(
        "The beam begins")
    one_parent = {"": {"a": 0.6, "b": 0.25, "$": 0.01}, "a": {"c": 0.48, "d": 0.44, "$": 0.01}, "ad": {"$": 0.95},
                  "ac": {"$": 0.05}}
    yield case("both come from one beginning", tree(draw, 9, one_parent), 2, 5, "search", _KEPT)
    narrow = {"": {"a": 0.42, "b": 0.35, "c": 0.2, "$": 0.002}, "a": {"e": 0.5, "$": 0.01}, "ae": {"$": 0.6},
              "b": {"f": 0.4, "$": 0.01}, "bf": {"$": 0.3}, "c": {"d": 0.97}, "cd": {"$": 0.97}}
    yield case("the best one is not found", tree(draw, 11, narrow), 2, 5, "search",
               "A beam is no exhaustive search: what was not among the width best is gone.")
    third = {"": {"a": 0.5, "b": 0.3, "$": 0.002}, "a": {"d": 0.42, "e": 0.37, "$": 0.002}, "ad": {"$": 0.35}, "ae": {"$": 0.1},
             "b": {"f": 0.55, "$": 0.002}, "bf": {"$": 0.97}}
    yield case("the third best beginning is dropped", tree(draw, 11, third), 2, 5, "search",
               "The continuations of all beginnings compete with one another, by their totals.")
    yield case("a random model", layers(draw, 7, 4), 3, 6, "search", _KEPT).trying(
        "A token may have -inf", "bos always", "bos the id", "it is never")
    yield case("a wider beam", layers(draw, 13, 5), 5, 7, "search", _KEPT)
    yield case("as many kept as there are tokens", layers(draw, 7, 3), 7, 5, "search", _KEPT).trying(
        "width how many", "it may exceed")
    known = torch.tensor([[-math.inf, 0.4, 0.6], [-math.inf, 0.5, 0.5]]).log().nan_to_num(nan=-math.inf)
    example = Model(known, torch.ones(2, 3, dtype=torch.int64), 0, 1, "after [0] {1: 0.40, 2: 0.60}, later {1: 0.50, 2: 0.50}")
    yield case("docstring example", example, 1, 3, "ends", _ASIDE).trying("returns the best")
    yield from _ends(draw, case)
    yield from _any_size(draw, case)

    few = "step is never called with more than width prefixes, nor for more than max_len steps."
    yield case("how step is called", layers(draw, 11, 6), 3, 4, "calls of step", few, calls=True)
    yield case("how step is called by a beam of one", layers(draw, 7, 5), 1, 3, "calls of step", few, calls=True)
    yield case("how step is called for one step", layers(draw, 7, 3), 4, 1, "calls of step", few, calls=True)
    yield case("how step is called by a wide beam", layers(draw, 5, 4), 20, 5, "calls of step", few, calls=True)


def _ends(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    """Yield cases in which sequences that ended at any step compete with those that were cut at the end."""
    low = {"": {"a": 0.95}, "a": {"b": 0.27, "c": 0.25, "d": 0.23, "$": 0.2}}
    yield case("an end that is not among the best", tree(draw, 13, low), 2, 5, "ends", _ASIDE).trying("At each step")
    single_beam = {"": {"a": 0.9}, "a": {"b": 0.9}, "ab": {"c": 0.5, "$": 0.4}}
    yield case("width 1, which is not greedy search", tree(draw, 13, single_beam), 1, 6, "ends", _ASIDE).trying("At each step")
    overtaken = {"": {"x": 0.95}, "x": {"a": 0.38, "b": 0.36, "$": 0.12}, "xa": {"c": 0.46, "d": 0.44},
                 "xb": {"c": 0.45, "d": 0.45}}
    yield case("an end that others overtake for a while", tree(draw, 13, overtaken), 3, 6, "ends",
               "Ended sequences stay set aside and are compared at the end.").trying("At each step")
    first = {"": {"$": 0.5, "a": 0.3}, "a": {"b": 0.4, "$": 0.3}}
    yield case("the end at once is best", tree(draw, 9, first), 2, 5, "ends", "A sequence may be empty.").trying(
        "It may be empty", "At each step")
    later = {"": {"a": 0.9, "$": 0.06}, "a": {"b": 0.85, "$": 0.1}, "ab": {"c": 0.85, "$": 0.1}, "abc": {"$": 0.9}}
    yield case("a later end is best", tree(draw, 9, later), 2, 7, "ends", "The first end need not be the best one.").trying(
        "eos the id", "At each step")
    sure = {"": {"a": 0.6, "b": 0.2, "$": 0.01}, "a": {"c": 0.9, "$": 0.02}, "b": {"$": 0.9}, "ac": {"$": 0.9}}
    yield case("a likely end of an unlikely beginning", tree(draw, 9, sure), 2, 5, "ends", "The whole total counts.").trying(
        "The best sequence")
    long = {"": {"a": 0.6, "b": 0.3}, "a": {"$": 0.38, "c": 0.55}, "ac": {"d": 0.6}, "acd": {"e": 0.7}, "acde": {"$": 0.97}}
    yield case("the shorter one has the larger total", tree(draw, 11, long), 3, 7, "ends",
               "The total counts, not the mean over the tokens.").trying("The total is not divided")
    counted = {"": {"a": 0.55, "b": 0.4}, "a": {"c": 0.6, "$": 0.25}, "ac": {"$": 0.1}, "b": {"$": 0.8}}
    yield case("an end that is not likely", tree(draw, 9, counted), 2, 4, "ends", "The log-probability of eos counts.").trying(
        "The best sequence")
    cut = {"": {"a": 0.9}, "a": {"b": 0.9}, "ab": {"c": 0.9}, "abc": {"d": 0.9}, "abcd": {"$": 0.99}}
    yield case("the best one is cut", tree(draw, 11, cut), 2, 4, "ends",
               "Sequences that are cut at max_len compete too.").trying("max_len how many", "After max_len")
    yield case("the end comes in the last step", tree(draw, 11, cut), 2, 5, "ends", "There are max_len steps.").trying(
        "The best sequence")
    both = {"": {"a": 0.9}, "a": {"b": 0.5, "$": 0.45}, "ab": {"c": 0.6}, "abc": {"$": 0.9}}
    yield case("an earlier end beats those that are cut", tree(draw, 11, both), 2, 3, "ends").trying("The best sequence")
    yield case("one step, cut", tree(draw, 9, lower := {"": {"a": 0.6, "$": 0.3}}), 2, 1, "ends").trying(
        "max_len how many", "The beam begins", "After max_len")
    yield case("one step, ended", tree(draw, 9, {"": {"a": 0.3, "$": 0.6}}), 2, 1, "ends").trying("It may be empty")
    yield case("one step, a beam of one", tree(draw, 7, lower), 1, 1, "ends").trying("After max_len")


def _any_size(draw: RandomInputs, case: Callable[..., Case]) -> Iterator[Case]:
    yield case("a random model, one kept", layers(draw, 7, 4), 1, 7, "any size").trying("width how many", "it may exceed")
    yield case("fewer tokens than are kept", layers(draw, 5, 4), 11, 6, "any size",
               "There may be fewer continuations than width.").trying("width how many", "it may exceed", "If totals are equal")
    yield case("a single token to continue with", layers(draw, 3, 5), 3, 7, "any size").trying(
        "width how many", "it may exceed")
    lure = {"": {"a": 0.4, "b": 0.35}, "a": {"c": 0.3}, "b": {"c": 0.9}, "bc": {"$": 0.95}}
    yield case("eos is 0", tree(draw, 9, lure, (8, 0)), 2, 5, "any size").trying("bos the id", "it is never", "eos the id")
    yield case("bos is 0", tree(draw, 9, lure, (0, 8)), 2, 5, "any size").trying("bos the id", "it is never", "eos the id")
    yield case("float64", layers(draw, 11, 4, dtype=torch.float64), 3, 6, "any size").trying(
        "step called as step(prefixes)", "returns (k, V)")
    never = layers(draw, 7, 5)
    never.scores[:, never.eos] = -math.inf
    yield case("eos never comes", never, 2, 4, "any size", "What has probability 0 has the logarithm -inf.").trying(
        "A token may have -inf", "bos always", "After max_len")
    yield case("many steps", line(draw, 60, 45, 0.05), 3, 45, "any size",
               "Products of many probabilities are too small for float32; sums of logarithms are not.").trying(
        "The best sequence")
    nothing = Model(torch.tensor([[-math.inf, 0.0]]), torch.zeros(1, 2, dtype=torch.int64), 0, 1)
    yield case("no token but bos and eos", nothing, 2, 4, "any size", "Nothing is left to continue with.").trying(
        "step called as step(prefixes)", "returns (k, V)", "A token may have -inf", "bos always")


beam_search = Exercise(
    id="05.beam_search",
    title="Beam search",
    why="The best word now may lead to a worse sentence. A beam keeps several beginnings.",
    difficulty=3,
    minutes=35,
    core=False,
    criteria=(
        Criterion("search", 2, "the width best beginnings are kept at each step, no more and no fewer",
                  tries=("step called as step(prefixes)", "returns (k, V)", "Rows are normalised", "returns the best",
                         "Then every sequence")),
        Criterion("ends", 1.5, "every end is set aside, the cut ones compete, the largest total wins"),
        Criterion("any size", 0.5, "a beam of one, few tokens, any ids, float64, -inf, many steps"),
        Criterion("calls of step", 0.5, "step is called with at most width prefixes, for at most max_len steps",
                  tries=("max_len how many", "step called as step(prefixes)", "returns (k, V)", "step is never")),
    ),
    hints=(
        "What has to be kept for each sequence on the beam? Its tokens, and the total of their log-probabilities.",
        "One step: call step with all prefixes at once. Each of them gives V new totals: its own, plus a row's entries.",
        "A total in the column of eos belongs to a sequence that has ended. Do not put it on the beam, and keep only the best "
        "one so far. Of all other totals, of all prefixes together, keep the width largest.",
        "Start with beam = [([bos], 0.0)]. In each step collect (prefix + [token], total + row[token]) for all prefixes and "
        "all tokens but bos and eos; beam = sorted(collected, key=lambda entry: entry[1], reverse=True)[:width].",
    ),
    cases=_cases,
    of_driver=("calls", "scores", "onward"),
    run=_run,
    by_products=("longest prefix", "most prefixes in one call"),
    compare=Comparison(rules={
        "sequence": _sequence,
        "types of the tokens": required(
            lambda types: types in ([], ["int"]), Message("The sequence holds something else than Python ints."), "type"
        ),
        "most prefixes in one call": _at_most("width", Message("more than `width` prefixes")),
        "longest prefix": _at_most("max_len", Message("prefixes that are too long: there are at most `max_len` steps")),
    }),
)
