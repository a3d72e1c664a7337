"""Numeric gradients: the function is built where the learner's code runs."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, strided
from ...messages import Message

_FORMULA = "f(x) = (cubic * x**3 + square * x**2).sum() + (linear * x).sum()**2"


def _function(f: Mapping[str, Any], shape: torch.Size) -> Callable[[torch.Tensor], torch.Tensor | float]:
    """Return a function in which every entry's slope depends on the other entries, so that an entry left displaced shows."""
    cubic, square, linear = f["cubic"], f["square"], f["linear"]

    def function(x: torch.Tensor) -> torch.Tensor | float:
        if not isinstance(x, torch.Tensor):
            raise TypeError(f"f takes a tensor of the shape of x; it was called with an argument of type {type(x).__name__}")
        if x.shape != shape:
            raise ValueError(f"f was called with a tensor of shape {tuple(x.shape)}; x has shape {tuple(shape)}")
        value = (cubic * x**3 + square * x**2).sum() + (linear * x).sum() ** 2
        return value.item() if f["returns"] == "float" else value

    return function


def _run(candidate: Callable[..., Any], f: Mapping[str, Any], x: torch.Tensor, *args: Any, **options: Any) -> NamedParts:
    result = candidate(_function(f, x.shape), x, *args, **options)
    return NamedParts({"gradient": result, "x afterwards": x})


def _slopes(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    """Compare slopes: in float64 within 1e-6 of the largest one, in float32 by shape and dtype alone.

    Differences of float32 numbers are mostly rounding.
    """
    limit = float("inf")
    if expected.dtype == torch.float64 and expected.numel():
        limit = 1e-6 * float(expected.abs().max())
    return Comparison().leaf(expected, got, Message("the gradient"), limit)


def _restored(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    before = case.args["x"]
    limit = 1e-12 if before.dtype == torch.float64 else 1e-2
    fault = Comparison().leaf(before, got, Message("x after the call"), limit)
    if fault is None:
        return None
    hidden = Message("The argument x is not what it was before the call; it belongs to the caller.")
    return Mismatch("property", Message("{change} {fault}", change=hidden, fault=fault.message), hidden)


def _numeric_grad_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, x: torch.Tensor, criterion: str, returns: str = "tensor", because: str = "", **more: Any) -> Case:
        signs = torch.tensor([draw.choice((-1.0, 1.0)) for _ in range(x.numel())], dtype=x.dtype).reshape(x.shape)
        f = {
            "cubic": signs * draw.uniform(*x.shape, low=0.5, high=1.5, dtype=x.dtype),
            "square": draw.uniform(*x.shape, low=-0.5, high=0.5, dtype=x.dtype),
            "linear": draw.uniform(*x.shape, low=0.5, high=1.5, dtype=x.dtype),
            "returns": returns,
        }
        position = more.pop("by_position", ())
        given = "".join(f", {value}" for value in position) + "".join(f", {name}={value}" for name, value in more.items())
        call = f"numeric_grad(f, x{given}) with {_FORMULA}, x of shape {tuple(x.shape)}"
        args = {"f": f, "x": x, **dict(zip(("eps",), position, strict=False))}
        return Case(name, args, criterion, options=more, call=call, because=because)

    def point(*shape: int) -> torch.Tensor:
        """Return numbers from 0.5 to 2 of either sign, at which f has a curvature."""
        size = draw.uniform(*shape, low=0.5, high=2.0, dtype=torch.float64)
        return torch.where(draw.uniform(*shape) < 0.5, -size, size)

    rows, columns = draw.sizes(2)
    yield case("a vector", point(columns), "central", because="f takes a float64 tensor and returns a tensor.").trying(
        "Its error shrinks", "and returns", "after the call")
    yield case("a large step", point(rows), "central", eps=0.5,
               because="With a step of 0.5 the central difference is not quite the slope.").trying(
        "Its error shrinks", "eps the step")
    yield case("a step given by position", point(rows), "central", by_position=(0.25,)).trying("eps the step")
    x, ones = torch.tensor([1.0, -3.0], dtype=torch.float64), torch.ones(2, dtype=torch.float64)
    f = {"cubic": 0 * ones, "square": ones, "linear": 0 * ones, "returns": "tensor"}
    call = "numeric_grad(lambda x: (x**2).sum(), torch.tensor([1.0, -3.0], dtype=torch.float64))"
    yield Case("docstring example", {"f": f, "x": x}, "central", call=call)

    yield case("a matrix", point(rows, columns), "any shape").trying(
        "Entry i of the result", "takes a tensor", "after the call")
    yield case("a square matrix", point(3, 3), "any shape").trying("returns tensor")
    yield case("a vector of one entry", point(1), "any shape")
    yield case("three axes", point(2, 3, 5), "any shape").trying("takes a tensor")
    yield case("a single number, shape ()", point().reshape(()), "any shape").trying("takes a tensor", "returns tensor")
    yield case("no entries", point(0), "any shape").trying("returns tensor")
    yield case("rows without entries", point(rows, 0), "any shape").trying("takes a tensor")
    yield case("float32", point(rows, columns).float(), "any shape", because="float32 in, float32 out.").trying(
        "returns tensor")
    yield case("a matrix with gaps in memory", strided(point(rows, columns)), "any shape",
               because="For such a tensor `reshape(-1)` makes a copy.").trying("after the call")

    yield case("a transposed matrix", point(columns, rows).T, "any shape",
               because="Its numbers are in one block of memory, in another order.")

    yield case("f returns a Python float", point(rows), "floats", returns="float").trying("and returns")
    yield case("f of a matrix returns a Python float", point(rows, columns), "floats", returns="float").trying("and returns")
    yield case("large entries", 5 * point(columns, rows), "floats", returns="float").trying("Entry i of the result")


numeric_grad = Exercise(
    id="02.numeric_grad",
    title="A gradient by measurement",
    why="With a measured gradient you can test every gradient that you derive.",
    difficulty=2,
    minutes=16,
    core=False,
    criteria=(
        Criterion("central", 1, "central differences with the step eps, and x is left as it was",
                  tries=("Entry i of the result",)),
        Criterion("any shape", 1, "x of any shape, memory layout and floating type", tries=("floating tensor",)),
        Criterion("floats", 1, "f may return a tensor or a Python float"),
    ),
    hints=(
        "Take one entry at a time: f a little above it minus f a little below it, divided by the distance.",
        "The two points are 2 * eps apart. Move only one entry when you call f.",
        "f takes a tensor of the shape of x. Check which of your tensors share memory with x, and which are copies.",
        "Clone x, move one entry of the clone and call f. An index may be a tuple, as `numpy.ndindex` yields.",
    ),
    cases=_numeric_grad_cases,
    run=_run,
    compare=Comparison(rules={"gradient": _slopes, "x afterwards": _restored}),
    changes=("x",),
)
