"""Is one engine better than another? Cases of the paired bootstrap."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, show, strided
from ...messages import Message

Pair = tuple[torch.Tensor, torch.Tensor]

_EXAMPLE = (torch.tensor([1.0, 1.0, 0.0, 1.0]), torch.tensor([0.0, 1.0, 0.0, 0.0]))
INTERVAL, NEXT = "interval", "next number of the generator"


def _run(candidate: Callable[..., Any], a: torch.Tensor, b: torch.Tensor, draws: int, seed: int) -> NamedParts:
    """Report the interval, and the number that the generator gives afterwards."""
    generator = torch.Generator().manual_seed(seed)
    interval = candidate(a, b, draws, generator)
    return NamedParts({INTERVAL: interval, NEXT: int(torch.randint(2**31, (1,), generator=generator))})


def _same_interval(expected: Any, got: Any, case: Case) -> Mismatch | None:
    """Compare two numbers within rounding, which grows with the differences between a and b."""
    if isinstance(got, torch.Tensor) and got.ndim:
        return Mismatch("type", Message("The result is one tensor. A pair of two numbers, low and high, was expected."))
    if not isinstance(got, list):
        return Comparison().leaf(expected, got, Message("the interval"))
    if len(got) != 2:
        return Mismatch("shape", Message("The result does not have two entries, low and high."))
    within = 1e-5 * float((case.args["a"].double() - case.args["b"].double()).abs().max()) + 1e-12
    faults = (Comparison().leaf(wanted, value, Message(name), within)
              for name, wanted, value in zip(("low", "high"), expected, got, strict=True))
    return next((fault for fault in faults if fault), None)


def _same_state(expected: int, got: Any, case: Case) -> Mismatch | None:
    if expected == got:
        return None
    return Mismatch("property", Message("The generator is not afterwards as it is after one call of torch.randint."))


def _with_gaps(a: torch.Tensor, b: torch.Tensor) -> Pair:
    return strided(a[None])[0], strided(b[None])[0]


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, scores: Pair, draws: int, criterion: str, because: str = "") -> Case:
        a, b = scores
        args = {"a": a, "b": b, "draws": draws, "seed": draw.seed()}
        call = f"bootstrap_difference({show(a)}, {show(b)}, {draws}, generator)"
        return Case(name, args, criterion, call=call, because=because)

    def pair(queries: int, **more: Any) -> Pair:
        """Return two sets of scores that rise and fall with one another; the first is better by 0.3 or so."""
        hard = draw.normal(queries, **more)
        return hard + 0.3 + 0.4 * draw.normal(queries, **more), hard + 0.4 * draw.normal(queries, **more)

    queries = draw.choice((23, 29, 31))
    paired = "Both engines answered the same queries: each draw takes the same queries of both."
    yield case("scores of two engines", pair(queries), 201, "interval", paired)
    better, worse = pair(queries)
    yield case("the worse engine first", (worse, better), 137, "interval", "The difference is mean(a) - mean(b).")
    yield case("as many draws as queries", pair(17), 17, "interval", "The indices have the shape (draws, Q).")
    yield case("few draws", pair(queries), draw.choice((7, 9, 11)), "interval",
               "The quantiles lie between two draws, and are interpolated linearly.")
    first, second = (draw.distinct(40, 40) < 24).float(), (draw.distinct(40, 40) < 18).float()
    yield case("hits and misses", (first, second), 300, "interval", "Scores of 0 and 1 are what recall@1 is the mean of.")
    lopsided = draw.uniform(queries) ** 6
    yield case("a few queries decide", (lopsided * 5, 0.2 * draw.uniform(queries)), 160, "interval",
               "The interval need not lie evenly around the difference.")
    yield case("the same scores twice", (first, first.clone()), 50, "interval", "Then every difference is 0.")
    yield case("docstring example", _EXAMPLE, 1000, "interval")

    yield case("one draw", pair(queries), 1, "any input", "Then both ends are the one difference that was drawn.")
    yield case("two draws", pair(queries), 2, "any input")
    yield case("one query", pair(1), 30, "any input", "Every draw takes that query, so the interval has no width.")
    yield case("float64", pair(queries, dtype=torch.float64), 90, "any input")
    near, other = pair(queries, dtype=torch.float64)
    yield case("float64, a small difference of large scores", (1e7 + near, 1e7 + other), 120, "any input",
               "In float32 numbers near ten million are whole numbers.")
    yield case("scores with gaps in memory", _with_gaps(*pair(queries)), 60, "any input")

    refuse = "a and b hold a score for each query, and there is at least one query; anything else raises ValueError."
    a, b = pair(queries)
    yield case("b is shorter", (a, b[:-3]), 20, "refused", refuse)
    yield case("a is shorter", (a[:-3], b), 20, "refused", refuse)
    yield case("a has one score", (a[:1], b), 20, "refused", refuse)
    yield case("no queries", (a[:0], b[:0]), 20, "refused", refuse)
    yield case("no queries in b", (a, b[:0]), 20, "refused", refuse)


bootstrap_difference = Exercise(
    id="11.bootstrap_difference",
    title="Luck or a lead?",
    why="On a hundred queries a lead of five points is often luck; this interval says when, and every table below shows it.",
    difficulty=2,
    minutes=8,
    criteria=(
        Criterion("interval", 0.5, "the 2.5 and 97.5 % quantiles of the difference over resampled queries",
                  tries=("The scores are paired", "a, b (Q,)", "draws how many", "One call", "generator a torch",
                         "nothing else", "returns", "They are computed")),
        Criterion("any input", 0.5, "one draw, one query, float64, any memory layout", tries=("a, b (Q,)", "draws how many")),
        Criterion("refused", 0.5, "ValueError when a and b differ in length or are empty", tries=("Raises ValueError",)),
    ),
    hints=(
        "Draw with replacement: `torch.randint(Q, (draws, Q), generator=generator)` is a table with a row for each draw.",
        "`a[index]` and `b[index]` with one and the same table keep the scores of a query together. Which axis is averaged?",
        "`torch.quantile(differences, q)` interpolates linearly. Make the differences float64 before you average.",
        "Compare the lengths, and ask for at least one query, before the first number is drawn.",
    ),
    cases=_cases,
    of_driver=("seed",),
    run=_run,
    compare=Comparison(rules={INTERVAL: _same_interval, NEXT: _same_state}),
    draws=True,
)
