"""The right answer to 06.is_relative."""

from collections.abc import Callable

import torch


def is_relative(encode: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]) -> bool:
    """Return whether dot products of encoded vectors depend on the offset of their positions alone.

    Try `encode` on vectors and positions of your choice. It is relative when the dot product of a vector at position
    p with one at position q is the same for all p and q with the same q - p, and differs for another q - p. An
    encoder that ignores its positions is not relative, and neither is one whose dot products never change with the
    positions. A drift of 2 % in length or in dot products between positions 0 and 511 is more than rounding.

    encode   called as encode(x, positions) with x of shape (1, 1, T, d), d even, and positions (T,) of integers
             from 0 to 511 in any order; returns the encoded vectors, in x's shape
    returns  True when encode is relative, else False

    >>> is_relative(lambda x, positions: x)
    False
    """
    dice = torch.Generator().manual_seed(6)
    order = torch.randperm(512, generator=dice)  # the index in the sequence is not the position
    query, key = torch.randn(2, 1, 1, 1, 32, generator=dice).expand(2, 1, 1, 512, 32)  # the same at all positions
    encoded = [encode(vector, order)[0, 0, order.argsort()] for vector in (query, key)]  # row p: position p
    tables = torch.stack([first @ second.T for first in encoded for second in encoded])  # (4, 512, 512)
    diagonals = [tables.diagonal(offset, 1, 2) for offset in range(0, 500, 20)]  # one offset is one diagonal
    drift = max((diagonal.amax(1) - diagonal.amin(1)).max() for diagonal in diagonals)
    tolerance = 0.01 * tables.abs().max()
    change = (tables.amax((1, 2)) - tables.amin((1, 2))).max()
    return bool(drift < tolerance < change)
