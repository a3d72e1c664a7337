"""Right answers to notebook 03: clipping rows, and a lookup that clips."""

import torch


def renorm_rows(weight: torch.Tensor, max_norm: float, norm_type: float = 2.0) -> torch.Tensor:
    """Shorten every row that is longer than max_norm to that length; leave the others as they are.

    weight     (V, d) floating tensor; it is not modified. V may be 0; rows of zeros stay rows of zeros
    max_norm   the greatest length a row may have, positive
    norm_type  which norm measures the length: 2.0, 1.0, 3.0, float("inf"), ... as in torch.linalg.vector_norm
    returns    (V, d) tensor of the same dtype; a shortened row keeps its direction

    >>> renorm_rows(torch.tensor([[3.0, 4.0], [0.3, 0.4]]), max_norm=1.0)
    tensor([[0.6000, 0.8000],
            [0.3000, 0.4000]])
    """
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True)  # (V, 1)
    return weight * (max_norm / norms.clamp(min=max_norm))


def lookup_with_max_norm_(
    weight: torch.Tensor, ids: torch.Tensor, max_norm: float, norm_type: float = 2.0
) -> torch.Tensor:
    """Look rows up as torch.nn.Embedding does with max_norm: first clip those rows in the table itself.

    weight     (V, d) floating tensor, changed in place: looked-up rows that are longer than max_norm are
               shortened to it, all other rows stay. It may be a leaf that requires grad, and the call works
               with gradients recorded and under torch.no_grad()
    ids        int64 tensor of any shape, repeats allowed
    max_norm   the greatest length a looked-up row may have, positive
    norm_type  which norm measures the length, as in `renorm_rows`
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
