"""The right answer to 10.cluster_test."""

import torch


def cluster_test(x: torch.Tensor, y: torch.Tensor, labels: torch.Tensor, generator: torch.Generator) -> dict:
    """Test whether labels form clusters in the data, more than chance would give.

    x          tensor of shape (n, d), the data
    y          tensor of shape (n, 2), the map. Both may lie far from the origin
    labels     int64 tensor of shape (n,); any numbers, each at least twice
    generator  the source of all randomness
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
        # the mean silhouette of the points x (n, d) for each of m labellings (m, n): a tensor of shape (m,)
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
