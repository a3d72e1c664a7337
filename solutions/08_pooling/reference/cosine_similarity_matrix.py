"""The right answer to 08.cosine_similarity_matrix."""

import torch
import torch.nn.functional as F


def cosine_similarity_matrix(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the cosine of the angle between every row of a and every row of b.

    a        tensor of shape (N, d)
    b        tensor of shape (M, d)
    returns  tensor of shape (N, M); a row of zeros has similarity 0 with everything. Gradients
             flow back to a and b; at rows of zeros they are finite

    >>> a, b = torch.tensor([[3.0, 0.0], [0.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, -2.0], [3.0, 4.0]])
    >>> cosine_similarity_matrix(a, b).round(decimals=4).tolist()
    [[1.0, 0.0, 0.6000000238418579], [0.0, 0.0, 0.0]]
    """
    return F.normalize(a, dim=1) @ F.normalize(b, dim=1).T  # (N, d) @ (d, M)
