"""The right answer to 06.LearnedPositions."""

import torch
import torch.nn as nn


class LearnedPositions(nn.Module):
    """A trained table of position vectors: row t is added to the vector at position t.

    Its one parameter is the table, of shape (max_length, d). There is no dropout by default.

    >>> positions = LearnedPositions(max_length=5, d=3)
    >>> positions(torch.zeros(2, 4, 3)).shape
    torch.Size([2, 4, 3])
    """

    def __init__(self, max_length: int, d: int) -> None:
        """Make the table: numbers that are not all zero."""
        super().__init__()
        self.table = nn.Parameter(0.02 * torch.randn(max_length, d))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Add the first T rows of the table to each sentence.

        x        tensor of shape (B, T, d)
        returns  a new tensor of shape (B, T, d)

        Raises ValueError when T > max_length.
        """
        length = x.shape[1]
        if length > len(self.table):
            raise ValueError(f"{length} positions, and the table has {len(self.table)}")
        return x + self.table[:length]
