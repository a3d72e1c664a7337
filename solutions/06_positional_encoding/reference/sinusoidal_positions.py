"""The right answer to 06.sinusoidal_positions."""


import torch


def sinusoidal_positions(length: int, d: int, base: float = 10000.0) -> torch.Tensor:
    """Return the sinusoidal position table of “Attention Is All You Need” (Vaswani et al. 2017, section 3.5).

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
