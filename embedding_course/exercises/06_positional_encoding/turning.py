"""How a rotation of vectors is judged, whatever its form: by lengths, by angles, by what depends on the distance.

The vectors of a case, x of shape (B, h, T, d), are made so that at each position the B · h of them have orthonormal columns
(up to `SCALE`). Then the linear map that an answer applies at a position can be read off its result.
"""

from __future__ import annotations

from typing import Any

import torch

from ...compare import Fault, Same
from ...draw import Draw
from ...exercise import Case
from ...show import show

__all__ = ["lengths_kept", "orthonormal", "turned"]

SCALE = 3.0


def orthonormal(
    draw: Draw, batch: int, heads: int, time: int, width: int, dtype: torch.dtype = torch.float32, scale: float = 1.0
) -> torch.Tensor:
    """Vectors x (B, h, T, d) with B · h >= d, whose (B · h, d) matrix at each position has orthonormal columns."""
    count = batch * heads
    if count < width:
        raise ValueError(f"{count} vectors cannot span {width} dimensions")
    columns, _ = torch.linalg.qr(draw.normal(time, count, width, dtype=torch.float64))  # (T, B · h, d)
    return (SCALE * scale * columns).permute(1, 0, 2).reshape(batch, heads, time, width).to(dtype).contiguous()


def _maps(x: torch.Tensor, result: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The linear map at each position, (T, d, d), and what it leaves unexplained of the result, as a share."""
    before, after = (each.double().flatten(0, 1).transpose(0, 1) for each in (x, result))  # (T, B · h, d)
    size = before.square().sum(dim=(1, 2), keepdim=True) / before.shape[-1]
    maps = before.mT @ after / size
    return maps, (after - before @ maps).abs().amax() / size.sqrt().amax()


def _angles(maps: torch.Tensor) -> torch.Tensor:
    """The angles by which each map turns, without their sign, from 0 to pi, sorted: (T, d)."""
    return torch.linalg.eigvals(maps).angle().abs().sort(dim=-1).values


def lengths_kept(before: torch.Tensor, after: torch.Tensor, what: str = "vectors") -> Fault | None:
    old, new = (torch.linalg.vector_norm(each.double(), dim=-1) for each in (before, after))
    apart = (old - new).abs()
    if apart.max() <= 1e-4 * old.max():
        return None
    spot = tuple(int(entry) for entry in torch.unravel_index(apart.argmax(), apart.shape))
    detail = f": the one at {spot} had length {old[spot]:.4g} and has {new[spot]:.4g}"
    return Fault("property", f"{what} change their length, which no rotation does", detail)


def turned(expected: torch.Tensor, got: Any, case: Case) -> Fault | None:
    """Is `got` a rotary encoding with the frequencies of `expected`? Any pairing and either direction will do."""
    fault = Same().leaf(expected, got, "the result", float("inf"))
    if fault:
        return fault
    x, positions = case.args["x"], case.args["positions"]
    fault = lengths_kept(x, got)
    if fault:
        return fault
    close = 1e-4 + 2e-6 * float(positions.abs().max())  # an angle in float32 is known to about 1e-7 of itself
    maps, rest = _maps(x, got)
    eye = torch.eye(maps.shape[-1], dtype=maps.dtype)
    apart = max(float(rest), float((maps.mT @ maps - eye).abs().max()))
    if apart > 1e-3:
        return Fault("property", "vectors at the same position are not all turned alike: their dot products change")
    if (positions == 0).any() and (maps[positions == 0] - eye).abs().max() > 1e-3:
        return Fault("property", "vectors at position 0 are changed; there the angle is 0")
    right, found = _angles(_maps(x, expected)[0]), _angles(maps)
    if (right - found).abs().max() > close:
        return _wrong_angles(right, found, positions)
    return _offset_only(maps, positions, close)


def _wrong_angles(right: torch.Tensor, found: torch.Tensor, positions: torch.Tensor) -> Fault:
    worst = int((right - found).abs().amax(dim=-1).argmax())
    mine, theirs = ([round(angle, 4) for angle in each[worst, ::2].tolist()] for each in (right, found))
    detail = f": at position {int(positions[worst])} (index {worst}) the pairs are turned by {show(theirs)}, not {show(mine)}"
    folded = " (sorted, without sign, whole turns left out)"
    return Fault("values", "pairs are turned by other angles than rope_angles gives", detail + folded)


def _offset_only(maps: torch.Tensor, positions: torch.Tensor, close: float) -> Fault | None:
    """Between positions p and q there must be one map for each distance q - p."""
    between = maps[:, None] @ maps[None].mT  # (T, T, d, d)
    offsets = positions[None] - positions[:, None]
    for offset in offsets.unique().tolist():
        same = between[offsets == offset]
        if (same - same[0]).abs().max() > 10 * close + 1e-3:
            what = "the dot product of two turned vectors depends on more than the distance of their positions"
            return Fault("property", what, f": it differs between pairs that are {offset} apart")
    return None
