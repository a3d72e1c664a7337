"""The right answer to 06.input_embedding."""

import torch


def input_embedding(
    tokens: torch.Tensor,
    segments: torch.Tensor,
    token_table: torch.Tensor,
    position_table: torch.Tensor,
    segment_table: torch.Tensor,
) -> torch.Tensor:
    """Return token vector + position vector + segment vector, as BERT adds them (Devlin et al. 2019, figure 2).

    tokens          int64 tensor of shape (B, T): the word at each position
    segments        int64 tensor of shape (B, T): the segment of the text that each position belongs to
    token_table     tensor of shape (V, d)
    position_table  tensor of shape (L, d) with L >= T: row t belongs to the positions [:, t]
    segment_table   tensor of shape (number of segments, d)
    returns         tensor of shape (B, T, d): the plain sum; gradients reach all three tables

    >>> tables = torch.tensor([[1.0], [2.0]]), torch.tensor([[10.0], [20.0], [30.0]]), torch.tensor([[100.0], [200.0]])
    >>> input_embedding(torch.tensor([[1, 0]]), torch.tensor([[0, 1]]), *tables).squeeze(-1)
    tensor([[112., 221.]])
    """
    places = position_table[: tokens.shape[1]]  # (T, d)
    return token_table[tokens] + places + segment_table[segments]
