"""Right answers to notebook 06: positions that are learned, and the sum that enters BERT."""

import torch
import torch.nn as nn


class LearnedPositions(nn.Module):
    """A table of position vectors that is trained like any other: row t is added to whatever stands at position t.

    Its one parameter is the table, of shape (max_length, d). There is nothing to add beyond max_length.
    There is no dropout unless one asks for it.

    >>> positions = LearnedPositions(max_length=5, d=3)
    >>> positions(torch.zeros(2, 4, 3)).shape
    torch.Size([2, 4, 3])
    """

    def __init__(self, max_length: int, d: int) -> None:
        """Make the table: small random numbers, not all of them zero."""
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


def input_embedding(
    tokens: torch.Tensor,
    segments: torch.Tensor,
    token_table: torch.Tensor,
    position_table: torch.Tensor,
    segment_table: torch.Tensor,
) -> torch.Tensor:
    """What enters BERT's first layer: token vector + position vector + segment vector (Devlin et al. 2019, figure 2).

    tokens          int64 tensor of shape (B, T): which word stands where
    segments        int64 tensor of shape (B, T): which part of the text each place belongs to
    token_table     tensor of shape (V, d)
    position_table  tensor of shape (L, d) with L >= T: row t belongs to the places [:, t]
    segment_table   tensor of shape (number of segments, d)
    returns         tensor of shape (B, T, d): the plain sum; gradients reach all three tables

    >>> tables = torch.tensor([[1.0], [2.0]]), torch.tensor([[10.0], [20.0], [30.0]]), torch.tensor([[100.0], [200.0]])
    >>> input_embedding(torch.tensor([[1, 0]]), torch.tensor([[0, 1]]), *tables).squeeze(-1)
    tensor([[112., 221.]])
    """
    places = position_table[: tokens.shape[1]]  # (T, d)
    return token_table[tokens] + places + segment_table[segments]
