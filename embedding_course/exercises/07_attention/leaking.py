"""A test that the learner writes: does a model look ahead? Cases and comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case, Criterion, Exercise
from ...plain import Parts
from ...share import balanced

__all__ = ["leaks"]


class _Model(nn.Module):
    """A model whose every number comes from the case; sound and broken ones differ in their numbers alone.

    Two mixings over time, each given as a product of two full matrices, of x (normalised at each position, if so
    said) and of its squares; then a mixing of the columns. `gate` limits the second mixing to the rows of the batch
    whose first number is above it.
    """

    left: torch.Tensor
    right: torch.Tensor
    left2: torch.Tensor
    right2: torch.Tensor
    columns: torch.Tensor
    shift: torch.Tensor

    def __init__(self, numbers: Mapping[str, Any]) -> None:
        super().__init__()
        for name in ("left", "right", "left2", "right2", "columns", "shift"):
            self.register_parameter(name, nn.Parameter(numbers[name].clone()))
        self.squares, self.gate, self.normalise = numbers["squares"], numbers["gate"], numbers["normalise"]
        self.inner = nn.Sequential(nn.Dropout(numbers["dropout"]), nn.Identity())
        self.train(numbers["training"])
        self.inner.train(numbers["inner_training"])
        self.inner[1].train(numbers["last_training"])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        length = x.shape[1]
        h = F.layer_norm(x, x.shape[-1:]) if self.normalise else x
        first = (self.left @ self.right)[:length, :length] @ h
        second = (self.left2 @ self.right2)[:length, :length] @ (h**2 if self.squares else h)
        open_rows = (x[:, :1, :1] > self.gate).to(x.dtype)
        return (self.inner(first) + open_rows * second) @ self.columns + self.shift[:length]


def _run(candidate: Callable[..., Any], model: Mapping[str, Any], x: torch.Tensor, report_modes: bool = False) -> Any:
    """Build the model and ask; with `report_modes`, say only whether all its modes are as before."""
    built = _Model(model)
    before = [module.training for module in built.modules()]
    answer = candidate(built, x)
    if report_modes:
        return Parts({"modes": [module.training for module in built.modules()] == before})
    return answer


def _restored(_: Any, got: Any, __: Case) -> Fault | None:
    if got is True:
        return None
    return Fault("property", "the model, or a part of it, is afterwards in another mode (training or not) than before")


def _factors(draw: Draw, mixing: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Two full matrices whose product is `mixing`, up to rounding; whole numbers come out exactly."""
    size = len(mixing)
    if torch.equal(mixing, mixing.round()):
        order = torch.eye(size, dtype=torch.float64)[draw.distinct(size, size)]
        return mixing @ order.T, order
    turned, _ = torch.linalg.qr(draw.normal(size, size, dtype=torch.float64))
    return mixing @ turned.T, turned


def _past(draw: Draw, length: int) -> torch.Tensor:
    """A mixing in which each position reads itself and what came before."""
    own = 1 + draw.uniform(length, dtype=torch.float64)
    return torch.diag(own) + 0.5 * draw.normal(length, length, dtype=torch.float64).tril(-1)


def _at(length: int, *places: tuple[int, int], size: float = 1.0) -> torch.Tensor:
    """A mixing with entries at these (reader, source) places alone."""
    mixing = torch.zeros(length, length, dtype=torch.float64)
    for reader, source in places:
        mixing[reader, source] = size
    return mixing


