"""Right answers: the pieces of t-SNE, from distances to the gradient of the map."""

import math

import torch


def squared_distances(x: torch.Tensor) -> torch.Tensor:
    """The squared Euclidean distance between every two points.

    x        tensor of shape (n, d), one point a row; n may be 0
    returns  tensor of shape (n, n), of the dtype of x: never negative, with exact zeros in the diagonal

    >>> squared_distances(torch.tensor([[0.0, 0.0], [3.0, 4.0]])).tolist()
    [[0.0, 25.0], [25.0, 0.0]]
    """
    difference = x[:, None, :] - x[None, :, :]  # (n, n, d)
    return difference.square().sum(dim=-1)


def conditional_probabilities(distances: torch.Tensor, perplexity: float) -> torch.Tensor:
    """How likely each point is to pick each other one as its neighbour.

    Row i is p_{j|i}, proportional to exp(-β_i D_ij) over j ≠ i. Each row has a β of its own, chosen so that the row's
    perplexity, the exponential of its entropy in nats, is the one that is asked for (within 1 %).

    distances   (n, n) squared distances, of any size; a diagonal of zeros. No point has as many exact duplicates as
                the perplexity
    perplexity  about how many neighbours a point should have; 1 < perplexity < n - 1
    returns     tensor of shape (n, n), of the dtype of distances; rows sum to 1, the diagonal is 0

    Equation 1 of van der Maaten and Hinton, "Visualizing Data using t-SNE" (2008), with β_i = 1 / (2σ_i²).

    >>> distances = torch.tensor([[0.0, 1, 1, 9], [1, 0, 2, 9], [1, 2, 0, 9], [9, 9, 9, 0]])
    >>> conditional_probabilities(distances, 2.0)[0].round(decimals=2).tolist()
    [0.0, 0.5, 0.5, 0.0]
    """
    n = len(distances)
    others = ~torch.eye(n, dtype=torch.bool)
    d = distances.double()[others].reshape(n, n - 1)  # (n, n - 1): without the point itself
    low = torch.full((n, 1), -60.0, dtype=torch.float64)
    high = torch.full((n, 1), 60.0, dtype=torch.float64)
    for _ in range(60):  # bisection on log β: entropy falls as β grows
        middle = (low + high) / 2
        log_p = torch.log_softmax(-middle.exp() * d, dim=1)  # it takes off each row's largest: nothing underflows
        entropy = -(log_p.exp() * log_p).sum(dim=1, keepdim=True)
        too_flat = entropy > math.log(perplexity)
        low, high = torch.where(too_flat, middle, low), torch.where(too_flat, high, middle)
    p = torch.zeros(n, n, dtype=torch.float64)
    p[others] = torch.softmax(-middle.exp() * d, dim=1).reshape(-1)
    return p.to(distances.dtype)


def joint_probabilities(p: torch.Tensor) -> torch.Tensor:
    """Make one distribution over all pairs of the conditional ones.

    The symmetric p_ij = (p_{j|i} + p_{i|j}) / 2n gives every point, outliers too, a say in the map.

    p        (n, n) conditional probabilities, each row sums to 1
    returns  tensor of shape (n, n), of the dtype of p; symmetric, sums to 1. A tiny floor under it is allowed

    >>> joint_probabilities(torch.tensor([[0.0, 1.0], [1.0, 0.0]])).tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    return (p + p.T) / (2 * len(p))


def tsne_gradient(p: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The gradient of t-SNE's loss with respect to the map.

    The loss is the Kullback-Leibler divergence of q from p, where q_ij is 1 / (1 + |y_i - y_j|²) divided by its sum over
    all pairs i ≠ j. Its gradient at y_i is 4 Σ_j (p_ij - q_ij) (y_i - y_j) / (1 + |y_i - y_j|²).

    p        (n, n) joint probabilities: symmetric, sums to 1, a diagonal of zeros
    y        tensor of shape (n, 2), where each point stands on the map
    returns  tensor of shape (n, 2), of the dtype of y

    Equation 5 of van der Maaten and Hinton (2008).

    >>> p = torch.tensor([[0.0, 0.5, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.0]])
    >>> gradient = tsne_gradient(p, torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    >>> (24 * gradient).round().int().tolist()
    [[-15, 9], [11, 4], [4, -13]]
    """
    difference = y[:, None, :] - y[None, :, :]  # (n, n, 2)
    kernel = 1 / (1 + difference.square().sum(dim=-1))  # (n, n)
    kernel = kernel - torch.diag(kernel.diagonal())  # no point is its own neighbour
    q = kernel / kernel.sum()
    return 4 * (((p - q) * kernel)[:, :, None] * difference).sum(dim=1)
