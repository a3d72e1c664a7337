"""A learned scale: cases and comparison."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs
from ...checking.gradient_rules import NO_GRAPH
from ...messages import Message

_STEPS = 5
_MOVE = 0.05
_FLOATING = Comparison(dtype="floating")


def _run_scale(
    candidate: type[torch.nn.Module], build: Mapping[str, Any], log: float | None = None, train: bool = False
) -> NamedParts:
    """Construct the module, set its learned number to `log` if one is given, and report the scale and the number's gradient.

    The gradient is None if no graph leads to the number. With `train`, also report both after five steps of SGD that lower the
    scale. The learning rate is such that each step moves the number by 0.05, whatever the size of the gradient.
    """
    model = candidate(*build.get("by_position", ()), **build.get("by_name", {})).eval()
    learned = _learned(model)
    parts = NamedParts({"learned numbers": sum(parameter.numel() for parameter in learned)})
    if parts["learned numbers"] != 1:
        return parts
    (number,) = learned
    if log is not None:
        number.data.fill_(log)
    candidate(*build.get("by_position", ()), **build.get("by_name", {}))  # another one shares nothing with the first
    parts["scale"] = model()
    parts["number that an optimizer has, and the module's"] = [tensor.detach().clone() for tensor in (number, *_learned(model))]
    parts["gradient of the log"] = _gradient_of(parts["scale"], number)
    parts["scale, asked again"] = model()
    if train:
        for _ in range(_STEPS):
            _step_down(model(), number)
        parts["scale after training"], parts["log after training"] = model(), number.reshape(())
    return parts


def _learned(model: torch.nn.Module) -> list[torch.nn.Parameter]:
    return [parameter for parameter in model.parameters() if parameter.requires_grad]


def _gradient_of(scale: Any, number: torch.nn.Parameter) -> torch.Tensor | None:
    number.grad = None
    if isinstance(scale, torch.Tensor) and scale.requires_grad:
        scale.sum().backward()
    return None if number.grad is None else number.grad.reshape(())


def _step_down(scale: Any, number: torch.nn.Parameter) -> None:
    """Move the number by one step of SGD; without a gradient, or if it is 0, the number stays."""
    gradient = _gradient_of(scale, number)
    size = 0.0 if gradient is None else float(gradient.abs())
    if gradient is not None and size > 1e-3 and math.isfinite(size):
        number.data.sub_(gradient.reshape(number.shape), alpha=_MOVE / size)


def _one(_: Any, got: Any, __: Case) -> Mismatch | None:
    said = Message("`parameters()` holds {count} learned numbers; there should be one.", count=got)
    return None if got == 1 else Mismatch("property", said)


def _scale(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    """Compare the scales; the answer's may exceed the maximum by at most 1e-5 of it."""
    fault = _FLOATING.leaf(expected, got, Message("the scale"))
    if fault is None and float(got) > _top(case) * (1 + 1e-5):
        said = Message("The scale is above its maximum: {received}, not {expected}.", received=float(got), expected=_top(case))
        return Mismatch("values", said, Message("The scale is above its maximum."))
    return fault


def _same_number(_: Any, got: Any, __: Case) -> Mismatch | None:
    """Compare the parameter that the optimizer was given with the one that the module has: they must be equal."""
    message = Message("After `forward()` the module holds another number than the one that an optimizer was given.")
    values = [float(tensor.sum()) for tensor in got]
    return None if len(values) == 2 and values[0] == values[1] else Mismatch("property", message)


def _gradient(expected: Any, got: Any, case: Case) -> Mismatch | None:
    if got is None:
        return Mismatch("property", NO_GRAPH.fill(part=Message("the scale")))
    at_the_maximum = case.args["log"] is not None and case.args["log"] >= math.log(_top(case))
    limit = math.inf if at_the_maximum else None  # there its size is free
    return _FLOATING.leaf(expected, got, Message("the gradient of the log"), limit)


def _top(case: Case) -> float:
    by_position, by_name = case.args["build"]["by_position"], case.args["build"]["by_name"]
    return by_position[1] if len(by_position) > 1 else by_name.get("maximum", 100.0)


def _came_down(expected: Any, got: Any, case: Case) -> Mismatch | None:
    """Return a mismatch unless five steps of at most 0.05 lowered the scale by a little."""
    fault = _FLOATING.leaf(expected, got, Message("the scale after training"), math.inf)
    if fault:
        return fault
    top, value = _top(case), float(got)
    if value > 0.97 * top and case.args["log"] <= math.log(top) + 0.2:  # from further above the steps may not suffice
        said = Message("The scale does not come back below its maximum: it is {value} of at most {top}.")
        hidden = Message("The scale does not come back below its maximum.")
        return Mismatch("property", said.fill(value=f"{value:.5g}", top=top), hidden)
    if not math.exp(-_STEPS * _MOVE - 0.01) * top < value < 1.00001 * top:
        said = Message("Five small steps lead to the scale {value}, with a maximum of {top}.", value=f"{value:.5g}", top=top)
        return Mismatch("property", said, Message("Five small steps lead to another scale."))
    return None