def _cases(draw: Draw) -> Iterator[Case]:
    length, width, out = draw.choice(((5, 3, 7), (7, 5, 3), (5, 7, 3)))

    def case(
        name: str,
        criterion: str = "finds and clears",
        second: torch.Tensor | None = None,
        t: int = length,
        first: torch.Tensor | None = None,
        shape: tuple[int, int, int] | None = None,
        scale: float = 1.0,
        size: float = 1.0,
        gate: float = -1e30,
        open_row: int | None = None,
        last_size: float = 1.0,
        dtype: torch.dtype = torch.float32,
        because: str = "",
        **numbers: Any,
    ) -> Case:
        """`scale` is the size of the outputs, `size` that of the inputs, `open_row` the only row that passes the gate;
        the last position's inputs are `last_size` times as large."""
        b, _, d = shape or (3, t, width)
        left, right = _factors(draw, _past(draw, t) if first is None else first)
        left2, right2 = _factors(draw, torch.zeros(t, t, dtype=torch.float64) if second is None else second)
        columns, _ = torch.linalg.qr(draw.normal(max(d, out), max(d, out), dtype=torch.float64))
        model: dict[str, Any] = {
            "left": left, "right": right, "left2": left2, "right2": right2, "columns": scale * columns[:d, :out],
            "shift": scale * draw.normal(t, out, dtype=torch.float64) * size,
        }  # fmt: skip
        model = {key: value.to(dtype) for key, value in model.items()}
        model |= {"squares": False, "normalise": False, "gate": gate, "dropout": 0.0, "training": False}
        model |= {"inner_training": numbers.get("training", False), **numbers}
        model |= {"last_training": numbers.get("last_training", model["inner_training"])}
        x = draw.normal(b, t, d, dtype=dtype, scale=size)
        x[:, -1] *= last_size
        if open_row is not None:
            x[:, 0, 0] = -x[:, 0, 0].abs() - 0.1
            x[open_row, 0, 0] *= -1
        call = f"leaks(model, x) with x of shape {tuple(x.shape)}"
        options = {"report_modes": True} if criterion == "modes" else {}
        return Case(name, {"model": model, "x": x}, criterion, options, call, because)

    every = draw.normal(length, length, dtype=torch.float64).triu(1) * 0.5
    mean = torch.full((length, length), 1.0 / length, dtype=torch.float64)
    last = length - 1

    sound = "No output depends on a later position."
    broken = "An output depends on a later position."
    yield case("only the past", because=sound)
    yield case("everything", second=every, because=broken)
    yield case("each position for itself", first=torch.eye(length, dtype=torch.float64), because=sound)
    yield case("the mean over all positions", second=mean, because=broken)
    following = torch.diag(0.7 * torch.ones(last, dtype=torch.float64), 1)
    yield case("itself and the next position", first=torch.eye(length, dtype=torch.float64), second=following, because=broken)
    yield case("running sums", first=torch.ones(length, length, dtype=torch.float64).tril(), because=sound)
    yield case("the first reads the second", second=_at(length, (0, 1)), because=broken)
    yield case("the first reads the last", second=_at(length, (0, last)), because=broken)
    yield case("the last but one reads the last", second=_at(length, (last - 1, last)), because=broken)
    yield case("the second reads the third", second=_at(length, (1, 2)), because=broken)
    yield case("a leak in the middle", second=_at(length, (2, 3)), because=broken)
    yield case("a leak in the last row of the batch", second=every, gate=0.0, open_row=2, because=broken)
    yield case("a leak in the first row of the batch", second=every, gate=0.0, open_row=0, because=broken)
    yield case("a small leak in one row of many", second=_at(length, (last - 1, last), size=0.6), gate=0.0, open_row=7,
               shape=(61, length, width), because=broken)  # fmt: skip
    yield case("only the past, some rows otherwise", second=_past(draw, length), gate=0.0, open_row=1, because=sound)
    yield case("a leak of a twentieth", second=every.sign() * 0.06, because=broken)
    yield case("a weak leak in one row of very many", second=_at(length, (last - 1, last), size=0.2), gate=0.0, open_row=7,
               shape=(211, length, width), because=broken)  # fmt: skip
    lonely = torch.zeros(width, out, dtype=torch.float64)
    lonely[-1, -1] = 1.0
    yield case("one column alone, a leak", second=every, columns=lonely.float(), because=broken)
    yield case("outputs that only fall, a leak", t=2, first=torch.eye(2, dtype=torch.float64), second=_at(2, (0, 1)),
               squares=True, columns=torch.full((width, out), -1.0), last_size=0.25, because=broken)  # fmt: skip
    tiny = "What moves less than a thousandth of the largest output is rounding, and no leak."
    yield case("a few millionths", second=every.sign() * 2e-6, because=tiny)
    yield case("a few hundred-thousandths", second=every.sign() * 2e-5, because=tiny)
    yield case("a few hundred-thousandths, small inputs", second=every.sign() * 2e-5, size=1e-3, because=tiny)
    yield case(
        "a few hundred-thousandths, many sentences", second=every.sign() * 2e-5, shape=(211, length, width), because=tiny
    )
    yield case("small outputs, a leak", second=every, scale=3e-5, because=broken)
    yield case("large outputs, only the past", scale=1e4, because=tiny)
    yield case("large inputs, a leak", second=every.sign() * 0.3, size=1e3, because=broken)
    yield case("large inputs, only the past", size=1e3, because=sound)
    yield case("a leak of squares", second=every, squares=True, because=broken)
    yield case("squares of the past", second=_past(draw, length), squares=True, because=sound)
    yield case("normalised positions, a leak", second=every, normalise=True, because=broken)
    yield case("normalised positions, only the past", normalise=True, because=sound)
    dropout = "Dropout changes outputs at random; that is no leak."
    yield case("dropout, only the past", dropout=0.5, training=True, because=dropout)
    yield case("dropout, a leak", second=every, dropout=0.5, training=True, because=broken)
    yield case("dropout in a part that trains while the whole does not", dropout=0.5, because=dropout,
               inner_training=True)  # fmt: skip
    yield case("float64, a leak", second=every, dtype=torch.float64, because=broken)
    yield case("float64, only the past", dtype=torch.float64, because=sound)
    yield case("one sentence, a leak", second=every, shape=(1, length, width), because=broken)
    yield case("as many sentences as positions and columns", t=3, shape=(3, 3, 3), because=sound)
    yield case("as many sentences as positions and columns, a leak", t=3, second=_at(3, (0, 2), (1, 2)), shape=(3, 3, 3),
               because=broken)  # fmt: skip
    yield case("fewer columns than positions, a leak at the end", second=_at(length, (last - 1, last)), shape=(3, length, 2),
               because=broken)  # fmt: skip
    reader = draw.integer(17, 38)
    yield case("many positions, one leak", t=41, second=_at(41, (reader, reader + 1)), shape=(2, 41, width), because=broken)
    yield case("two positions, a leak", t=2, second=_at(2, (0, 1)), because=broken)
    yield case("a single position", t=1, because="There is no later position.")

    restored = "The model and each of its parts are afterwards in the mode that they were in before."
    yield case("modes: in training", "modes", training=True, because=restored)
    yield case("modes: in evaluation", "modes", because=restored)
    yield case("modes: a frozen part", "modes", training=True, because=restored, inner_training=False)
    yield case("modes: a part in training", "modes", because=restored, inner_training=True)
    yield case("modes: a frozen part of a part", "modes", training=True, because=restored, last_training=False)
    yield case("modes: in training, a leak", "modes", second=every, training=True, because=restored)
    yield case("modes: a single position", "modes", t=1, training=True, because=restored)


leaks = Exercise(
    id="07.leaks",
    title="Does it look ahead?",
    why="A leak makes training look wonderful and the model useless. A test that changes the future and watches the past "
    "finds it in any model.",
    difficulty=3,
    minutes=15,
    criteria=(
        Criterion("finds and clears", 2, "broken models are found and sound ones cleared", balanced),
        Criterion("modes", 1, "the modes of the model and of its parts are as before"),
    ),
    hints=(
        "Change what comes after position t and call the model again: which outputs must not move?",
        "One place t is not enough: some models leak only at the first position, some only at the last, some in one row of "
        "the batch only. Take the largest movement, not the mean.",
        "What counts as movement? More than a thousandth of the largest output: exact equality would blame rounding, a fixed "
        "number would miss small outputs. And noise must be as large as the input is.",
        "Dropout has to be off while you measure. Note the mode of each module in model.modules(), call eval(), and put each "
        "one back at the end, also when you return early.",
    ),
    cases=_cases,
    core=False,
    run=_run,
    compare=Same(rules={"modes": _restored}),
)
