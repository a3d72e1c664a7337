"""The right answer to 11.bag_of_tokens."""

from collections.abc import Sequence

import torch
import torch.nn.functional as F


def bag_of_tokens(
    table: torch.Tensor, ids: Sequence[Sequence[int]], weights: torch.Tensor | None = None
) -> torch.Tensor:
    """Return one vector for each text: the weighted sum of its tokens' rows, scaled to norm 1.

    A token that occurs several times counts each time. The order of the tokens does not matter.

    table    (V, d) floating tensor with a row for each token
    ids      a list of N texts, each a list of ids from 0 to V - 1; N may be 0, and a text may be empty
    weights  (V,) tensor of the table's dtype with a number for each token of the vocabulary, which may be 0 or negative;
             None gives every token the weight 1
    returns  (N, d) tensor of the table's dtype: rows of norm 1. A text without tokens gives zeros, and so does a text
             whose sum is zero

    >>> table = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    >>> bag_of_tokens(table, [[0, 0], [1, 1, 1], []])
    tensor([[1., 0.],
            [0., 1.],
            [0., 0.]])
    >>> bag_of_tokens(table, [[0, 1]], weights=torch.tensor([3.0, 2.0]))
    tensor([[0.6000, 0.8000]])
    """
    sums = table.new_zeros(len(ids), table.shape[1])
    for number, text in enumerate(ids):
        tokens = torch.tensor(text, dtype=torch.int64)
        rows = table[tokens]  # (tokens of the text, d)
        if weights is not None:
            rows = rows * weights[tokens, None]
        sums[number] = rows.sum(dim=0)
    return F.normalize(sums, dim=1)
