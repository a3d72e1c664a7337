"""The right answer to 06.shift_matrix."""

import math

import torch


def shift_matrix(k: int, d: int, base: float = 10000.0) -> torch.Tensor:
    """Return the matrix that moves every row of the sinusoidal table by k positions.

    With PE = sinusoidal_positions(length, d, base), shift_matrix(k, d, base) @ PE[p] equals PE[p + k] for every p:
    one matrix for all positions, since sin(a + b) and cos(a + b) are sums of sin(a) and cos(a).

    k        how far to move; negative is backwards, 0 gives the identity
    d        the width of the table, even
    base     that of the table
    returns  floating tensor of shape (d, d)

    >>> table = sinusoidal_positions(10, 4)
    >>> torch.allclose(shift_matrix(3, 4) @ table[5], table[8], atol=1e-5)
    True
    """
    matrix = torch.zeros(d, d)
    for column in range(0, d, 2):
        angle = k / base ** (column / d)
        turn = [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
        matrix[column : column + 2, column : column + 2] = torch.tensor(turn)
    return matrix
