"""The right answer to 03.lookup_with_max_norm_."""

import torch


def lookup_with_max_norm_(
    weight: torch.Tensor, ids: torch.Tensor, max_norm: float, norm_type: float = 2.0
) -> torch.Tensor:
    """Look rows up as torch.nn.Embedding does with max_norm: first clip those rows in the table itself.

    weight     (V, d) floating tensor, changed in place: looked-up rows whose norm is above max_norm are
               shortened to it, all other rows stay. It may be an nn.Parameter (a tensor that you train), and
               the call works with gradients recorded and under torch.no_grad()
    ids        int64 tensor of any shape, repeats allowed
    max_norm   the greatest norm a looked-up row may have, positive
    norm_type  the norm that is bounded, as in `renorm_rows`
    returns    (*ids.shape, d) tensor, the clipped rows

    >>> weight = torch.tensor([[3.0, 4.0], [6.0, 8.0]])
    >>> lookup_with_max_norm_(weight, torch.tensor([1, 1]), max_norm=5.0).tolist()
    [[3.0, 4.0], [3.0, 4.0]]
    >>> weight.tolist()
    [[3.0, 4.0], [3.0, 4.0]]
    """
    with torch.no_grad():
        rows = ids.unique()
        weight[rows] = renorm_rows(weight[rows], max_norm, norm_type)
    return weight[ids]
