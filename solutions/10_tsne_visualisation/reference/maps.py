"""Right answers: a linear map, and two tests of any map."""

import torch


def pca(x: torch.Tensor, k: int) -> torch.Tensor:
    """Project points on their k directions of largest variance.

    x        tensor of shape (n, d), one point a row, n >= 2
    k        how many directions, at most min(n - 1, d)
    returns  tensor of shape (n, k), of the dtype of x: the coordinates of the centred points along the directions,
             the direction of largest variance first. The sign of a column means nothing

    >>> pca(torch.tensor([[1.0, 5.0], [3.0, 5.0], [5.0, 5.0]]), 1).abs().round(decimals=3).tolist()
    [[2.0], [0.0], [2.0]]
    """
    centred = x - x.mean(dim=0)  # (n, d)
    _, _, directions = torch.linalg.svd(centred, full_matrices=False)  # (min(n, d), d), largest first
    return centred @ directions[:k].T  # (n, k)


def trustworthiness(x: torch.Tensor, y: torch.Tensor, k: int) -> float:
    """How many of the neighbours that a map shows are neighbours in the data?

    1 - 2 / (n k (2n - 3k - 1)) · Σ_i Σ_j (r(i, j) - k), where j runs over those of the k nearest neighbours of i on the
    map that are not among its k nearest in the data, and r(i, j) is the rank of j in the data: 1 for the nearest point to
    i other than i itself.

    x        tensor of shape (n, d), the data
    y        tensor of shape (n, 2), the map
    k        how many neighbours, k < n / 2
    returns  a number from 0 to 1; 1 when no neighbour on the map is false

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


def cluster_test(x: torch.Tensor, y: torch.Tensor, labels: torch.Tensor, generator: torch.Generator) -> dict:
    """Do the labels form clusters in the data, more than chance would give, and what does the map show?

    x          tensor of shape (n, d), the data
    y          tensor of shape (n, 2), the map
    labels     int64 tensor of shape (n,); any numbers, each at least twice
    generator  where all randomness comes from
    returns    a dict: "data" and "map" are the mean silhouettes (Euclidean) of the labels in x and in y; "null" is the
               95th percentile of the silhouettes in x of at least 100 random shuffles of the labels; "real" is True when
               "data" is above "null"

    >>> x = torch.tensor([[0.0], [1], [2], [3], [4], [50], [51], [52], [53], [54]])
    >>> labels = torch.tensor([0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    >>> found = cluster_test(x, torch.cat([x, -x], dim=1), labels, torch.Generator().manual_seed(1))
    >>> round(found["data"], 2), round(found["map"], 2), found["null"] < 0.5, found["real"]
    (0.96, 0.96, True, True)
    """
    def silhouettes(x: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        """The mean silhouette of the points x (n, d) for each of m labellings (m, n): a tensor of shape (m,)."""
        distances = torch.cdist(x.double(), x.double(), compute_mode="donot_use_mm_for_euclid_dist")
        member = (labels[:, :, None] == labels.unique()).double()  # (m, n, classes)
        size = member.sum(dim=1, keepdim=True)  # (m, 1, classes)
        total = distances @ member  # (m, n, classes): each point's distances to each class, summed
        within = (total * member).sum(dim=2) / ((size * member).sum(dim=2) - 1)  # (m, n): the point itself does not count
        nearest = (total / size).masked_fill(member.bool(), float("inf")).amin(dim=2)  # (m, n)
        return ((nearest - within) / torch.maximum(nearest, within)).mean(dim=1)

    shuffles = torch.stack([labels[torch.randperm(len(labels), generator=generator)] for _ in range(500)])
    data = float(silhouettes(x, labels[None]))
    null = float(silhouettes(x, shuffles).quantile(0.95))
    return {"data": data, "map": float(silhouettes(y, labels[None])), "null": null, "real": data > null}