def _number_came_down(expected: Any, got: Any, case: Case) -> Mismatch | None:
    fault = _FLOATING.leaf(expected, got, Message("the learned number"), math.inf)
    if fault:
        return fault
    value, start = float(got), case.args["log"]
    if value < start - 0.15:
        return None
    said = Message("The learned number does not come down: {start} at the start, {value} now.")
    hidden = Message("The learned number does not come down.")
    return Mismatch("property", said.fill(start=f"{start:.4g}", value=f"{value:.4g}"), hidden)


def _scale_cases(draw: RandomInputs) -> Iterator[Case]:
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
        call = f"LogitScale({made})"
        call += f" with its number set to {log:.5g}" if log is not None else ""
        call += f", then {_STEPS} steps of SGD that lower the scale" if train else " and forward()"
        build = {"by_position": list(positional), "by_name": named}
        args = {"build": build, "log": log, "train": train}
        return Case(name, args, criterion, call=call, because=because)

    def some(low: float, high: float) -> float:
        return round(float(draw.uniform(1, low=low, high=high)), 2)

    start = "Before any training the scale is init."
    yield case("as it is made", "exp of a log", start).trying("init")
    yield case("init given by position", "exp of a log", start, positional=(some(3, 9),)).trying("init")
    yield case("init given by name", "exp of a log", start, init=some(20, 40)).trying("init")
    yield case("both given by position", "exp of a log", start, positional=(some(3, 9), some(12, 20))).trying("init")
    power = "The learned number is the logarithm of the scale."
    yield case("the log is set", "exp of a log", power, some(0.5, 1.5)).trying("and a step")
    yield case("the log is set, another init", "exp of a log", power, some(2.5, 3.5), init=some(20, 40)).trying("and a step")
    yield case("docstring example", "exp of a log", start, init=20.0).trying("init")

    top, over = some(20, 60), some(0.1, 0.4)
    never = "The scale stays at its maximum, however large the learned number."
    yield case("a little above the maximum", "maximum", never, math.log(100) + over)
    yield case("far above the maximum", "maximum", never, 6.0 + over)
    yield case("above another maximum", "maximum", never, math.log(top) + over, init=5.0, maximum=top)
    yield case("above a maximum given by position", "maximum", never, math.log(top) + over, positional=(some(3, 9), top))
    yield case("below a larger maximum", "maximum", "", math.log(150.0) + over, init=5.0, maximum=300.0)

    back = "At the maximum a gradient must still arrive, or the scale is stuck there for good."
    yield case("a step above the maximum, then training", "way back", back, math.log(100) + 0.1, True)
    yield case("above another maximum, then training", "way back", back, math.log(top) + 0.1, True, init=5.0, maximum=top)
    yield case("exactly at the maximum, then training", "way back", back, math.log(100), True)
    yield case("further above the maximum, then training", "way back", back, math.log(100) + 0.4, True)

    negative = "The logarithm may be negative."
    yield case("the log is set to 0", "any log", power, 0.0).trying("The module", "and a step", "forward()", "The scale: a 0-d")
    yield case("the log is set close to the maximum", "any log", power, math.log(100) - 0.05).trying(
        "The module", "and a step", "forward()", "The scale: a 0-d")
    yield case("a scale below 1", "any log", negative, -some(0.5, 1.5)).trying("so the scale")
    yield case("a scale far below 1", "any log", negative, -6.0).trying("so the scale")
    yield case("init below 1", "any log", negative, init=some(0.1, 0.9)).trying("so the scale", "init")
    yield case("a maximum below 1", "any log", never, 1.0 + over, init=0.1, maximum=0.5).trying(
        "The scale is never", "maximum what the scale")


_RULES = {
    "learned numbers": _one, "scale": _scale, "scale, asked again": _scale,
    "number that an optimizer has, and the module's": _same_number,
    "gradient of the log": _gradient, "scale after training": _came_down, "log after training": _number_came_down,
}


LogitScale = Exercise(
    id="09.LogitScale",
    title="A learned scale",
    why="The sharpness of the softmax is learned too. Without a limit the scale grows too large. With a clamp in the graph "
        "it can never leave its limit.",
    difficulty=3,
    minutes=24,
    criteria=(
        Criterion("exp of a log", 1.5, "one learned number, whose exp is the scale, starting at init",
                  tries=("The module", "forward()", "The scale: a 0-d")),
        Criterion("maximum", 1.5, "never above maximum",
                  tries=("The scale is never", "When the learned", "maximum what the scale", "The scale: a 0-d")),
        Criterion("way back", 2, "a scale that was pushed past its maximum can come down again",
                  tries=("and a step", "The scale is never", "When the learned")),
        Criterion("any log", 1, "scales below 1, and close to the maximum"),
    ),
    hints=(
        "An `nn.Parameter` with one number. What must it hold at the start, so that its exp is init?",
        "`clamp(max=...)` has the gradient 0 above the limit. What does an optimizer do with a parameter whose gradient is 0?",
        "One way: put the parameter itself back, under `torch.no_grad()`, before you take exp. Another way: use the clamped "
        "value forwards and the gradient of the unclamped one backwards. The limit of the logarithm is log(maximum).",
    ),
    cases=_scale_cases,
    of_driver=("build", "log", "train"),
    sizes=("init", "maximum"),
    run=_run_scale,
    by_products=("learned numbers",),
    compare=Comparison(rules=_RULES),
)
