"""Pad sentences of different lengths to one rectangle: on the right, on the left, on either side, or in between."""

import random
from collections.abc import Sequence

import torch

from ...messages import translatable, translate

SIDES = {
    "right": translatable("padded right"),
    "left": translatable("padded left"),
    "mixed": translatable("both by turns"),
    "holes": translatable("missing positions"),
}


def pad(
    rows: Sequence[Sequence[int]],
    side: str = "right",
    width: int | None = None,
    fill: int = 0,
    seed: int = 0,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the ids (B, T) of sentences, and their attention mask (B, T) of int64: 1 at real tokens, 0 at padding.

    Parameters
    ----------
    rows : Sequence[Sequence[int]]
        Ids of each sentence.
    side : str, optional
        "right", "left", "mixed" (right and left by turns) or "holes" (anywhere, depending on `seed`).
    width : int or None, optional
        T; by default the length of the longest sentence.
    fill : int, optional
        Id of the padding.
    seed : int, optional
        Seed of the positions of "holes".

    Raises
    ------
    ValueError
        For another side, or if a sentence is longer than the width.

    Examples
    --------
    >>> pad([[5, 6], [7]], "left", width=3)
    (tensor([[0, 5, 6],
            [0, 0, 7]]), tensor([[0, 1, 1],
            [0, 0, 1]]))
    """
    if side not in SIDES:
        raise ValueError(f"no side {side!r}: there are {', '.join(SIDES)}")
    longest = max(map(len, rows), default=0)
    width = longest if width is None else width
    if width < longest:
        raise ValueError(f"width {width}: the longest sentence has {longest} tokens")
    ids = torch.full((len(rows), width), fill)
    mask = torch.zeros(len(rows), width, dtype=torch.int64)
    chance = random.Random(seed)
    for number, row in enumerate(rows):
        columns = _places(side, len(row), width, number, chance)
        ids[number, columns], mask[number, columns] = torch.tensor(row, dtype=torch.int64), 1
    return ids, mask


def _places(side: str, length: int, width: int, number: int, chance: random.Random) -> list[int]:
    """Return the columns of a sentence's tokens."""
    if side == "holes":
        return sorted(chance.sample(range(width), length))
    on_the_left = side == "left" or (side == "mixed" and number % 2 == 1)
    start = width - length if on_the_left else 0
    return list(range(start, start + length))


def checked_mask(attention_mask: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """Return the mask as bool (B, T). Any int, bool or float tensor of 0 and 1 is accepted.

    Raises
    ------
    TypeError
        If it is no tensor.
    ValueError
        For another shape, or for other values, such as nan or the 0 and -inf that are added to scores.

    Examples
    --------
    >>> checked_mask(torch.tensor([[1.0, 0.0]]), (1, 2))
    tensor([[ True, False]])
    """
    if not isinstance(attention_mask, torch.Tensor):
        raise TypeError(f"attention_mask is of type {type(attention_mask).__name__}; a tensor was expected")
    if tuple(attention_mask.shape) != tuple(shape):
        raise ValueError(
            translate(
                "attention_mask has the shape {received}; {expected} was expected",
                received=tuple(attention_mask.shape),
                expected=tuple(shape),
            )
        )
    if not bool(((attention_mask == 0) | (attention_mask == 1)).all()):
        raise ValueError(translate("attention_mask holds other numbers than 0 and 1"))
    return attention_mask.bool()
