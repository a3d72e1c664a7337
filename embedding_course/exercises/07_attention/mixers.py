"""Models to be tested for looking ahead: one family, whose sound and broken members differ in numbers alone.

Every member has the same parameters. What a position reads of which other stands in no one of them: a mixing over time is a
sum of two products of full matrices, and what one product takes from later positions the other may take away again. Dropout, a
gate, squares, normalised positions, types and sizes are given to sound and to broken members alike.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from ...checking.exercise import RandomInputs

_OPEN = -1e30


class Mixer(nn.Module):
    """A model (B, T, d) -> (B, T, out) whose every number comes from `mixer`.

    Two mixings over time, of x (normalised at each position, if so said) and of x again or its squares; then a mixing of the
    columns. `gate` limits the second mixing to the rows of the batch whose first number is above it.
    """

    columns: torch.Tensor
    shift: torch.Tensor
    left: torch.Tensor
    right: torch.Tensor
    left2: torch.Tensor
    right2: torch.Tensor

    def __init__(self, numbers: Mapping[str, Any]) -> None:
        super().__init__()
        for name in ("columns", "shift", "left", "right", "left2", "right2"):
            self.register_parameter(name, nn.Parameter(numbers[name].clone()))
        self.squares, self.gate, self.normalise = numbers["squares"], numbers["gate"], numbers["normalise"]
        self.inner = nn.Sequential(nn.Dropout(numbers["dropout"]), nn.Identity())
        for module, training in zip((self, self.inner, self.inner[1]), numbers["modes"], strict=True):
            module.train(training)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the mixed sequence (B, T, out) of x (B, T, d)."""
        length = x.shape[1]
        h = F.layer_norm(x, x.shape[-1:]) if self.normalise else x
        first = _mixing(self.left, self.right, x) @ h
        second = _mixing(self.left2, self.right2, x) @ (h**2 if self.squares else h)
        open_rows = (x[:, :1, :1] > self.gate).to(x.dtype)
        return self.inner(first + open_rows * second) @ self.columns + self.shift[:length]


