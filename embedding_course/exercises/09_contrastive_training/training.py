"""A learned scale and a schedule: cases and comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...gradient_rules import has_graph
from ...plain import Parts

__all__ = ["LogitScale", "warmup_cosine"]

_STEPS = 5
_MOVE = 0.05
_FLOATING = Same(dtype="floating")


def _run_scale(
    candidate: type[torch.nn.Module], build: Mapping[str, Any], log: float | None = None, train: bool = False
) -> Parts:
    """Construct; set the learned number to `log` if one is given; report the scale and its gradient.

    With `train`, report instead where the number stands after five steps of SGD that lower the scale: the learning
    rate is such that each step moves it by 0.05, whatever the size of the gradient.
    """
    model = candidate(*build.get("by_position", ()), **build.get("by_name", {})).eval()
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    parts = Parts({"learned numbers": sum(parameter.numel() for parameter in learned)})
    if parts["learned numbers"] != 1:
        return parts
    (number,) = learned
    if log is not None:
        number.data.fill_(log)
    candidate(*build.get("by_position", ()), **build.get("by_name", {}))  # another one shares nothing with the first
    if train:
        for _ in range(_STEPS):
            number.grad = None
            _step_down(model(), number)
        after = model()
        return Parts({**parts, "scale after training": after, "log after training": number.reshape(())})
    scale = model()
    parts["scale"] = scale
    parts["graph"] = isinstance(scale, torch.Tensor) and scale.requires_grad
    if log is None or not parts["graph"] or scale.ndim:
        return parts
    scale.backward()
    parts["scale, asked again"] = model()
    return Parts({**parts, "gradient of the log": None if number.grad is None else number.grad.reshape(())})


def _step_down(scale: Any, number: torch.Tensor) -> None:
    """A step of SGD; without a gradient, or where it is 0, nothing moves."""
    if not (isinstance(scale, torch.Tensor) and scale.requires_grad):
        return
    scale.sum().backward()
    size = 0.0 if number.grad is None else float(number.grad.abs().sum())
    if number.grad is not None and size > 1e-3 and math.isfinite(size):
        number.data.sub_(number.grad, alpha=_MOVE / size)


def _one(_: Any, got: Any, __: Case) -> Fault | None:
    return None if got == 1 else Fault("property", f"parameters() holds {got} learned numbers; there should be one")


def _scale(expected: torch.Tensor, got: Any, case: Case) -> Fault | None:
    """As expected; where the limit binds, never above it by more than 1e-5 of it."""
    fault = _FLOATING.leaf(expected, got, "the scale")
    top = case.args["build"].get("by_name", {}).get("maximum", 100.0)
    if fault is None and float(got) > top * (1 + 1e-5):
        return Fault("values", "the scale is above its maximum", f": {float(got)}, not {top}")
    return fault


def _gradient(expected: Any, got: Any, case: Case) -> Fault | None:
    if got is None:
        return Fault("property", "no gradient reaches the learned number")
    limit = None if case.criterion == "exp of a log" else math.inf  # at the maximum its size is free
    return _FLOATING.leaf(expected, got, "the gradient of the log", limit)


def _came_down(expected: Any, got: Any, case: Case) -> Fault | None:
    """Started a little above, the scale is below its maximum; started far above, at least the number comes down."""
    fault = _FLOATING.leaf(expected, got, "the scale after training", math.inf)
    if fault:
        return fault
    top, value = case.args["build"].get("by_name", {}).get("maximum", 100.0), float(got)
    if case.args["log"] > math.log(top) + 0.2 or value < 0.97 * top:
        return None
    return Fault("property", "the scale does not come back below its maximum", f": it is {value:.5g} of at most {top}")


def _number_came_down(expected: Any, got: Any, case: Case) -> Fault | None:
    fault = _FLOATING.leaf(expected, got, "the learned number", math.inf)
    if fault:
        return fault
    value, start = float(got), case.args["log"]
    if value < start - 0.15:
        return None
    return Fault("property", "the learned number does not come down", f": it started at {start:.4g} and is {value:.4g}")


def _scale_cases(draw: Draw) -> Iterator[Case]:
    def case(
        name: str,
        criterion: str,
        because: str = "",
        log: float | None = None,
        train: bool = False,
        positional: Sequence[float] = (),
        **named: float,
    ) -> Case:
        made = ", ".join([*(f"{value:.6g}" for value in positional), *(f"{k}={v:.6g}" for k, v in named.items())])
        told = f"LogitScale({made})"
        told += f" with its number set to {log:.5g}" if log is not None else ""
        told += f", then {_STEPS} steps of SGD that lower the scale" if train else " and forward()"
        build = {"by_position": list(positional), "by_name": named}
        args = {"build": build, "log": log, "train": train}
        return Case(name, args, criterion, call=told, because=because)

    def some(low: float, high: float) -> float:
        return round(float(draw.uniform(1, low=low, high=high)), 2)

    start = "Before any training the scale is init."
    yield case("as it is made", "exp of a log", start)
    yield case("init given by position", "exp of a log", start, positional=(some(3, 9),))
    yield case("init given by name", "exp of a log", start, init=some(20, 40))
    yield case("both given by position", "exp of a log", start, positional=(some(3, 9), some(12, 20)))
    power = "The learned number is the logarithm of the scale."
    yield case("the log is set", "exp of a log", power, log=some(0.5, 1.5))
    yield case("the log is set close to the maximum", "exp of a log", power, log=math.log(100) - 0.05)
    yield case("the log is set to 0", "exp of a log", power, log=0.0)
    yield case("a scale far below 1", "exp of a log", "The logarithm may be negative.", log=-6.0)
    yield case("a scale below 1", "exp of a log", "The logarithm may be negative.", log=-some(0.5, 1.5))

    top, over = some(20, 60), some(0.1, 0.4)
    never = "The scale stays at its maximum, however large the learned number."
    yield case("a little above the maximum", "maximum", never, log=math.log(100) + over)
    yield case("far above the maximum", "maximum", never, log=6.0 + over)
    yield case("above another maximum", "maximum", never, log=math.log(top) + over, init=5.0, maximum=top)
    yield case("below a larger maximum", "maximum", log=math.log(150.0) + over, init=5.0, maximum=300.0)
    yield case("a maximum below 1", "maximum", never, log=1.0 + over, init=0.1, maximum=0.5)

    back = "At the maximum a gradient must still arrive, or the scale is stuck there for good."
    yield case("a step above the maximum, then training", "way back", back, math.log(100) + 0.1, True)
    yield case("above another maximum, then training", "way back", back, math.log(top) + 0.1, True, init=5.0, maximum=top)
    yield case("further above the maximum, then training", "way back", back, math.log(100) + 0.4, True)


_RULES = {
    "learned numbers": _one, "scale": _scale, "scale, asked again": _scale, "graph": has_graph("scale"),
    "gradient of the log": _gradient, "scale after training": _came_down, "log after training": _number_came_down,
}  # fmt: skip

LogitScale = Exercise(
    id="09.LogitScale",
    title="A learned scale",
    why="How sharply the softmax tells neighbours apart is learned too. Left alone the scale runs away; clamped "
    "carelessly it sticks at its limit for ever.",
    difficulty=3,
    minutes=14,
    criteria=(
        Criterion("exp of a log", 1, "one learned number, whose exp is the scale, starting at init"),
        Criterion("maximum", 1, "never above maximum"),
        Criterion("way back", 2, "a scale that was pushed past its maximum can come down again"),
    ),
    hints=(
        "An `nn.Parameter` with one number. What must it hold at the start, so that its exp is init?",
        "`clamp(max=...)` has the gradient 0 above the limit. What does an optimizer do with a parameter whose gradient is 0?",
        "Either the parameter itself is put back, outside of autograd, before exp is taken; or the clamped value is "
        "used forwards and the gradient of the unclamped one backwards. The limit of the logarithm is log(maximum).",
    ),
    cases=_scale_cases,
    run=_run_scale,
    compare=Same(rules=_RULES),
)


def _rate(expected: Any, got: Any, case: Case) -> Fault | None:
    return Same().leaf(expected, got, "the rate", 1e-4 * abs(expected) + 1e-6 * case.args["peak"])


def _run_rate(candidate: Callable[..., Any], *args: Any, **options: Any) -> Parts:
    return Parts({"rate": candidate(*args, **options)})


def _schedule_cases(draw: Draw) -> Iterator[Case]:
    warmup = draw.choice((7, 11, 13))
    total = warmup + draw.choice((40, 60, 100))
    peak = draw.choice((0.003, 0.02, 0.5))

    def case(name: str, step: int, criterion: str, because: str = "", peak: float = peak, **options: Any) -> Case:
        args = {"step": step, "warmup": options.pop("warmup", warmup), "total": options.pop("total", total),
                "peak": peak, **options.pop("by_position", {})}  # fmt: skip
        return Case(name, args, criterion, options, because=because)

    up = "The warm-up is a straight line from 0 at step 0 to the peak at step `warmup`."
    yield case("half of the warm-up", 4, "warm-up", up, warmup=8)
    yield case("the first step", 0, "warm-up", up)
    yield case("the second step", 1, "warm-up", up)
    yield case("the last step of the warm-up", warmup - 1, "warm-up", up)
    yield case("the peak", warmup, "warm-up", up)
    yield case("a warm-up of one step, its end", 1, "warm-up", up, warmup=1)
    yield case("a small peak, in the warm-up", 7, "warm-up", "A rate is not rounded.", 2e-5, warmup=11, total=71)

    rest = total - warmup
    down = "Half a wave of the cosine, stretched over the steps between `warmup` and `total`."
    yield case("a quarter of the way down", warmup + rest // 4, "cosine", down)
    yield case("half of the way down", warmup + rest // 2, "cosine", down)
    yield case("most of the way down", warmup + rest * 4 // 5, "cosine", down)
    yield case("one step after the peak", warmup + 1, "cosine", down)
    yield case("a long warm-up, then down", 2 * rest + rest // 4, "cosine", down, warmup=2 * rest, total=3 * rest)
    yield case("the end", total, "cosine", "At `total` the wave has reached its bottom.")
    yield case("one step past the end", total + 1, "cosine", "From `total` on the rate stays where it is.")
    yield case("far past the end", 2 * total - warmup, "cosine", "From `total` on the rate stays where it is.")
    yield case("a large peak", warmup + rest // 3, "cosine", peak=1e4)
    yield case("a small peak, on the way down", 37, "cosine", "A rate is not rounded.", 2e-5, warmup=11, total=71)

    floor = round(peak / draw.choice((4, 5, 8)), 6)
    above = "The warm-up starts from 0; the wave runs from the peak down to the floor."
    yield case("a floor, early in the warm-up", 1, "floor", above, floor=round(0.6 * peak, 6))
    yield case("a floor, in the warm-up", warmup // 2, "floor", above, floor=floor)
    yield case("a floor, the peak", warmup, "floor", above, floor=floor)
    yield case("a floor, a quarter of the way down", warmup + rest // 4, "floor", above, floor=floor)
    yield case("a floor, most of the way down", warmup + rest * 4 // 5, "floor", above, floor=floor)
    yield case("a floor, the end", total, "floor", above, floor=floor)
    yield case("a floor, far past the end", 3 * total, "floor", above, floor=floor)
    yield case("a floor given by position", warmup + rest // 2, "floor", by_position={"floor": floor})


warmup_cosine = Exercise(
    id="09.warmup_cosine",
    title="Warm-up and cosine decay",
    why="The learning rate of nearly every model trained today: up in a line, down along a cosine.",
    difficulty=1,
    minutes=8,
    core=False,
    criteria=(
        Criterion("warm-up", 1, "from 0 in a straight line to the peak"),
        Criterion("cosine", 0.5, "half a wave down, and then no further"),
        Criterion("floor", 0.5, "the wave ends at the floor"),
    ),
    hints=(
        "Three stretches of steps: before `warmup`, between `warmup` and `total`, from `total` on.",
        "In the middle stretch, first work out the share of it that has passed: 0 at `warmup`, 1 at `total`.",
        "(1 + cos) / 2 of pi times that share falls from 1 to 0. Stretch it to reach from the peak down to the floor, "
        "and never let the share exceed 1.",
    ),
    cases=_schedule_cases,
    run=_run_rate,
    compare=Same(rules={"rate": _rate}),
)
