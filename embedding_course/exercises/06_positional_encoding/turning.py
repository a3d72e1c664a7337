"""How a rotation of vectors is judged, whatever its form: by lengths, by angles, by what depends on the distance.

The vectors of a case, x of shape (B, h, T, d), are made so that the B of them at each position of each head have orthonormal
columns (up to `SCALE`). Then the linear map that an answer applies there can be read off its result: each head may pair its
numbers, and turn them, in a way of its own. Where B is below d, lengths and position 0 alone are looked at.
"""

from typing import Any

import numpy as np
import torch

from ...checking.exercise import Case, Comparison, Mismatch, RandomInputs, show
from ...checking.mismatch import RESULT
from ...messages import Message

SCALE = 3.0


def orthonormal(
    draw: RandomInputs, batch: int, heads: int, time: int, width: int, dtype: torch.dtype = torch.float32, scale: float = 1.0
) -> torch.Tensor:
    """Return x (B, h, T, d) whose (B, d) matrix at each position of each head has orthonormal columns, or rows where B < d."""
    matrices = draw.normal(heads, time, max(batch, width), min(batch, width), dtype=torch.float64)
    columns, _ = torch.linalg.qr(matrices)  # (h, T, larger, smaller)
    columns = columns if batch >= width else columns.mT
    return (SCALE * scale * columns).permute(2, 0, 1, 3).to(dtype).contiguous()


def _maps(x: torch.Tensor, result: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the linear map of each head at each position, (h, T, d, d), and the fraction of the result left unexplained."""
    before, after = (each.double().permute(1, 2, 0, 3) for each in (x, result))  # (h, T, B, d)
    size = before.square().sum(dim=(2, 3), keepdim=True) / before.shape[-1]
    maps = before.mT @ after / size
    return maps, (after - before @ maps).abs().amax() / size.sqrt().amax()


def _angles(maps: torch.Tensor) -> torch.Tensor:
    """Return the angles by which each map turns, without sign, from 0 to pi and sorted: (h, T, d)."""
    return torch.linalg.eigvals(maps).angle().abs().sort(dim=-1).values


_LENGTHS = Message("Vectors change their length, which no rotation does.")


def lengths_kept(before: torch.Tensor, after: torch.Tensor, hidden: Message = _LENGTHS) -> Mismatch | None:
    """Return a mismatch if the norm of a vector differs between `before` and `after`, else None.

    `hidden` is the sentence of the mismatch; in public cases the norms of the vector with the largest difference follow it.
    """
    old, new = (torch.linalg.vector_norm(each.double(), dim=-1) for each in (before, after))
    apart = (old - new).abs()
    if apart.max() <= 1e-4 * old.max():
        return None
    spot = tuple(int(index) for index in np.unravel_index(int(apart.argmax()), apart.shape))
    message = Message("{change} The one at {index} had length {before} and has {after}.", change=hidden, index=spot)
    return Mismatch("property", message.fill(before=f"{old[spot]:.4g}", after=f"{new[spot]:.4g}"), hidden)


def turned(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    """Return a mismatch if `got` is not a rotary encoding with the frequencies of `expected`, else None.

    Any pairing of the numbers and either direction of rotation is right.
    """
    fault = Comparison().leaf(expected, got, RESULT, float("inf"))
    if fault:
        return fault
    x, positions = case.args["x"], case.args["positions"]
    start = Message("Vectors at position 0 are changed; there the angle is 0.")
    fault = lengths_kept(x, got) or _stays(x[:, :, positions == 0], got[:, :, positions == 0], start)
    if fault or len(x) < x.shape[-1]:
        return fault
    close = 1e-4 + 2e-6 * float(positions.abs().max())  # an angle in float32 is known to about 1e-7 of itself
    maps, rest = _maps(x, got)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    if max(float(rest), float((maps.mT @ maps - eye).abs().max())) > 1e-3:
        said = Message("Vectors at the same position are not all turned alike: their dot products change.")
        return Mismatch("property", said)
    right, received = _angles(_maps(x, expected)[0]), _angles(maps)
    if (right - received).abs().max() > close:
        return _wrong_angles(right, received, positions)
    return _offset_only(maps, positions, close)


def _stays(before: torch.Tensor, after: torch.Tensor, what: Message) -> Mismatch | None:
    moved = before.numel() and float((after.double() - before.double()).abs().max()) > 1e-3 * float(before.abs().max())
    return Mismatch("property", what) if moved else None


def _wrong_angles(right: torch.Tensor, received: torch.Tensor, positions: torch.Tensor) -> Mismatch:
    head, worst = divmod(int((right - received).abs().amax(dim=-1).argmax()), len(positions))
    mine, theirs = ([round(angle, 4) for angle in each[head, worst, ::2].tolist()] for each in (right, received))
    message = Message(
        "Pairs are turned by other angles than rope_angles gives. At position {position} (index {index}) the pairs are "
        "turned by {received}, not {expected} (sorted, without sign, whole turns left out).",
        position=int(positions[worst]),
        index=worst,
        received=show(theirs),
        expected=show(mine),
    )
    return Mismatch("values", message, Message("Pairs are turned by other angles than rope_angles gives."))


def _offset_only(maps: torch.Tensor, positions: torch.Tensor, close: float) -> Mismatch | None:
    """Return a mismatch unless each head has one map between positions p and q for each distance q - p."""
    between = maps[:, :, None] @ maps[:, None].mT  # (h, T, T, d, d)
    offsets = positions[None] - positions[:, None]
    for offset in offsets.unique().tolist():
        same = between[:, offsets == offset]
        if (same - same[:, :1]).abs().max() > 10 * close + 1e-3:
            hidden = Message("The dot product of two turned vectors depends on more than the distance of their positions.")
            message = Message("{fault} It differs between pairs that are {offset} apart.", fault=hidden, offset=offset)
            return Mismatch("property", message, hidden)
    return None
