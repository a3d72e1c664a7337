"""Right answers to notebook 06: the sinusoidal table, and the matrix that shifts it."""

import math

import torch


def sinusoidal_positions(length: int, d: int, base: float = 10000.0) -> torch.Tensor:
    """The sinusoidal position table of “Attention Is All You Need” (Vaswani et al. 2017, section 3.5).

    Columns 2i and 2i + 1 belong together: at position p they hold the sine and the cosine of one angle,
    p / base^(2i / d). An odd d only lacks the last cosine; its exponents are still divided by d.

    length   how many positions; 0 gives an empty table
    d        the width, even or odd
    base     how far the slowest columns are slowed down
    returns  floating tensor of shape (length, d)

    >>> sinusoidal_positions(2, 4, base=100.0)
    tensor([[0.0000, 1.0000, 0.0000, 1.0000],
            [0.8415, 0.5403, 0.0998, 0.9950]])
    """
    positions = torch.arange(length, dtype=torch.float64)[:, None]  # (length, 1)
    even_columns = torch.arange(0, d, 2, dtype=torch.float64)  # 2i
    angles = positions / base ** (even_columns / d)  # (length, ceil(d / 2))
    table = torch.empty(length, d)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles[:, : d // 2].cos()
    return table


def shift_matrix(k: int, d: int, base: float = 10000.0) -> torch.Tensor:
    """The matrix that moves every row of the sinusoidal table by k positions.

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