def _mixing(left: torch.Tensor, right: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """Return the mixing matrix, summed in float64 and then converted to the dtype of x.

    What remains of terms that cancel is then too small for that dtype.
    """
    return (left @ right).sum(dim=0)[: x.shape[1], : x.shape[1]].to(x.dtype)


@dataclass(frozen=True)
class Dress:
    """What sound and broken members may both be like.

    scale      the size of the outputs; `size` that of the inputs; the last position's inputs are `last_size` times as large
    length     of the sentences, else a drawn one; `rows` and `width` of x likewise
    open_row   the only row of the batch in which the second mixing acts; None: it acts in all
    columns    "turned" at random, "one" alone, or all "negative"
    modes      of the model, of its inner part, of that part's last part: training or not; None: drawn
    """

    length: int | None = None
    rows: int = 3
    width: int | None = None
    scale: float = 1.0
    size: float = 1.0
    last_size: float = 1.0
    open_row: int | None = None
    squares: bool = False
    normalise: bool = False
    dropout: float = 0.0
    columns: str = "turned"
    dtype: torch.dtype = torch.float32
    modes: tuple[bool, bool, bool] | None = None


def _past(draw: RandomInputs, length: int) -> torch.Tensor:
    own = 1 + draw.uniform(length, dtype=torch.float64)
    return torch.diag(own) + 0.5 * draw.normal(length, length, dtype=torch.float64).tril(-1)


def _signs(draw: RandomInputs, length: int) -> torch.Tensor:
    return draw.normal(length, length, dtype=torch.float64).sign().triu(1) / length**0.5


def _at(reader: int, source: int, size: float = 1.0) -> Callable[[RandomInputs, int], torch.Tensor]:
    """Return a pattern with a single entry; negative numbers count from the end, as in an index."""

    def pattern(draw: RandomInputs, length: int) -> torch.Tensor:
        mixing = torch.zeros(length, length, dtype=torch.float64)
        mixing[reader, source] = size
        return mixing

    return pattern


def _somewhere(draw: RandomInputs, length: int) -> torch.Tensor:
    reader = draw.integer(length // 3, length - 3)
    return _at(reader, reader + 1)(draw, length)


#: What positions read of themselves and of what came before.
PAST: dict[str, Callable[[RandomInputs, int], torch.Tensor]] = {
    "only the past": _past,
    "each position for itself": lambda draw, length: torch.eye(length, dtype=torch.float64),
    "running sums": lambda draw, length: torch.ones(length, length, dtype=torch.float64).tril(),
}

#: What they read of later positions; less than a hundred-thousandth is rounding.
AHEAD: dict[str, Callable[[RandomInputs, int], torch.Tensor]] = {
    "nothing": lambda draw, length: torch.zeros(length, length, dtype=torch.float64),
    "a millionth": lambda draw, length: 2e-6 * _signs(draw, length),
    "a few millionths": lambda draw, length: 7e-6 * _signs(draw, length),
    "everything": lambda draw, length: 0.5 * draw.normal(length, length, dtype=torch.float64).triu(1),
    "the mean": lambda draw, length: torch.full((length, length), 1 / length, dtype=torch.float64).triu(1),
    "the next position": lambda draw, length: torch.diag(torch.full((length - 1,), 0.7, dtype=torch.float64), 1),
    "the first reads the second": _at(0, 1),
    "the first reads the last": _at(0, -1),
    "the last but one reads the last": _at(-2, -1),
    "the second reads the third": _at(1, 2),
    "a leak in the middle": _at(2, 3),
    "one leak somewhere": _somewhere,
    "a small leak at the end": _at(-2, -1, 0.6),
    "a weak leak at the end": _at(-2, -1, 0.2),
    "a leak of a twentieth": lambda draw, length: 0.12 * _signs(draw, length),
    "a leak of a third": lambda draw, length: 0.7 * _signs(draw, length),
}


def _factors(draw: RandomInputs, mixing: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return two pairs of full matrices, (2, T, T) each, whose products sum to `mixing`; no single product looks like it."""
    size = len(mixing)
    other = draw.normal(size, size, dtype=torch.float64)
    right, _ = torch.linalg.qr(draw.normal(2, size, size, dtype=torch.float64))
    return torch.stack([mixing - other, other]) @ right.mT, right


def _columns(draw: RandomInputs, kind: str, width: int, out: int) -> torch.Tensor:
    if kind == "negative":
        return torch.full((width, out), -1.0, dtype=torch.float64)
    if kind == "one":
        lonely = torch.zeros(width, out, dtype=torch.float64)
        lonely[-1, -1] = 1.0
        return lonely
    turned, _ = torch.linalg.qr(draw.normal(max(width, out), max(width, out), dtype=torch.float64))
    return turned[:width, :out].contiguous()


def mixer(
    draw: RandomInputs, dress: Dress, sizes: tuple[int, int, int], past: str = "only the past", ahead: str = "nothing"
) -> tuple[dict[str, Any], torch.Tensor]:
    """Return the numbers of a mixer, and an x for it.

    `sizes` holds T, d and the width of the result; the first two apply only where the dress does not set them.
    """
    length, width = dress.length or sizes[0], dress.width or sizes[1]
    causal, leak = PAST[past](draw, length), AHEAD[ahead](draw, length)
    if dress.squares or dress.open_row is not None:
        first, second = causal, 0.5 * _past(draw, length) + leak
    else:
        share = float(draw.uniform(1, low=0.3, high=0.7))
        first, second = (1 - share) * (causal + leak), share * (causal + leak)
    left, right = _factors(draw, first)
    left2, right2 = _factors(draw, second)
    numbers: dict[str, Any] = {
        "left": left, "right": right, "left2": left2, "right2": right2,
        "columns": (dress.scale * _columns(draw, dress.columns, width, sizes[2])).to(dress.dtype),
        "shift": draw.normal(length, sizes[2], dtype=dress.dtype, scale=dress.scale * dress.size),
        "squares": dress.squares, "normalise": dress.normalise, "gate": _OPEN if dress.open_row is None else 0.0,
        "dropout": dress.dropout, "modes": list(dress.modes or [bool(mode) for mode in draw.ids(3, 2)]),
    }
    # Rounded, since the largest x would else take more room than all else that is shipped of this exercise.
    x = draw.normal(dress.rows, length, width, dtype=dress.dtype, scale=64).round() / 64 * dress.size
    x[:, -1] *= dress.last_size
    if dress.open_row is not None:
        x[:, 0, 0] = -x[:, 0, 0].abs() - 0.1 * dress.size
        x[dress.open_row, 0, 0] *= -1
    return numbers, x
