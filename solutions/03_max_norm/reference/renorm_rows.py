"""The right answer to 03.renorm_rows."""

import torch


def renorm_rows(weight: torch.Tensor, max_norm: float, norm_type: float = 2.0) -> torch.Tensor:
    """Shorten every row whose norm is above max_norm to that norm; leave the other rows as they are.

    weight     (V, d) floating tensor; rows of zeros stay rows of zeros
    max_norm   the greatest norm a row may have, positive and finite
    norm_type  the norm that is bounded: 2.0, 1.0, 3.0, float("inf"), ... as in torch.linalg.vector_norm
    returns    (V, d) tensor; a shortened row keeps its direction

    >>> renorm_rows(torch.tensor([[3.0, 4.0], [0.3, 0.4]]), max_norm=1.0)
    tensor([[0.6000, 0.8000],
            [0.3000, 0.4000]])
    """
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True)  # (V, 1)
    return weight * (max_norm / norms.clamp(min=max_norm))
