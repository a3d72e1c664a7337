"""The right answer to 10.trustworthiness."""

import torch


def trustworthiness(x: torch.Tensor, y: torch.Tensor, k: int) -> float:
    """Return how far the neighbours on a map are neighbours in the data, too.

    1 - 2 / (n k (2n - 3k - 1)) · Σ_i Σ_j (r(i, j) - k), where j runs over those of the k nearest neighbours of i on the
    map that are not among its k nearest in the data, and r(i, j) is the rank of j in the data: 1 for the nearest point to
    i other than i itself.

    x        tensor of shape (n, d), the data
    y        tensor of shape (n, 2), the map. Both may lie far from the origin
    k        how many neighbours, k < n / 2
    returns  a number from 0 to 1; 1 when all neighbours on the map are neighbours in the data

    From Venna and Kaski (2001).

    >>> line = torch.tensor([[0.0], [1.0], [3.0], [7.0], [15.0]])
    >>> swapped = torch.tensor([[15.0, 0.0], [1.0, 0.0], [3.0, 0.0], [7.0, 0.0], [0.0, 0.0]])
    >>> trustworthiness(line, line, 2), round(trustworthiness(line, swapped, 2), 4)
    (1.0, 0.6)
    """
    n = len(x)
    far = torch.full((n,), float("inf")).diag()  # no point is its own neighbour
    in_data = torch.cdist(x.double(), x.double()) + far
    on_map = torch.cdist(y.double(), y.double()) + far
    rank = in_data.argsort(dim=1).argsort(dim=1) + 1  # (n, n): rank[i, j] of j seen from i
    shown = on_map.argsort(dim=1)[:, :k]  # (n, k)
    too_far = (rank.gather(1, shown) - k).clamp(min=0).sum().item()
    return 1 - 2 / (n * k * (2 * n - 3 * k - 1)) * too_far
