"""Warm-up and cosine decay: cases and comparison."""

from collections.abc import Callable, Iterator
from typing import Any

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, RandomInputs
from ...messages import Message
from ..drivers import reported_as


def _rate(expected: Any, got: Any, case: Case) -> Mismatch | None:
    return Comparison().leaf(expected, got, Message("the rate"), 1e-4 * abs(expected) + 1e-6 * case.args["peak"])


def _schedule(draw: RandomInputs, **fixed: float) -> dict[str, Any]:
    """Return a random schedule, so that one result tells nothing about the next; `fixed` holds the numbers that are given."""
    warmup = int(fixed.get("warmup", draw.integer(9, 40)))
    drawn = {"warmup": warmup, "total": warmup + draw.integer(40, 160), "peak": _some(draw, 0.002, 1.0)}
    return {**drawn, **fixed}


def _some(draw: RandomInputs, low: float, high: float) -> float:
    return round(float(draw.uniform(1, low=low, high=high)), 4)


def _step(schedule: dict[str, Any], passed: float, by: int = 0) -> int:
    """Return the step at which the share `passed` of a schedule is over, plus `by`.

    `passed` runs from 0 to 1 in the warm-up and from 1 to 2 in the rest of the schedule.
    """
    warmup, rest = schedule["warmup"], schedule["total"] - schedule["warmup"]
    return round(passed * warmup if passed < 1 else warmup + (passed - 1) * rest) + by


def _schedule_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str, criterion: str, passed: float, because: str = "", by: int = 0, share: float = 0.0, **fixed: float
    ) -> Case:
        """Return a case; `share` is the floor divided by the peak, and without it no floor is given."""
        schedule = _schedule(draw, **fixed)
        options = {"floor": round(schedule["peak"] * share, 6)} if share else {}
        return Case(name, {"step": _step(schedule, passed, by), **schedule}, criterion, options, because=because)

    up = "The warm-up is a straight line from 0 at step 0 to the peak at step `warmup`."
    yield case("half of the warm-up", "warm-up", 0.5, up)
    yield case("early in the warm-up", "warm-up", _some(draw, 0.15, 0.35), up)
    yield case("late in the warm-up", "warm-up", _some(draw, 0.6, 0.85), up)

    down = "Half a wave of the cosine, stretched over the steps between `warmup` and `total`."
    yield case("a quarter of the way down", "cosine", 1.25, down)
    yield case("half of the way down", "cosine", 1.5, down)
    yield case("most of the way down", "cosine", _some(draw, 1.7, 1.9), down)
    yield case("a long warm-up, then down", "cosine", _some(draw, 1.2, 1.4), down, warmup=80, total=121)

    above = "The warm-up starts from 0; the wave runs from the peak down to the floor."
    yield case("a floor, early in the warm-up", "floor", 0.0, above, by=1, share=0.6).trying("the line starts")
    yield case("a floor, in the warm-up", "floor", _some(draw, 0.4, 0.6), above, share=_some(draw, 0.1, 0.3)).trying("returns")
    yield case("a floor, a quarter of the way down", "floor", 1.25, above, share=_some(draw, 0.1, 0.3)).trying("then floor")
    yield case("a floor, most of the way down", "floor", _some(draw, 1.7, 1.9), above, share=_some(draw, 0.1, 0.3)).trying(
        "floor where the wave", "then floor")
    given = _schedule(draw)
    floor = round(given["peak"] / 5, 6)
    yield Case("a floor given by position", {"step": _step(given, 1.5), **given, "floor": floor}, "floor").trying(
        "floor where the wave")
    yield from _turning_points(case)
    for number, (step, *tries) in enumerate((
        (0, "the line starts"), (1, "returns"), (2, "warmup the step"), (4, "then floor + (peak - floor)"),
        (6, "total the step"), (9, "step 0, 1, 2", "it may exceed", "from there on the rate"),
    ), start=1):
        name = "docstring example" if number == 1 else f"docstring example {number}"
        yield Case(name, {"step": step, "warmup": 2, "total": 6, "peak": 1.0}, "turning points", {"floor": 0.2}).trying(*tries)


def _turning_points(case: Callable[..., Case]) -> Iterator[Case]:
    turn, stays = "turning points", "From `total` on the rate stays where it is."
    yield case("the first step", turn, 0.0, "The line starts from 0.").trying("step 0, 1", "it may exceed", "the line starts")
    yield case("the second step", turn, 0.0, by=1).trying("step 0, 1", "it may exceed", "the line starts", "returns")
    yield case("the last step of the warm-up", turn, 1.0, by=-1).trying("the line starts", "returns")
    yield case("the peak", turn, 1.0, "At step `warmup` the peak is reached.").trying("warmup the step", "peak the largest")
    yield case("one step after the peak", turn, 1.0, by=1).trying("then floor")
    yield case("the end", turn, 2.0, "At `total` the wave has reached its bottom.").trying("total the step")
    yield case("one step past the end", turn, 2.0, stays, by=1).trying("step 0, 1", "it may exceed", "from there on the rate")
    yield case("far past the end", turn, 3.0, stays).trying("step 0, 1", "it may exceed", "from there on the rate")
    yield case("a floor, the peak", turn, 1.0, share=0.2).trying("warmup the step", "peak the largest")
    yield case("a floor, the end", turn, 2.0, share=0.2).trying("total the step", "floor where the wave")
    yield case("a floor, far past the end", turn, 3.3, stays, share=0.3).trying(
        "step 0, 1", "it may exceed", "from there on the rate")
    yield case("a floor as high as the peak", turn, 1.6, "The rate stays at the peak.", share=1.0).trying(
        "floor where the wave")
    yield case("a warm-up of one step, its end", turn, 1.0, warmup=1).trying("warmup the step")
    yield case("a warm-up of one step, then down", turn, 1.4, warmup=1).trying("then floor")
    yield case("one step of warm-up and one down", turn, 1.0, warmup=1, total=2).trying("warmup the step")
    yield case("a large peak", turn, 1.3, peak=1e4).trying("peak the largest")
    small = "A rate is not rounded."
    yield case("a small peak, in the warm-up", turn, 0.65, small, warmup=11, peak=2e-5).trying("peak the largest")
    yield case("a small peak, on the way down", turn, 1.45, small, warmup=11, peak=2e-5)


warmup_cosine = Exercise(
    id="09.warmup_cosine",
    title="Warm-up and cosine decay",
    why="The learning rate of nearly every model trained today: up in a line, down along a cosine.",
    difficulty=1,
    minutes=10,
    core=False,
    criteria=(
        Criterion("warm-up", 0.5, "in a straight line up to the peak", tries=("the line starts", "returns")),
        Criterion("cosine", 0.5, "half a wave down", tries=("then floor",)),
        Criterion("floor", 0.5, "the wave ends at the floor"),
        Criterion("turning points", 0.5, "start, peak and end to the step, short warm-ups, large and small rates"),
    ),
    hints=(
        "Three stretches of steps: before `warmup`, between `warmup` and `total`, from `total` on.",
        "In the middle stretch, first work out the fraction of it that has passed: 0 at `warmup`, 1 at `total`.",
        "(1 + cos(pi · fraction)) / 2 falls from 1 to 0. Stretch it to reach from the peak down to the floor. Keep the "
        "fraction at 1 or below.",
    ),
    cases=_schedule_cases,
    run=reported_as("rate"),
    compare=Comparison(rules={"rate": _rate}),
)
