"""The right answer to 03.renorm_rows."""

import torch


def renorm_rows(weight: torch.Tensor, max_norm: float, norm_type: float = 2.0) -> torch.Tensor:
    """Shorten every row that is longer than max_norm to that length; leave the others as they are.

    weight     (V, d) floating tensor; it is not modified. V may be 0; rows of zeros stay rows of zeros
    max_norm   the greatest length a row may have, positive and finite
    norm_type  which norm measures the length: 2.0, 1.0, 3.0, float("inf"), ... as in torch.linalg.vector_norm
    returns    (V, d) tensor of the same dtype; a shortened row keeps its direction

    >>> renorm_rows(torch.tensor([[3.0, 4.0], [0.3, 0.4]]), max_norm=1.0)
    tensor([[0.6000, 0.8000],
            [0.3000, 0.4000]])
    """
    norms = torch.linalg.vector_norm(weight, ord=norm_type, dim=1, keepdim=True)  # (V, 1)
    return weight * (max_norm / norms.clamp(min=max_norm))
